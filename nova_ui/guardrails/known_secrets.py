"""Secrets that Nova keeps, known again wherever somebody copied them as plain words (rules D3 and D4, abuse case 46).

What is known are fingerprints, so a place is asked about and no secret is at hand. Asked about is every place that
begins and ends where a word or a sign does and is as long as some secret. Not known are other writings of a secret
(base64, hexadecimal, another case, wrapped lines) and a secret between letters or digits that are none of it.
"""

import dataclasses
import json
import re
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import Change, Consequence, Shown
from nova_ui.guardrails.secret_assignments import SECRET_PLACEHOLDER, looks_random

SHORTEST: Final = 8
_MAX_DEPTH: Final = 100
_BEGINNING_CHARS: Final = 3
_START: Final = re.compile(r"(?<![^\W_])(?=\S)|(?=[^\w\s]|_)")  # no letter or digit before it, or a sign itself


def is_worth_knowing(secret: str) -> bool:
    """Whether a stored secret can be told from words that anybody writes: else every "administrator" was hidden."""
    return looks_random(secret, shortest=SHORTEST)


def beginning_of(text: str) -> int:
    """Return sixteen bits over how a text begins, other ones in each process: nearly every place is told by them."""
    return hash(text[:_BEGINNING_CHARS]) & 0xFFFF


def lengths_by_beginning(secrets: Collection[str]) -> Mapping[int, frozenset[int]]:
    """Return how long the secrets are, by how they begin."""
    found: dict[int, set[int]] = {}
    for one in secrets:
        found.setdefault(beginning_of(one), set()).add(len(one))
    return {beginning: frozenset(lengths) for beginning, lengths in found.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSecrets:
    """What is known: `recognises` says whether a text is a secret; `lengths` how long they are, by their beginnings."""

    recognises: Callable[[str], bool]
    lengths: Mapping[int, frozenset[int]]


NOTHING_KNOWN: Final = KnownSecrets(recognises=lambda _: False, lengths={})
KnownSource = Callable[[], Awaitable[KnownSecrets]]


async def nothing_known() -> KnownSecrets:
    """Know nothing, where there are no secrets."""
    return NOTHING_KNOWN


def hide_known_in_text(text: str, known: KnownSecrets, depth: int = 0) -> str:
    """Return `text` with the placeholder for each known secret; `depth` counts what holds it, texts in texts too."""
    if not known.lengths or len(text) < SHORTEST:
        return text
    embedded = _parse_embedded(text)
    if embedded is not None:  # where signs are written otherwise than they are
        hidden = hide_known(embedded, known, depth + 1)
        if hidden != embedded:
            return json.dumps(hidden, ensure_ascii=False)
    spans = [*_places(text, known)]
    return _without(text, spans) if spans else text


def hide_known(value: JsonValue, known: KnownSecrets, depth: int = 0) -> JsonValue:
    """Return `value` with the placeholder for each known secret in it, at any depth, names of fields included."""
    if not known.lengths:
        return value
    if depth > _MAX_DEPTH:
        return SECRET_PLACEHOLDER  # too deep to look at is too deep to show
    if isinstance(value, dict):
        return {
            hide_known_in_text(name, known, depth): hide_known(item, known, depth + 1) for name, item in value.items()
        }
    if isinstance(value, list):
        return [hide_known(item, known, depth + 1) for item in value]
    return hide_known_in_text(value, known, depth) if isinstance(value, str) else value


def holds_known(value: JsonValue, known: KnownSecrets) -> bool:
    """Whether there is a known secret in `value`."""
    return bool(known.lengths) and hide_known(value, known) != value


def hide_known_in_object(value: JsonObject, known: KnownSecrets) -> JsonObject:
    """Return an object as `hide_known` does."""
    hidden = hide_known(value, known)
    return hidden if isinstance(hidden, dict) else {}


def hide_known_in_card(shown: Shown, known: KnownSecrets) -> Shown:
    """Return what a card shows without known secrets."""
    if not known.lengths:
        return shown
    state = shown.current_state
    return dataclasses.replace(
        shown,
        subject=hide_known_in_text(shown.subject, known),
        current_state=None if state is None else hide_known_in_object(state, known),
        changes=tuple(_change(one, known) for one in shown.changes),
        consequences=tuple(_consequence(one, known) for one in shown.consequences),
    )


def _change(change: Change, known: KnownSecrets) -> Change:
    before, after = hide_known(change.before, known), hide_known(change.after, known)
    return dataclasses.replace(change, before=before, after=after)


def _consequence(consequence: Consequence, known: KnownSecrets) -> Consequence:
    names = tuple(hide_known_in_text(name, known) for name in consequence.names)
    return dataclasses.replace(consequence, names=names)


def _places(text: str, known: KnownSecrets) -> Iterator[tuple[int, int]]:
    """Yield where known secrets stand."""
    for found in _START.finditer(text):
        start = found.start()
        for length in known.lengths.get(hash(text[start : start + _BEGINNING_CHARS]) & 0xFFFF, ()):
            end = start + length
            if _may_end(text, end) and known.recognises(text[start:end]):
                yield start, end


def _may_end(text: str, end: int) -> bool:
    """Whether a word or a sign ends at a place."""
    if end >= len(text):
        return end == len(text)
    return not (text[end].isalnum() and text[end - 1].isalnum())


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    """Replace the places, of which some lie within others."""
    parts, done = [], 0
    for start, end in sorted(spans):
        if start < done:
            done = max(done, end)  # what is hidden stays hidden to its end
            continue
        parts += [text[done:start], SECRET_PLACEHOLDER]
        done = end
    return "".join([*parts, text[done:]])


def _parse_embedded(text: str) -> JsonObject | list[JsonValue] | None:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict | list) else None
