"""What a test of a model found out, in sentences: what it can do, and what to do where it can't."""

from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.fields import text_at

_FAILURES: Final = {
    "credentials": mark("The provider did not accept the key. Enter the key again."),
    "no_such_model": mark("The provider knows no model of this name. Check the name, and on Azure the deployment."),
    "quota": mark("The account with the provider is used up. Top it up, or choose another profile."),
    "too_long": mark("Even the short test is too long for this model. Choose one with a larger window."),
    "cut_off": mark("The connection broke off in the middle of the answer. Test again; a proxy may cut it."),
    "too_much": mark("The answer was larger than Nova takes. Check that the address is that of a model."),
    "rate_limit": mark("The provider is busy. Try again later."),
    "unavailable": mark("The provider is not available at the moment. Try again later."),
    "server": mark("The provider reports an error of its own. Try again later, or look at its status page."),
    "timeout": mark("No answer came in time. A large local model may need longer limits in this profile."),
    "connection": mark("The address could not be reached, or Nova may not call it. Does it lie in the own network?"),
    "proxy": mark("The proxy did not let the call through. Check its address, user name and password."),
    "tls": mark(
        "The address shows a certificate that this profile does not trust, or one for another name. "
        "Enter the certificate of your authority, or check the address."
    ),
    "protocol": mark("What answers there does not speak as this kind of provider does. Check kind and address."),
    "rejected": mark("The provider did not accept the request. Check the kind, and what it calls the longest answer."),
}
_FAILED: Final = mark("The test broke off.")

# What was found out, by the field of the trial: what is said if it is so, and what if it is not.
_FOUND: Final = {
    "streams": (
        mark("It answers, piece by piece."),
        mark("It answers, but only in one piece: people wait for the whole answer."),
    ),
    "calls_tools": (
        mark("It calls the tools that it is offered."),
        mark("It ignored the tool that it was offered. Assistants can't read or change Nova with it."),
    ),
    "uses_results": (
        mark("It uses what tools return."),
        mark("It did not use what the tool returned. Its answers may be made up: choose another model."),
    ),
    "calls_in_parallel": (
        mark("It makes several calls at once."),
        mark("It makes one call after the other. That works, and takes more requests."),
    ),
    "keeps_to_words": (
        mark("It keeps to words where no call is wanted."),
        mark("It calls tools where only words are wanted. Nova refuses them; long tasks may end without a summary."),
    ),
    "reports_usage": (
        mark("It counts the tokens that it uses."),
        mark("It does not count tokens. Usage and budgets can't be shown for it."),
    ),
}


def trial_sentences(trial: JsonObject, profile: JsonObject, tr: Translator) -> tuple[tuple[str, bool], ...]:
    """Return what a test found out as sentences, each with whether it is good."""
    said: list[tuple[str, bool]] = []
    for name, (yes, no) in _FOUND.items():
        found = trial.get(name)
        if isinstance(found, bool):
            said.append((tr(yes if found else no), found))
    said += _window(trial, profile, tr)
    failure = text_at(trial, "failure")
    if failure:
        said.append((tr(_FAILURES.get(failure, _FAILED)), False))
    return tuple(said)


def _window(trial: JsonObject, profile: JsonObject, tr: Translator) -> list[tuple[str, bool]]:
    told, limits = trial.get("context_tokens"), profile.get("limits")
    entered = limits.get("context_tokens") if isinstance(limits, dict) else None
    if not isinstance(told, int):
        return []
    if isinstance(entered, int) and entered > told:
        words = tr(
            "It reads {told} tokens at once, the provider says; the profile says {entered}. Enter the smaller number.",
            told=told,
            entered=entered,
        )
        return [(words, False)]
    return [(tr("It reads {told} tokens at once, the provider says.", told=told), True)]
