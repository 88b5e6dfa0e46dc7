"""What a confirmation card says: the action, all arguments in full, what is, what will be, and whether it counts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import SUBJECT, CloseReason
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.argument_words import ArgumentLine, argument_lines
from nova_ui.presenters.field_words import (
    STATE_FIELDS,
    STATE_TONES,
    effect_text,
    field_label,
    field_value,
    result_word,
)
from nova_ui.presenters.turn_parts import Card
from nova_ui.presenters.visible import show_invisible, show_name

MAX_NAMES: Final = 5
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
SECRET: Final = "[secret]"  # noqa: S105 - what stands where a secret was

VOID_WORDS: Final = {
    CloseReason.EXECUTED: mark("Executed."),
    CloseReason.SUPERSEDED: mark("Void: a newer preview has taken its place. Nothing was executed from this card."),
    CloseReason.EXPIRED: mark("Void: the ten minutes are over. Nothing was executed. Ask for the action again."),
    CloseReason.CANCELLED: mark("Cancelled. Nothing was executed."),
    CloseReason.MESSAGE_BETWEEN: mark(
        "Void: another message came first. Nothing was executed. Ask for the action again."
    ),
    CloseReason.BUTTON_NEEDED: mark(
        "Void: this action is confirmed with the button only. Nothing was executed. Ask for the action again."
    ),
}
VOID_WORDS_ELSEWHERE: Final = {
    CloseReason.EXECUTED: mark("Executed in another tab."),
    CloseReason.CANCELLED: mark("Cancelled in another tab. Nothing was executed from this card."),
    CloseReason.MESSAGE_BETWEEN: mark(
        "Void: answered otherwise in another tab. Nothing was executed from this card. Ask for the action again."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StateLine:
    """One field of the current state; `tone` colours a status as a badge."""

    label: str
    value: str
    tone: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """One field that changes."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectLine:
    """What goes with the action: how many of what, what becomes of them, and some of their names."""

    text: str
    result: str = ""
    names: str = ""


class ConfirmationWords:
    """All texts of one card in one language; `known` are names by ids, as far as Nova has told them."""

    def __init__(self, card: Card, tr: Translator, known: Mapping[str, str] | None = None) -> None:
        self._card = card
        self._tr = tr
        self._known = known or {}

    @property
    def action(self) -> str:
        """The action as a sentence; the name in it stands apart, can't go on with the sentence and hides nothing."""
        before, place, after = self._card.sentence.partition(SUBJECT)
        if not place:
            return show_invisible(self._card.action)
        return f"{before}{self._tr('“{name}”', name=show_name(self._card.subject))}{after}"

    @property
    def arguments(self) -> Sequence[ArgumentLine]:
        """Every argument in full, exactly as the endpoint will get it (rule C6), with the names of the ids in it."""
        return argument_lines(self._card.arguments, self._known, self._tr)

    @property
    def state(self) -> Sequence[StateLine] | None:
        """The affected object as it is now, or None where there is none to read (rule C2)."""
        if self._card.current_state is None:
            return None
        return tuple(self._state_line(name, value) for name, value in self._card.current_state.items())

    @property
    def changes(self) -> Sequence[ChangeLine]:
        """The fields before and after (rule C13)."""
        return tuple(
            ChangeLine(
                label=field_label(one.field, self._tr),
                before=self._value(one.field, one.before),
                after=self._value(one.field, one.after),
            )
            for one in self._card.changes
        )

    @property
    def effects(self) -> Sequence[EffectLine]:
        """What goes with it (rule C13)."""
        return tuple(
            EffectLine(
                text=effect_text(one.type, one.count, self._tr),
                result=result_word(one.result, self._tr),
                names=self._names(one.names, one.count),
            )
            for one in self._card.consequences
            if one.count
        )

    @property
    def void(self) -> str:
        """Why it can no longer be confirmed, or an empty text."""
        closed = self._card.closed
        if closed is None:
            return ""
        if self._card.was_closed_elsewhere and closed in VOID_WORDS_ELSEWHERE:
            return self._tr(VOID_WORDS_ELSEWHERE[closed])
        return self._tr(VOID_WORDS[closed])

    @property
    def name_to_type(self) -> str | None:
        """The name that must be typed beside the button, or None (rule C15)."""
        name = self._card.name_to_type
        return None if name is None else show_invisible(name)

    @property
    def other_way(self) -> str:
        """What can be done instead of pressing the button."""
        return "" if self._card.button_only else self._tr("or reply in words")

    def seconds_left(self, now: datetime) -> int:
        """Return how long it can still be confirmed, by the server's clock; never below 0."""
        return max(0, int((self._card.expires_at - now).total_seconds()))

    def _state_line(self, name: str, value: JsonValue) -> StateLine:
        tone = STATE_TONES.get(value, "plain") if name in STATE_FIELDS and isinstance(value, str) else None
        return StateLine(label=field_label(name, self._tr), value=self._value(name, value), tone=tone)

    def _value(self, name: str, value: JsonValue) -> str:
        if value == SECRET:
            return self._tr("•••••• (secret)")
        if isinstance(value, str) and _DAY.fullmatch(value):
            return self._day(value)
        return field_value(name, value, self._tr)

    def _day(self, text: str) -> str:
        try:
            return self._tr.day(date.fromisoformat(text))
        except ValueError:
            return text  # digits that are no day

    def _names(self, names: Sequence[str], count: int) -> str:
        shown = ", ".join(show_invisible(name) for name in names[:MAX_NAMES])
        return f"{shown}, …" if shown and count > min(len(names), MAX_NAMES) else shown
