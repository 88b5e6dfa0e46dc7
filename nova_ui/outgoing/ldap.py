"""The one message of LDAP that is spoken: the request to encrypt the connection (RFC 4511, section 4.14)."""

import asyncio
import ssl
from typing import Final

from nova_ui.outgoing.failing import CallFailed, Failure

# LDAPMessage { messageID 1, extendedReq { requestName "1.3.6.1.4.1.1466.20037" } }
START_TLS: Final = b"\x30\x1d\x02\x01\x01\x77\x18\x80\x161.3.6.1.4.1.1466.20037"

_SEQUENCE: Final = 0x30
_MESSAGE_ID: Final = b"\x02\x01\x01"
_EXTENDED_RESPONSE: Final = 0x78
_SUCCESS: Final = b"\x0a\x01\x00"
_LONG_FORM: Final = 0x80
_MAX_LENGTH_BYTES: Final = 2
_MAX_BYTES: Final = 4_096


async def start_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, tls: ssl.SSLContext, host: str) -> None:
    """Ask the directory to encrypt and do so, with a certificate that is valid for `host`.

    Raises:
        CallFailed: it does not want to, or answers in another way.
        OSError: the connection broke, or no trusted encryption came about.

    """
    writer.write(START_TLS)
    await writer.drain()
    try:
        answer = await _message(reader)
    except asyncio.IncompleteReadError:
        raise CallFailed(Failure.PROTOCOL) from None
    if not answer.startswith(_MESSAGE_ID) or answer[3:4] != bytes([_EXTENDED_RESPONSE]):
        raise CallFailed(Failure.PROTOCOL)
    if _SUCCESS not in answer[4:10]:  # the result stands right after the length
        raise CallFailed(Failure.PROTOCOL)
    await writer.start_tls(tls, server_hostname=host)


async def _message(reader: asyncio.StreamReader) -> bytes:
    kind, length = await reader.readexactly(2)
    if kind != _SEQUENCE:
        raise CallFailed(Failure.PROTOCOL)
    if length >= _LONG_FORM:
        count = length - _LONG_FORM
        if not 0 < count <= _MAX_LENGTH_BYTES:
            raise CallFailed(Failure.PROTOCOL)
        length = int.from_bytes(await reader.readexactly(count))
    if length > _MAX_BYTES:
        raise CallFailed(Failure.TOO_MUCH)
    return await reader.readexactly(length)
