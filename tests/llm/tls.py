"""A certificate authority, servers with its certificates and a proxy that tunnels, all on loopback."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.llm.peer import BOUND_S

Key = ec.EllipticCurvePrivateKey


def pem_of(key: Key) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


@dataclass
class Authority:
    """Signs certificates; `pem` is its own."""

    name: str = "House CA"
    expires_in: timedelta = timedelta(days=365)
    key: Key = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def __post_init__(self) -> None:
        self.certificate = self._sign(self.name, self.key, is_ca=True)

    @property
    def pem(self) -> str:
        return self.certificate.public_bytes(Encoding.PEM).decode()

    def server_context(self, folder: Path, *names: str) -> ssl.SSLContext:
        """Return the context of a server that shows a certificate for `names` (else for this computer)."""
        key = ec.generate_private_key(ec.SECP256R1())
        shown = self._sign("server", key, names=names or ("127.0.0.1", "localhost"))
        path = folder / f"{len(list(folder.iterdir()))}.pem"
        path.write_text(shown.public_bytes(Encoding.PEM).decode() + pem_of(key))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    def _sign(self, name: str, key: Key, *, is_ca: bool = False, names: tuple[str, ...] = ()) -> x509.Certificate:
        now = datetime.now(UTC)
        issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, self.name)])
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
            .issuer_name(issuer)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=800))
            .not_valid_after(now + self.expires_in)
            .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
        )
        if names:
            builder = builder.add_extension(
                x509.SubjectAlternativeName([_alternative(one) for one in names]), critical=False
            )
        return builder.sign(self.key, hashes.SHA256())


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


class Proxy:
    """Takes CONNECT only; `leads_to` is the port that every tunnel ends at, whatever name was asked for."""

    def __init__(self, leads_to: int, status: str) -> None:
        self._leads_to = leads_to
        self._status = status
        self.heads: list[str] = []
        self.port = 0
        self.served: list[asyncio.Task[None]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.served.append(asyncio.ensure_future(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to_beyond: asyncio.StreamWriter | None = None
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
            writer.write(f"HTTP/1.1 {self._status}\r\n\r\n".encode())
            await writer.drain()
            if self._status.startswith("200") and self.heads[-1].startswith("CONNECT "):
                beyond, to_beyond = await asyncio.open_connection("127.0.0.1", self._leads_to)
                await _either(_pass_on(reader, to_beyond), _pass_on(beyond, writer))
        for one in filter(None, (writer, to_beyond)):
            one.close()
            with suppress(ConnectionError, ssl.SSLError):
                await one.wait_closed()


async def _either(*ways: Coroutine[None, None, None]) -> None:
    """Let bytes go both ways until one side has ended."""
    tasks = [asyncio.ensure_future(one) for one in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in tasks:
            one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await reader.read(65_536):
            writer.write(piece)
            await writer.drain()


@asynccontextmanager
async def a_proxy(
    leads_to: int = 0, *, status: str = "200 Connection established", tls: ssl.SSLContext | None = None
) -> AsyncIterator[Proxy]:
    proxy = Proxy(leads_to, status)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0, ssl=tls)
    proxy.port = server.sockets[0].getsockname()[1]
    async with asyncio.timeout(BOUND_S):
        try:
            yield proxy
        finally:
            server.close()
            for one in proxy.served:
                one.cancel()
            await asyncio.gather(*proxy.served, return_exceptions=True)
