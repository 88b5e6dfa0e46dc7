"""Systems outside, on loopback: they answer with exactly the bytes a test gives them, with or without TLS."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

Handling = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Outside:
    """A listening system and what it was sent."""

    def __init__(self) -> None:
        self.port = 0
        self.heads: list[str] = []


@asynccontextmanager
async def listening(handle: Handling, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    served: set[asyncio.Task[None]] = set()

    async def quiet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await handle(reader, writer)
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.add(asyncio.ensure_future(quiet(reader, writer)))

    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.wait([*served, asyncio.ensure_future(asyncio.sleep(0))], timeout=1.0)
        for task in served:
            task.cancel()
        await asyncio.gather(*served, return_exceptions=True)


@asynccontextmanager
async def answering(answer: bytes, tls: ssl.SSLContext | None = None, *, wait_s: float = 0.0) -> AsyncIterator[Outside]:
    """A web server with one answer for everything."""
    outside = Outside()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        outside.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        await asyncio.sleep(wait_s)
        writer.write(answer)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    async with listening(handle, tls) as port:
        outside.port = port
        yield outside


def http(body: bytes, status: str = "200 OK", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def certificates(folder: Path, host: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's context for `host`, and a client's that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    file = folder / "server.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + certificate.public_bytes(Encoding.PEM))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    client = ssl.create_default_context(cadata=certificate.public_bytes(Encoding.PEM).decode())
    return server, client
