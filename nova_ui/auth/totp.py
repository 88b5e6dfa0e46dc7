"""Codes of an authenticator app (RFC 6238) and the codes that replace the app once."""

import base64
import hashlib
import hmac
import re
import secrets
from datetime import datetime
from typing import Final

import pyotp

ISSUER: Final = "Nova AI"
PERIOD_S: Final = 30
DRIFT_STEPS: Final = 1  # a watch may be half a minute off
RECOVERY_CODES: Final = 10
_RECOVERY_BYTES: Final = 15  # 120 bits: enough for a plain hash
_CODE: Final = re.compile(r"[0-9]{6}", re.ASCII)
_RECOVERY: Final = re.compile(r"[A-Z2-7]{24}|[A-Z2-7]{16}", re.ASCII)  # earlier ones were shorter
_SEPARATORS: Final = re.compile(r"[\s-]+")


def new_seed() -> str:
    """Return the secret that app and Nova share: 160 random bits in base32."""
    return pyotp.random_base32()


def link_of(seed: str, user_name: str) -> str:
    """Return what an app reads from the picture."""
    return pyotp.TOTP(seed).provisioning_uri(name=user_name, issuer_name=ISSUER)


def normal_code(entered: str) -> str | None:
    """Return the six digits of a code as people type it, or None where it is none."""
    code = _SEPARATORS.sub("", entered)
    return code if _CODE.fullmatch(code) else None


def matching_step(seed: str, code: str, now: datetime) -> int | None:
    """Return the number of the time step that `code` belongs to, or None; always as long, wherever it is."""
    current = int(now.timestamp()) // PERIOD_S
    totp = pyotp.TOTP(seed)
    steps = range(current - DRIFT_STEPS, current + DRIFT_STEPS + 1)
    matching = [step for step in steps if hmac.compare_digest(totp.generate_otp(step), code)]
    return max(matching, default=None)


def new_recovery_codes() -> list[str]:
    """Return codes of 120 random bits each, in groups that can be read aloud."""
    return [_grouped(base64.b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode()) for _ in range(RECOVERY_CODES)]


def normal_recovery_code(entered: str) -> str | None:
    """Return a recovery code as it is compared, or None where it is none."""
    code = _SEPARATORS.sub("", entered).upper()
    return code if _RECOVERY.fullmatch(code) else None


def hash_of(identity_id: str, code: str) -> str:
    """Return what is stored of a recovery code."""
    return hashlib.sha256(f"{identity_id}:{_SEPARATORS.sub('', code)}".encode()).hexdigest()


def _grouped(code: str) -> str:
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))
