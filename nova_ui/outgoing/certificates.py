"""Certificates that an administrator lets a call trust: read when they are entered, trusted alone when it is made."""

import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from nova_ui.domain.text import mark
from nova_ui.errors import NovaUiError

MAX_CERTIFICATES: Final = 20
MAX_PEM_CHARS: Final = 60_000
_BEGIN: Final = re.compile(r"-----BEGIN ([A-Z0-9 ]{1,60})-----")
_CERTIFICATE: Final = "CERTIFICATE"
_MAX_SUBJECT_CHARS: Final = 200


class CertificateFault(StrEnum):
    """What is wrong with what was entered."""

    PRIVATE_KEY = "private_key"
    NO_CERTIFICATE = "no_certificate"
    UNREADABLE = "unreadable"
    EXPIRED = "expired"
    TOO_MANY = "too_many"


SENTENCES: Final = {
    CertificateFault.PRIVATE_KEY: mark(
        "This holds a private key, which never belongs here. Enter certificates only; nothing was stored."
    ),
    CertificateFault.NO_CERTIFICATE: mark("This holds no certificate. Enter the text from BEGIN to END CERTIFICATE."),
    CertificateFault.UNREADABLE: mark("One of the certificates can't be read. Copy the whole text again."),
    CertificateFault.EXPIRED: mark("One of the certificates has expired. Ask for the current one."),
    CertificateFault.TOO_MANY: mark("These are more certificates than one address needs. Enter at most 20."),
}


class CertificatesRefused(NovaUiError):
    """What was entered is not taken; `fault` says why."""

    def __init__(self, fault: CertificateFault) -> None:
        super().__init__(fault=fault.value)
        self.fault = fault

    @property
    def sentence(self) -> str:
        """The English sentence, which is also its message id."""
        return SENTENCES[self.fault]

    def __str__(self) -> str:
        return f"certificates refused: {self.fault}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """One certificate, as people tell it from others."""

    subject: str
    expires_at: datetime


def checked_certificates(text: str, now: datetime) -> str:
    """Return the certificates of `text` and nothing else that it holds.

    Raises:
        CertificatesRefused: it holds none, one that can't be read or has expired, or anything secret.

    """
    kinds = _BEGIN.findall(text)
    if any("PRIVATE KEY" in kind for kind in kinds) or "PRIVATE KEY-----" in text:
        raise CertificatesRefused(CertificateFault.PRIVATE_KEY)
    if _CERTIFICATE not in kinds:
        raise CertificatesRefused(CertificateFault.NO_CERTIFICATE)
    if len(kinds) > MAX_CERTIFICATES or len(text) > MAX_PEM_CHARS:
        raise CertificatesRefused(CertificateFault.TOO_MANY)
    found = _read(text)
    if set(kinds) != {_CERTIFICATE} or len(found) != len(kinds):
        raise CertificatesRefused(CertificateFault.UNREADABLE)
    if any(one.not_valid_after_utc <= now for one in found):
        raise CertificatesRefused(CertificateFault.EXPIRED)
    return "".join(one.public_bytes(Encoding.PEM).decode() for one in found)


def certificates_of(stored: str) -> tuple[Certificate, ...]:
    """Return what stored certificates are; of a text that can't be read, none."""
    try:
        found = _read(stored) if stored else ()
    except CertificatesRefused:
        return ()
    return tuple(Certificate(subject=_subject_of(one), expires_at=one.not_valid_after_utc) for one in found)


def trusting_only(stored: str) -> ssl.SSLContext:
    """Return a context that trusts these certificates and no others, each of them as an end of the chain.

    Raises:
        CertificatesRefused: they can't be read.

    """
    try:
        context = ssl.create_default_context(cadata=stored)
    except (ssl.SSLError, ValueError):
        raise CertificatesRefused(CertificateFault.UNREADABLE) from None
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def _read(text: str) -> Sequence[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(text.encode())
    except ValueError:
        raise CertificatesRefused(CertificateFault.UNREADABLE) from None


def _subject_of(certificate: x509.Certificate) -> str:
    try:
        names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
        shown = str(names[0].value) if names else certificate.subject.rfc4514_string()
    except ValueError:
        shown = ""
    return shown[:_MAX_SUBJECT_CHARS] or f"{certificate.serial_number:x}"[:_MAX_SUBJECT_CHARS]
