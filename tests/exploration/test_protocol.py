"""The confirmation protocol in every order, and the faults that such an exploration must find (rules C3 to C10).

It prints the figures; `python -m tests.exploration.protocol` does the same, and goes further where asked to.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from sqlalchemy import update
from sqlmodel import col

from nova_ui.chat import confirm
from nova_ui.domain.chat import Turn, TurnId
from nova_ui.domain.preview import CloseReason, Preview, PreviewOutcome
from nova_ui.domain.tool import ToolCall
from nova_ui.guardrails import confirmation, passage
from nova_ui.guardrails.agreement import Reply, classify_reply
from nova_ui.guardrails.passage import Passage
from nova_ui.guardrails.refusal import Refusal
from storage.chat import previews
from storage.chat.previews import PreviewTable
from storage.chat.tables import PreviewRow
from tests.exploration.protocol import explore_all

Plant = Callable[[pytest.MonkeyPatch], None]
MILLISECOND: Final = timedelta(milliseconds=1)


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)  # thousands of turns are recovered


def test_c3_c4_c5_c7_c9_and_c10_hold_whatever_happens_in_between(capsys: pytest.CaptureFixture[str]) -> None:
    """Abuse cases 17, 18, 19, 20, 23, 24, 25, 30, 31 and 55: every order of two things done at once, with crashes."""
    seen = explore_all()

    with capsys.disabled():
        print(  # noqa: T201 - the number of states is part of what this shows
            f"\nconfirmation protocol: {seen.scenarios} starts, {seen.states} states, {seen.steps} steps, "
            f"{seen.runs} ends with an execution"
        )
    assert seen.broken is None, seen.broken
    assert seen.states > 100_000
    assert seen.runs > 1_000


def _consume_whatever_stands(planting: pytest.MonkeyPatch) -> None:
    async def consume(self: PreviewTable, preview: Preview, consumed_by: TurnId, now: datetime) -> bool:
        values = {"closed": "executed", "consumed_at": now, "consumed_by": consumed_by, "outcome": "unknown"}
        statement = update(PreviewRow).where(col(PreviewRow.id) == preview.id).values(**values)
        await self._session.exec(statement)
        return True

    planting.setattr(PreviewTable, "consume", consume)


def _consume_for_a_turn_that_is_stopped(planting: pytest.MonkeyPatch) -> None:
    planting.setattr(previews, "exists", _Always)


class _Always:
    def where(self, *_: object) -> Any:  # noqa: ANN401 - part of a statement
        return col(PreviewRow.id).is_not(None)


def _expire_a_millisecond_late(planting: pytest.MonkeyPatch) -> None:
    late = property(lambda self: self.shown_at + timedelta(minutes=10) + MILLISECOND)
    planting.setattr(Preview, "expires_at", late)
    planting.setattr(previews, "CONFIRMATION_LIFETIME", timedelta(minutes=10) + MILLISECOND)


def _expire_at_ten_minutes_sharp(planting: pytest.MonkeyPatch) -> None:
    planting.setattr(Preview, "expires_at", property(lambda self: self.shown_at + timedelta(minutes=10) - MILLISECOND))


def _drop_the_number_from_a_press(planting: pytest.MonkeyPatch) -> None:
    def check(preview: Preview, call: ToolCall, turn: Turn, now: datetime) -> Refusal | None:
        following = replace(turn, number=preview.turn_number + 1)
        return real(preview, call, following, now)

    real = confirmation.check_confirmation
    for module in (confirm, passage):
        planting.setattr(module, "check_confirmation", check)
    # Recovery closes what a message has passed, so the number is the second thing to hold this. Both are taken, and
    # ends are not looked at, where the open card alone would be seen.
    _leave_open_what_a_message_passed(planting)
    planting.setattr("tests.exploration.protocol.find_broken_end", lambda _: None)


def _drop_the_number_from_a_message(planting: pytest.MonkeyPatch) -> None:
    def why(preview: Preview, turn: Turn, now: datetime) -> CloseReason | None:
        return real(preview, replace(turn, number=preview.turn_number + 1), now)

    real = confirm.why_closed
    planting.setattr("nova_ui.chat.accept.why_closed", why)
    _drop_the_number_from_a_press(planting)


def _take_whatever_follows_a_yes(planting: pytest.MonkeyPatch) -> None:
    real = classify_reply

    def classify(text: str) -> Reply:
        return Reply.AGREES if text.startswith("yes") else real(text)

    for module in (confirm, confirmation):
        planting.setattr(module, "classify_reply", classify)


def _believe_the_model(planting: pytest.MonkeyPatch) -> None:
    async def claim(self: Passage, wish: Any) -> Any:  # noqa: ANN401 - private to the passage
        return await self._execute(wish.situation.agreed or wish.situation.voided, wish)

    planting.setattr(Passage, "_claim", claim)


def _run_before_it_is_consumed(planting: pytest.MonkeyPatch) -> None:
    async def confirmed(self: Passage, preview: Preview, wish: Any) -> Any:  # noqa: ANN401 - private to the passage
        answer = await self._execute(preview, wish)
        await self.previews.consume(preview, wish.situation.now)
        await self.previews.record_outcome(preview, PreviewOutcome.DONE)
        return answer

    planting.setattr(Passage, "_confirmed", confirmed)


def _forget_the_button(planting: pytest.MonkeyPatch) -> None:
    planting.setattr(Preview, "takes_words", True)


def _close_what_is_closed(planting: pytest.MonkeyPatch) -> None:
    async def close(self: PreviewTable, _owner: object, preview_id: str, reason: CloseReason) -> bool:
        await self._session.exec(update(PreviewRow).where(col(PreviewRow.id) == preview_id).values(closed=reason.value))
        return True

    planting.setattr(PreviewTable, "close", close)


def _say_nothing_of_what_is_unknown(planting: pytest.MonkeyPatch) -> None:
    planting.setattr("nova_ui.chat.recovery.OUTCOME_UNKNOWN", "something_else")


def _leave_open_what_a_message_passed(planting: pytest.MonkeyPatch) -> None:
    async def close_before(*_: object) -> tuple[()]:
        return ()

    planting.setattr(PreviewTable, "close_before", close_before)


def _leave_open_what_nobody_was_shown(planting: pytest.MonkeyPatch) -> None:
    async def close_unshown(*_: object) -> None: ...

    planting.setattr(PreviewTable, "close_unshown", close_unshown)


FAULTS: Final = (
    _consume_whatever_stands,
    _consume_for_a_turn_that_is_stopped,
    _expire_a_millisecond_late,
    _expire_at_ten_minutes_sharp,
    _drop_the_number_from_a_press,
    _drop_the_number_from_a_message,
    _take_whatever_follows_a_yes,
    _believe_the_model,
    _run_before_it_is_consumed,
    _forget_the_button,
    _close_what_is_closed,
    _say_nothing_of_what_is_unknown,
    _leave_open_what_a_message_passed,
    _leave_open_what_nobody_was_shown,
)


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__.strip("_"))
def test_a_planted_fault_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)

    seen = explore_all()

    assert seen.broken is not None
    print(seen.broken)  # noqa: T201 - the way to it, for whoever looks with -s
