"""The AI configuration on the screen: profiles, the default, and what a test found out."""

from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.errors import NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.actions import Action, NovaCalls
from nova_ui.presenters.ai_profile_actions import PROFILE_ACTIONS
from nova_ui.presenters.fields import rows_in, text_at
from nova_ui.reactive import Event

_BASE: Final = "/administration/ai-configuration"
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


class AiConfigurationPresenter:
    """Loads the profiles and tries them; changes go through the dialogs of actions."""

    def __init__(self, nova: NovaCalls, person: Identity) -> None:
        self._nova = nova
        self._person = person
        self.profiles: tuple[JsonObject, ...] = ()
        self.trials: dict[str, JsonObject] = {}
        self.problems: dict[str, NovaProblem] = {}
        self.trying: set[str] = set()
        self.changed: Event[None] = Event()

    async def load(self) -> None:
        """Read the profiles anew."""
        self.profiles = rows_in((await self._nova.call(f"GET {_BASE}")).object, "profiles")
        self.changed.emit(None)

    def actions_for(self, profile: JsonObject) -> tuple[Action, ...]:
        """Return what can be done to a profile."""
        return tuple(one for one in PROFILE_ACTIONS if one.is_offered(self._person, profile))

    async def try_profile(self, key: str) -> None:
        """Ask the first model of a profile; what it can do is in `trials` then."""
        if key in self.trying:
            return
        self.trying.add(key)
        self.trials.pop(key, None)
        self.problems.pop(key, None)
        self.changed.emit(None)
        try:
            answer = await self._nova.call(f"POST {_BASE}/profiles/{{key}}/test", path={"key": key}, body={})
            self.trials[key] = answer.object
        except NovaProblem as problem:
            self.problems[key] = problem
        finally:
            self.trying.discard(key)
            self.changed.emit(None)


def trial_sentences(trial: JsonObject, tr: Translator) -> tuple[tuple[str, bool], ...]:
    """Return what a test found out as sentences, each with whether it is good."""
    failure = text_at(trial, "failure")
    found: list[tuple[str, bool]] = []
    if trial.get("answers") is True:
        streams = trial.get("streams") is True
        words = (
            tr("It answers, piece by piece.")
            if streams
            else tr("It answers, but only in one piece: people wait for the whole answer.")
        )
        found.append((words, streams))
    if trial.get("calls_tools") is False:
        words = tr("It ignored the tool that it was offered. Assistants can't read or change Nova with it.")
        found.append((words, False))
    elif trial.get("calls_tools") is True:
        uses = trial.get("uses_results") is True
        words = (
            tr("It calls tools and uses their results.")
            if uses
            else tr("It calls tools, but did not use what they returned.")
        )
        found.append((words, uses))
    if failure:
        found.append((tr(_FAILURES.get(failure, _FAILED)), False))
    return tuple(found)
