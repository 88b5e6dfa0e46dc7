"""Who stands in for a model that does not answer: the order on the screen, each change stored at once."""

from collections.abc import Mapping
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.actions import NovaCalls
from nova_ui.presenters.fields import rows_in, text_at
from nova_ui.presenters.model_choices import DEFAULT, model_choices
from nova_ui.reactive import Event

_ENDPOINT: Final = "PUT /administration/ai-configuration/fall-back"


class FallBackPresenter:
    """The order that holds for all; `problem` is why the last change was not stored."""

    def __init__(self, nova: NovaCalls) -> None:
        self._nova = nova
        self._configuration: JsonObject = {}
        self._etag: str | None = None
        self.problem: NovaProblem | None = None
        self.changed: Event[None] = Event()

    @property
    def names(self) -> tuple[str, ...]:
        """The models in the order in which they are asked."""
        found = self._configuration.get("fall_back")
        return tuple(str(one) for one in found) if isinstance(found, list) else ()

    @property
    def may_widen(self) -> bool:
        """Whether data may go further than to the assistant's own model."""
        return self._configuration.get("fall_back_may_widen") is True

    def show(self, configuration: JsonObject, etag: str | None) -> None:
        """Show what is stored."""
        self._configuration, self._etag, self.problem = configuration, etag, None
        self.changed.emit(None)

    def words(self, tr: Translator) -> Mapping[str, str]:
        """Return every model that there is by its name, in words."""
        choices = model_choices(self._configuration, None, tr)
        return {name: words for name, words in choices.items() if name != DEFAULT}

    def mode_of(self, name: str) -> str:
        """Return where data goes with this model; empty if its profile is gone."""
        key = name.partition("/")[0]
        found = (one for one in rows_in(self._configuration, "profiles") if text_at(one, "key") == key)
        return next((text_at(one, "mode") for one in found), "")

    async def move(self, name: str, by: int) -> int | None:
        """Move a model by so many places; return its new number, or None if that did not work."""
        order = [*self.names]
        place = order.index(name) + by if name in order else -1
        if not 0 <= place < len(order):
            return None
        order.remove(name)
        order.insert(place, name)
        return place + 1 if await self._store(order, may_widen=self.may_widen) else None

    async def add(self, name: str) -> None:
        """Let a model be asked as the last one; before the built-in model, behind which nobody is asked."""
        order = [one for one in self.names if one != name]
        is_before_last = bool(order) and self.mode_of(order[-1]) == "built_in"
        order.insert(len(order) - is_before_last, name)
        await self._store(order, may_widen=self.may_widen)

    async def remove(self, name: str) -> None:
        """Ask a model no more when another one fails."""
        await self._store([one for one in self.names if one != name], may_widen=self.may_widen)

    async def widen(self, *, may_widen: bool) -> None:
        """Let data go further than to the assistant's own model, or no longer."""
        if may_widen != self.may_widen:
            await self._store([*self.names], may_widen=may_widen)

    async def _store(self, order: list[str], *, may_widen: bool) -> bool:
        try:
            answer = await self._nova.call(
                _ENDPOINT, body={"fall_back": [*order], "may_widen": may_widen}, if_match=self._etag
            )
        except NovaProblem as problem:
            self.problem = problem
            self.changed.emit(None)
            return False
        self.show(answer.object, answer.etag)
        return True
