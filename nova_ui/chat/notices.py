"""What the server itself says in a turn: a code, and a plain sentence in the person's language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nova_ui.chat.budget_words import budget_text
from nova_ui.chat.translating import Translate
from nova_ui.domain.chat import Notice
from nova_ui.domain.text import mark
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.builtin.model import NAME as BUILT_IN_MODEL

LIMIT_MODEL_CALLS: Final = "limit_model_calls"
LIMIT_TOOL_RESULTS: Final = "limit_tool_results"
NO_ANSWER: Final = "no_answer"
SESSION_ENDED: Final = "session_ended"
ROLES_CHANGED: Final = "roles_changed"
MODEL_FAILED: Final = "model_failed"
ANSWER_CUT_OFF: Final = "answer_cut_off"
ANSWER_FILTERED: Final = "answer_filtered"
SERVER_STOPPED: Final = "server_stopped"
OUTCOME_UNKNOWN: Final = "outcome_unknown"
EARLIER_LEFT_OUT: Final = "earlier_left_out"
MODEL_FELL_BACK: Final = "model_fell_back"
BUDGET_USED_UP: Final = "budget_used_up"

_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        LIMIT_MODEL_CALLS: mark("The model was asked {limit} times, the most for one message. The answer ends here."),
        LIMIT_TOOL_RESULTS: mark("The tool results of this message are as long as allowed. No further tool runs."),
        NO_ANSWER: mark("The model gave no answer in words. What was done is shown above."),
        SESSION_ENDED: mark("You are no longer signed in, so the answer ends here. Nothing further was done."),
        ROLES_CHANGED: mark("Your permissions have changed, so the answer ends here. Nothing further was done."),
        "assistant_gone": mark("This assistant is no longer available to you, so the answer ends here."),
        "stopped": mark("Stopped. What was written stays; no further tool was started."),
        "shut_down": mark("The server was stopped, so the answer ends here. Nothing runs again by itself."),
        "turn_time": mark("The answer took too long and was ended."),
        "turn_text": mark("The answer became too long and was ended."),
        ANSWER_CUT_OFF: mark("The model's answer was cut off. Actions in it were not run."),
        ANSWER_FILTERED: mark(
            "A content filter of the model's provider withheld the answer, or part of it. Please ask in other words."
        ),
        SERVER_STOPPED: mark("The server was interrupted during this answer. Nothing runs again by itself."),
        EARLIER_LEFT_OUT: mark(
            "The chat is longer than the model can read: its earlier messages were left out ({count})."
        ),
        MODEL_FELL_BACK: mark("{before} could not answer ({reason}). {after} is asked instead."),
        OUTCOME_UNKNOWN: mark(
            "Whether the confirmed action was carried out is not known. It is not repeated; please look at the object."
        ),
    }
)

_FAILURES: Final[Mapping[str, str]] = MappingProxyType(
    {
        FailureKind.RATE_LIMIT.value: mark("The model is busy at the moment. Please try again later."),
        FailureKind.QUOTA.value: mark("The account with the model's provider is used up. An administrator can help."),
        FailureKind.CREDENTIALS.value: mark("The model's provider did not accept our key. An administrator can help."),
        FailureKind.NO_SUCH_MODEL.value: mark("The model that is set does not exist. An administrator can help."),
        FailureKind.TOO_LONG.value: mark("This chat is too long for the model. Please begin a new chat."),
        FailureKind.REJECTED.value: mark("The model's provider did not accept the request."),
        FailureKind.UNAVAILABLE.value: mark("The model is not available at the moment. Please try again later."),
        FailureKind.SERVER.value: mark("The model's provider reports an error of its own. Please try again later."),
        FailureKind.TIMEOUT.value: mark("The model did not answer in time. Please try again."),
        FailureKind.CONNECTION.value: mark("The model could not be reached. Please try again later."),
        FailureKind.PROXY.value: mark("The proxy on the way to the model refused. An administrator can help."),
        FailureKind.TLS.value: mark(
            "The connection to the model is not safe: its certificate is not trusted. An administrator can help."
        ),
        FailureKind.PROTOCOL.value: mark("The model answered in a form that can't be understood."),
        FailureKind.CUT_OFF.value: mark("The connection to the model broke off within the answer. Please ask again."),
        FailureKind.TOO_MUCH.value: mark("The model answered with more than is allowed. Please ask for less at once."),
    }
)


# Why another model was asked instead, in a few words.
_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        FailureKind.RATE_LIMIT.value: mark("too busy at the moment"),
        FailureKind.QUOTA.value: mark("the provider's account is used up"),
        FailureKind.CREDENTIALS.value: mark("the provider did not accept the key"),
        FailureKind.NO_SUCH_MODEL.value: mark("the provider does not know it"),
        FailureKind.UNAVAILABLE.value: mark("not available at the moment"),
        FailureKind.SERVER.value: mark("an error of the provider"),
        FailureKind.TIMEOUT.value: mark("no answer in time"),
        FailureKind.CONNECTION.value: mark("not reachable"),
        FailureKind.PROXY.value: mark("the proxy refused"),
        FailureKind.TLS.value: mark("its certificate is not trusted"),
        FailureKind.PROTOCOL.value: mark("an answer that can't be understood"),
    }
)
_ANY_REASON: Final = mark("a failure")


def _fell_back(notice: Notice, translate: Translate) -> str:
    reason = translate(_REASONS.get(str(notice.params.get("kind")), _ANY_REASON))
    names = {side: str(notice.params.get(side)) for side in ("before", "after")}
    shown = {side: translate(name) if name == BUILT_IN_MODEL else name for side, name in names.items()}
    return translate(_WORDS[MODEL_FELL_BACK], reason=reason, **shown)


def notice_text(notice: Notice, translate: Translate) -> str:
    """Return the sentence for `notice`; a code of a newer version reads as a general one."""
    if notice.code == MODEL_FAILED:
        return translate(_FAILURES.get(str(notice.params.get("kind")), ModelError.key))
    if notice.code == MODEL_FELL_BACK:
        return _fell_back(notice, translate)
    if notice.code == SESSION_ENDED and notice.params.get("reason") == ROLES_CHANGED:
        return translate(_WORDS[ROLES_CHANGED])
    if notice.code == BUDGET_USED_UP:
        return budget_text(notice.params, translate)
    return translate(_WORDS.get(notice.code, ModelError.key), **notice.params)
