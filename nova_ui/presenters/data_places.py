"""Where the data of an assistant's chats may go, in words: each place, what is sent there, what never is."""

from collections.abc import Mapping, Sequence
from typing import Final

from nova_ui.domain.ai_profile import DeclaredMode
from nova_ui.domain.text import mark
from nova_ui.guardrails.limits import MAX_MODEL_CALLS, MAX_RESULT_CHARS, MAX_TURN_RESULT_CHARS
from nova_ui.i18n.translator import Translator
from nova_ui.llm.fallback import ModelPlace, widest
from nova_ui.llm.port import Mode

_SUMMARIES: Final[Mapping[Mode, str]] = {
    Mode.BUILT_IN: mark("What you write here stays on this server. No language model is asked."),
    Mode.LOCAL: mark("What you write here, and what Nova shows the model for it, goes to a model in your own network."),
    Mode.EXTERNAL: mark(
        "What you write here, and what Nova shows the model for it, leaves your network and goes to a provider outside."
        " What is done with it there is not in Nova's hands."
    ),
}
_MAY_LEAVE: Final = mark(
    "What you write here, and what Nova shows the model for it, goes to a model in your own network. If that does not"
    " answer, it leaves your network and goes to a provider outside. What is done with it there is not in Nova's hands."
)
SENT: Final = (
    mark("your message and the chat so far; of a long chat the newest part, and the chat says so"),
    mark("your name, user name, roles and language, and today's date"),
    mark("the assistant's instructions, and the names and descriptions of the tools that you have in it"),
    mark(
        "the results of the tools that it calls: names, rights, requests, log entries, as you may see them yourself; at"
        " most {each} characters each and {all} together for one message"
    ),
)
NEVER_SENT: Final = (
    mark("passwords, keys, tokens and other secrets, as far as Nova knows or recognises them: a placeholder is sent"),
    mark("what you may not see yourself, and other people's chats"),
    mark("what a confirmation card shows, and your session"),
)
KEPT: Final = (
    mark("Nova keeps the chat, and what the model saw, until you delete the chat. Only you can read it."),
    mark("Under each answer, “What the model saw” shows exactly what was sent for it."),
)


def summary_text(places: Sequence[ModelPlace], tr: Translator) -> str:
    """Return in one or two sentences where data goes."""
    furthest = widest(places)
    is_first = not places or places[0].mode is furthest
    return tr(_SUMMARIES[furthest] if is_first or furthest is not Mode.EXTERNAL else _MAY_LEAVE)


def judged_text(mode: Mode, by_address: Mode | None, declared: DeclaredMode | None, tr: Translator) -> str:
    """Return how far data goes, and whether its address or the administrators say so; both where they differ."""
    if mode is Mode.BUILT_IN:
        return tr("stays in this server")
    if declared == "external" and by_address is not Mode.EXTERNAL:
        return tr("leaves your network: its address is local, but administrators say that it passes data on")
    if declared == "local" and by_address is Mode.EXTERNAL:
        return tr("leaves your network by its address, though administrators say that it is local")
    if mode is Mode.EXTERNAL:
        return tr("leaves your network")
    return tr("stays in your network, by its address")


def sent_lines(tr: Translator) -> tuple[str, ...]:
    """Return what is sent with each of the requests for a message."""
    values = {"each": tr.number(MAX_RESULT_CHARS), "all": tr.number(MAX_TURN_RESULT_CHARS)}
    return tuple(tr(line, **values) if "{each}" in line else tr(line) for line in SENT)


def order_text(number: int, tr: Translator) -> str:
    """Return when a place is asked."""
    return tr("Asked first") if number == 0 else tr("Stands in if those before do not answer")


def requests_text(tr: Translator) -> str:
    """Return how often a model is asked."""
    return tr("For one message models are asked at most {count} times.", count=MAX_MODEL_CALLS)
