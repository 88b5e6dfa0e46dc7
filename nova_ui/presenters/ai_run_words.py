"""Why a run of an AI routine assistant ended as it did, in plain sentences."""

from typing import Final

from nova_ui.chat.notices import notice_text
from nova_ui.domain.chat import Notice
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.fields import rows_in, text_at

_STOPPED: Final = mark("The server was stopped during this run. It is not begun again by itself.")
_OWN: Final = {
    "acts_as_inactive": mark("The identity whose rights this routine uses is not active, so nothing was done."),
    "session_ended": mark(
        "The identity whose rights this routine uses lost rights or its session meanwhile, so the run ended there."
    ),
    "assistant_gone": mark("The routine was disabled or changed meanwhile, so the run ended there."),
    "shut_down": _STOPPED,
    "server_stopped": _STOPPED,
    "internal": mark("Something went wrong on the server during this run. Its log tells more."),
    "no_answer": mark("The model gave no answer in words."),
    "limit_model_calls": mark("The model was asked as often as is allowed for one run, and had not finished."),
    "limit_tool_results": mark("The tool results of this run are as long as allowed. No further tool ran."),
    "turn_time": mark("The run took too long and was ended."),
    "turn_text": mark("The answer became too long and was ended."),
}


def reasons_of(run: JsonObject, tr: Translator) -> tuple[str, ...]:
    """Return what the server said in a run, in order."""
    return tuple(_sentence(one, tr) for one in rows_in(run, "notices"))


def _sentence(notice: JsonObject, tr: Translator) -> str:
    code, params = text_at(notice, "code"), notice.get("params")
    if code in _OWN:
        return tr(_OWN[code])
    return notice_text(Notice(code=code, params=params if isinstance(params, dict) else {}), tr)
