"""What a secret looks like wherever it stands in a text: by its shape, or by the name written before it (D2 to D4)."""

import base64
import binascii
import re
from typing import Final

from nova_ui.guardrails.secret_assignments import SECRET_PLACEHOLDER, hide_assigned, looks_random
from nova_ui.guardrails.secret_disguises import undisguised
from nova_ui.guardrails.secret_sayings import hide_said

_MAX_CHARS: Final = 200_000
_KEY_KIND: Final = "[A-Z0-9 ]{0,64}PRIVATE KEY[A-Z0-9 ]{0,64}"
_DASHES: Final = "[-\u2010-\u2015]{4,6}"  # some programs make long ones of them
_START: Final = r"(?<![A-Za-z0-9])"

# Each is a secret as a whole. What stands before something that must follow is bounded: a text of nothing but its
# beginnings would be read to its end from each of them.
_SHAPES: Final = (
    rf"{_DASHES}(?i:BEGIN {_KEY_KIND}){_DASHES}.*?(?:{_DASHES}(?i:END {_KEY_KIND}){_DASHES}|\Z)",
    _START + r"LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]{16,}",  # the same once more in base64
    r"PuTTY-User-Key-File-\d.*\Z",
    r"otpauth(?:-migration)?://[^\s\"'<>]+",
    _START + r"enc:v\d+:[^\s\"'<>,;)\]}]+",
    _START + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    _START + r"AIza[A-Za-z0-9_-]{30,}",
    _START + r"gh[opusr]_[A-Za-z0-9]{16,}",
    _START + r"github_pat_[A-Za-z0-9_]{20,}",
    _START + r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt)-[A-Za-z0-9_-]{10,}",
    _START + r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{8,}",
    _START + r"sk-(?=[A-Za-z_-]{0,100}[0-9])[A-Za-z0-9_-]{8,}",
    _START + r"sk-[A-Za-z0-9_-]{16,}",
    _START + r"xox[a-z](?:-[A-Za-z0-9]+){2,}",
    _START + r"xapp-\d-[A-Za-z0-9-]{10,}",
    r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]+",
    _START + r"ya29\.[A-Za-z0-9_-]{16,}",
    _START + r"GOCSPX-[A-Za-z0-9_-]{16,}",
    _START + r"npm_[A-Za-z0-9]{30,}",
    _START + r"pypi-[A-Za-z0-9_-]{30,}",
    _START + r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    _START + r"hf_[A-Za-z0-9]{20,}",
    _START + r"(?:hv[sbr]\.)[A-Za-z0-9_-]{20,}",
    _START + r"(?:dop|doo|dor)_v1_[a-f0-9]{32,}",
    _START + r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}",
    _START + r"whsec_[A-Za-z0-9+/=]{16,}",
    _START + r"AGE-SECRET-KEY-1[A-Z0-9]{20,}",
    _START + r"gAAAAA[A-Za-z0-9_-]{50,}={0,2}",
    _START + r"tskey-[a-z]+-[A-Za-z0-9-]{16,}",
    _START + r"(?:gsk|r8|ntn|nfp|secret)_[A-Za-z0-9]{30,}",
    _START + r"(?:xai|pplx|nvapi)-[A-Za-z0-9_-]{30,}",
    _START + r"xkeysib-[a-f0-9]{32,}[A-Za-z0-9-]*",
    _START + r"lin_(?:api|oauth)_[A-Za-z0-9]{20,}",
    _START + r"fig[dou]_[A-Za-z0-9_-]{20,}",
    _START + r"dapi[a-f0-9]{32}",
    _START + r"AT(?:ATT|CTT|BB|STT)3x[A-Za-z0-9_=-]{20,}",
    _START + r"\d{8,10}:AA[A-Za-z0-9_-]{30,}",
    _START + r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,}",
    _START + r"(?:dckr_pat|glsa|glc|sntrys|sntryu|pscale_tkn|pscale_pw|rubygems|sbp)_[A-Za-z0-9_=+/.-]{20,}",
    _START + r"(?:NRAK|PMAK)-[A-Za-z0-9-]{20,}",
    _START + r"dp\.(?:pt|st|sa|ct)\.[A-Za-z0-9]{30,}",
    _START + r"dt0c01\.[A-Z0-9]{20,}\.[A-Z0-9]{40,}",
    r"\$argon2(?:id|i|d)\$[^\s\"'<>]+",
    r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{20,}",
    r"\$(?:5|6|y|7)\$[./A-Za-z0-9$=,]{20,}",
    r"(?:pbkdf2|scrypt)[_:$][A-Za-z0-9_-]{0,64}\$[^\s\"'<>]{16,}",
    r"\{S?(?:SHA|MD5|SSHA|SHA256|SSHA256|SHA512|SSHA512|CRYPT)\}[A-Za-z0-9+/=$.]{16,}",
)
_SHAPE: Final = re.compile("|".join(f"(?:{shape})" for shape in _SHAPES), re.DOTALL)
# A token in parts; one in fewer parts is none, which is seen afterwards, so that no text is read twice.
_JWT: Final = re.compile(_START + r"eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){0,4}")
_JWT_DOTS: Final = 2

# Most texts are names, ids and dates. Plain search for these beginnings is many times quicker than the patterns.
_BEGINNINGS: Final = (
    "begin ", "ls0tls1crudjti", "putty", "otpauth", "enc:v", "akia", "asia", "abia", "acca", "aiza", "ghp_", "gho_",
    "ghu_", "ghs_", "ghr_", "github_pat", "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-",
    "glagent-", "glimt-", "sk-", "sk_", "rk_", "xox", "xapp-", "hooks.slack", "ya29.", "gocspx", "npm_", "pypi-",
    "sg.", "hf_", "hvs.", "hvb.", "hvr.", "_v1_", "shpat_", "shpca_", "shppa_", "shpss_", "whsec_", "age-secret",
    "gaaaaa", "tskey-", "gsk_", "r8_", "ntn_", "nfp_", "secret_", "xai-", "pplx-", "nvapi-", "xkeysib-", "lin_api",
    "lin_oauth", "figd_", "figo_", "figu_", "dapi", "3x", ":aa", "q~", "dckr_pat", "glsa_", "glc_", "sntry", "pscale_",
    "rubygems_", "sbp_", "nrak-", "pmak-", "dp.", "dt0c01.", "$", "pbkdf2", "scrypt", "{",
)  # fmt: skip
_SCHEMES: Final = ("bearer", "basic", "token", "negotiate", "ntlm", "apikey", "dpop")
_HEADERS: Final = ("authorization", "cookie", "x-api-key", "x-auth-token")
_USER_INFO: Final = re.compile(
    r"(?P<before>\b[A-Za-z][A-Za-z0-9+.-]{0,30}://)[^\s/?#\"'<>@]{0,256}:[^\s/?#\"'<>@]{0,256}(?=@)"
)
# A token in the place of the name, as some services take it: https://<token>@host.
_LONE_USER: Final = re.compile(r"(?P<before>\b[A-Za-z][A-Za-z0-9+.-]{0,30}://)(?P<value>[A-Za-z0-9_-]{20,256})(?=@)")
_PATH_TOKEN: Final = re.compile(
    r"(?P<before>://[^\s\"'<>?#:]{1,200}/(?:reset|reset-password|password-reset|invite|invitation|invitations|verify|"
    r"activate|activation|magic|magic-link|recover|recovery|confirm-email|one-time|token|tokens|s)/)"
    r"(?P<value>[A-Za-z0-9_~.-]{16,})",
    re.IGNORECASE,
)
_URL_QUERY: Final = re.compile(
    r"(?P<before>[?&#](?:code|sig|signature|key|ticket|sid|st|otp|auth|x-amz-signature|x-amz-credential|"
    r"x-goog-signature|password|pwd)=)(?P<value>[^\s&#\"'<>]+)",
    re.IGNORECASE,
)
_SCHEME: Final = re.compile(
    _START + r"(?P<before>(?:bearer|basic|token|negotiate|ntlm|apikey|dpop)\s{1,3})(?P<value>[A-Za-z0-9+/=._~-]{8,})",
    re.IGNORECASE,
)
_HEADER: Final = re.compile(
    r"(?P<before>(?<![\w-])(?:proxy-)?(?:authorization|set-cookie|cookie|x-api-key|x-auth-token)"
    r"\\?[\"']?\s{0,3}[:=]\s{0,3})(?P<value>(?:\\?[\"'])?[^\s\"'\\\r\n][^\"'\\\r\n]*)",
    re.IGNORECASE,
)


def redact_text(text: str) -> str:
    """Return `text` with everything that looks like a secret replaced by the placeholder."""
    if len(text) > _MAX_CHARS:
        return SECRET_PLACEHOLDER  # too long to look at is too long to show
    plain = undisguised(text)
    if plain != text:
        redacted = _redact(plain)
        if redacted != plain:
            return redacted
    return _redact(text)


def _redact(text: str) -> str:
    given, lowered = text, text.lower()
    if "eyj" in lowered:
        text = _JWT.sub(_hide_jwt, text)
    if _holds_any(lowered, _BEGINNINGS):
        text = _SHAPE.sub(_hide, text)
    if "://" in text:
        text = _PATH_TOKEN.sub(_hide_value, _USER_INFO.sub(_hide_value, text))
        text = _LONE_USER.sub(_hide_random, text)
    if _holds_any(lowered, _HEADERS):
        text = _HEADER.sub(_hide_header, text)
    if _holds_any(lowered, _SCHEMES):
        text = _SCHEME.sub(_hide_after_scheme, text)
    if "=" in text:
        text = _URL_QUERY.sub(_hide_value, text)
    text = hide_assigned(text, lowered if text == given else text.lower())
    return hide_said(text)


def _holds_any(lowered: str, beginnings: tuple[str, ...]) -> bool:
    for beginning in beginnings:  # noqa: SIM110 - a generator takes three times as long, for every text of a result
        if beginning in lowered:
            return True
    return False


def holds_secret(text: str) -> bool:
    """Whether something in `text` looks like a secret."""
    return redact_text(text) != text


def _hide(_found: re.Match[str]) -> str:
    return SECRET_PLACEHOLDER


def _hide_random(found: re.Match[str]) -> str:
    return f"{found['before']}{SECRET_PLACEHOLDER}" if looks_random(found["value"]) else found[0]


def _hide_jwt(found: re.Match[str]) -> str:
    return SECRET_PLACEHOLDER if found[0].count(".") >= _JWT_DOTS else found[0]


def _hide_value(found: re.Match[str]) -> str:
    return found["before"] + SECRET_PLACEHOLDER


def _hide_header(found: re.Match[str]) -> str:
    value = found["value"]
    opening = value[: len(value) - len(value.lstrip("\\\"'"))]
    return found["before"] + opening + SECRET_PLACEHOLDER


def _hide_after_scheme(found: re.Match[str]) -> str:
    """Hide what follows `Bearer` or `Basic`, unless it reads as a word: "basic information"."""
    value = found["value"]
    if looks_random(value) or _is_basic(value):
        return found["before"] + SECRET_PLACEHOLDER
    return found[0]


def _is_basic(value: str) -> bool:
    try:
        return b":" in base64.b64decode(value, validate=True)
    except (ValueError, binascii.Error):
        return False
