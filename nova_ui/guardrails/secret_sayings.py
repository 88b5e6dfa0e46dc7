"""Where people say a secret without a sign before it: "my password is x", `--password x`, `<password>x</password>`."""

import re
from typing import Final

from nova_ui.guardrails.secret_assignments import SECRET_PLACEHOLDER, looks_random

_NAME: Final = (
    r"(?:pass(?:word|wort|wd|code|phrase)|kennwort|pwd|pw|secret|geheimnis|token|pin|"
    r"(?:api|access|private|secret)[ _-]?key|api[ _-]?schlüssel)"
)
_ROOTS: Final = ("pass", "kennwort", "pwd", "pw", "secret", "geheimnis", "token", "pin", "key", "schlüssel")
_SHORTEST: Final = 6
_SAID: Final = re.compile(
    rf"(?P<before>{_NAME}[\"'`*]{{0,3}}\s{{1,3}}(?:is|ist|lautet|was|war|->|=>|→|⇒)\s{{1,3}}[\"'`*]{{0,3}})"
    r"(?P<value>[^\s\"'`*<>,;()]{1,256})",
    re.IGNORECASE,
)
_OPTION: Final = re.compile(
    rf"(?P<before>(?<!\S)--(?:[a-z]{{1,20}}-){{0,3}}{_NAME}\s{{1,3}}[\"']?)(?P<value>[^\s\"'-][^\s\"']{{0,256}})",
    re.IGNORECASE,
)
_ELEMENT: Final = re.compile(
    rf"(?P<before><(?:\w{{1,20}}:)?(?:[a-z]{{1,20}}[_-]?){{0,2}}{_NAME}>\s{{0,9}})(?P<value>[^<\s][^<]{{0,999}})(?=</)",
    re.IGNORECASE,
)


def hide_said(text: str) -> str:
    """Return `text` with the placeholder for each value that is said to be a secret.

    In prose only what is no plain word: "the password is expired" stays.
    """
    lowered = text.lower()
    if not any(root in lowered for root in _ROOTS):
        return text
    text = _SAID.sub(_hide_random, text)
    if "--" in text:
        text = _OPTION.sub(_hide, text)
    return _ELEMENT.sub(_hide, text) if "</" in text else text


def _hide(found: re.Match[str]) -> str:
    return f"{found['before']}{SECRET_PLACEHOLDER}"


def _hide_random(found: re.Match[str]) -> str:
    return _hide(found) if looks_random(found["value"], shortest=_SHORTEST) else found[0]
