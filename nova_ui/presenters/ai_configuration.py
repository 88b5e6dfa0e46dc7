"""The AI configuration on the screen: profiles, the default, and what a test found out."""

from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaProblem
from nova_ui.presenters.actions import Action, NovaCalls
from nova_ui.presenters.ai_fall_back import FallBackPresenter
from nova_ui.presenters.ai_profile_actions import PROFILE_ACTIONS
from nova_ui.presenters.fields import rows_in
from nova_ui.reactive import Event

_BASE: Final = "/administration/ai-configuration"


class AiConfigurationPresenter:
    """Loads the profiles and tries them; changes go through the dialogs of actions."""

    def __init__(self, nova: NovaCalls, person: Identity) -> None:
        self._nova = nova
        self._person = person
        self.fall_back = FallBackPresenter(nova)
        self.profiles: tuple[JsonObject, ...] = ()
        self.trials: dict[str, JsonObject] = {}
        self.problems: dict[str, NovaProblem] = {}
        self.trying: set[str] = set()
        self.changed: Event[None] = Event()

    async def load(self) -> None:
        """Read the profiles anew."""
        found = await self._nova.call(f"GET {_BASE}")
        self.profiles = rows_in(found.object, "profiles")
        self.fall_back.show(found.object, found.etag)
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
