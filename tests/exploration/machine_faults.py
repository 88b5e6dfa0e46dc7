"""Guardrail conditions, each taken away once: the state machine must notice every one."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final
from unittest.mock import patch

from nova_ui.domain.chat import Turn
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import CONFIRMATION_LIFETIME, Preview
from nova_ui.guardrails import limits
from nova_ui.guardrails.agreement import Reply
from nova_ui.guardrails.confirmation import check_confirmation, refuse_confirmation
from nova_ui.guardrails.refusal import Refusal

_NONE: Final = staticmethod(lambda *_, **__: None)
_LATER: Final = CONFIRMATION_LIFETIME + timedelta(milliseconds=1)


async def _no_close(*_: Any) -> bool:  # noqa: ANN401 - whatever it is asked with
    return False


async def _run_at_once(self: Any, wish: Any, _because: str | None = None) -> Any:  # noqa: ANN401 - private
    return await self._run(wish.tool, wish.call)


def _any_later_message(preview: Preview, turn: Turn) -> Refusal | None:
    return None if turn.number > preview.turn_number else refuse_confirmation("same_message")


async def _believed(self: Any, wish: Any) -> Any:  # noqa: ANN401 - private to the passage
    agreed = wish.situation.agreed or wish.situation.voided
    return await (self._show_first(wish) if agreed is None else self._execute(agreed, wish))


def _as_it_is(value: JsonValue, *_: object) -> JsonValue:
    return value


def _same_call(preview: Preview, _call: object, turn: Turn, now: datetime) -> Refusal | None:
    return check_confirmation(preview, preview.call, turn, now)


# What is replaced, by its dotted name, and by what.
FAULTS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "the list is not asked (B1)": {"nova_ui.guardrails.admission.check_released": _NONE},
        "the list is asked only when the message came (B7)": {
            "nova_ui.domain.assistant.ToolList.holds": lambda _self, _name: True,
        },
        "an assistant for administrators is there for all (B5)": {"nova_ui.chat.usable.exists_for": lambda *_: True},
        "inner tools are not asked for (B2)": {"nova_ui.guardrails.admission.check_indirect": _NONE},
        "roles are not asked for (A3)": {"nova_ui.guardrails.admission.check_roles": _NONE},
        "a destructive call runs at once (C2)": {"nova_ui.guardrails.passage.Passage._show_first": _run_at_once},
        "a message in between does not matter (C4)": {
            "nova_ui.guardrails.confirmation._check_message": _any_later_message,
            "storage.chat.previews.PreviewTable.close": _no_close,  # which makes the card void as well
        },
        "a card lasts a millisecond longer (C5)": {
            "nova_ui.domain.preview.CONFIRMATION_LIFETIME": _LATER,
            "storage.chat.previews.CONFIRMATION_LIFETIME": _LATER,
        },
        "what was cancelled can be pressed (C12)": {"storage.chat.previews.PreviewTable.close": _no_close},
        "the model is believed (C7)": {"nova_ui.guardrails.passage.Passage._claim": _believed},
        "any reply agrees (C7)": {"nova_ui.chat.confirm.classify_reply": lambda _: Reply.AGREES,
                                  "nova_ui.guardrails.confirmation.classify_reply": lambda _: Reply.AGREES},
        "other arguments are confirmed too (C6)": {
            "nova_ui.guardrails.passage.check_confirmation": _same_call,
            "nova_ui.guardrails.passage.still_holds": lambda *_: True,  # which would notice as well
        },
        "the reply to a button may change things (C8)": {"nova_ui.guardrails.admission.check_read_only": _NONE},
        "destructive actions are not counted (C9)": {
            "nova_ui.guardrails.limits.TurnLedger.check_destructive": _NONE,
        },
        "the object is not looked at again (C14)": {
            "nova_ui.guardrails.passage.still_holds": lambda *_: True,
            "nova_ui.nova_client.client.ToolNova.if_match": property(lambda _: None),  # which would notice as well
        },
        "words count where the button is demanded (C15)": {
            "nova_ui.domain.preview.Preview.takes_words": property(lambda _: True),
        },
        "no name has to be typed (C15)": {"nova_ui.guardrails.confirmation.same_name": lambda *_: True},
        "repeats are not counted (E3)": {"nova_ui.guardrails.limits.TurnLedger.check_same_call": _NONE},
        "a result may be any length (E4)": {"nova_ui.guardrails.limits.MAX_RESULT_CHARS": 40_000},
        "a turn's results may be any length (E5)": {"nova_ui.guardrails.limits.MAX_TURN_RESULT_CHARS": 600_000},
        "thirteen model calls (E1)": {"nova_ui.guardrails.limits.MAX_MODEL_CALLS": limits.MAX_MODEL_CALLS + 1},
        "the twelfth request is like the others (E1)": {
            "nova_ui.guardrails.limits.TurnLedger.is_last_model_call": property(lambda _: False),
        },
        "budgets are not kept (E6)": {"nova_ui.chat.metering.check_budget": _NONE},
        "secrets pass as arguments (D4)": {"nova_ui.guardrails.admission.check_arguments": _NONE},
        "results keep their secrets (D3)": {"nova_ui.guardrails.outcome.redact": _as_it_is},
        "typed secrets are kept (D4)": {"nova_ui.chat.message.mask_live_secrets": lambda text: text},
        "entries lack their mark (F1)": {"nova_ui.nova_client.origin.Origin.via": property(lambda _: None)},
    }
)  # fmt: skip


@contextmanager
def planted(name: str) -> Iterator[None]:
    """Take a condition away for as long as the block runs."""
    with ExitStack() as stack:
        for target, fake in FAULTS[name].items():
            stack.enter_context(patch(target, fake))
        yield
