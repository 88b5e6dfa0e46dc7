"""What is sent where, for administrators: each assistant with the models that may get its data."""

from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.i18n.translator import Translator
from nova_ui.llm.fallback import ModelPlace
from nova_ui.llm.port import Mode
from nova_ui.presenters.fields import rows_in, text_at
from nova_ui.presenters.nova_calls import NovaCalls
from nova_ui.reactive import Event

PLACES: Final = "GET /administration/ai-configuration/places"


class AiPlacesPresenter:
    """Loads them anew whenever the configuration has changed."""

    def __init__(self, nova: NovaCalls) -> None:
        self._nova = nova
        self.users: tuple[JsonObject, ...] = ()
        self.changed: Event[None] = Event()

    async def load(self) -> None:
        """Read where data may go now."""
        self.users = rows_in((await self._nova.call(PLACES)).object, "items")
        self.changed.emit(None)


def places_in(user: JsonObject) -> tuple[ModelPlace, ...]:
    """Return the places of one assistant."""
    return tuple(
        ModelPlace(
            name=text_at(place, "name"),
            model=text_at(place, "model"),
            mode=Mode(text_at(place, "mode")),
            host=text_at(place, "host"),
        )
        for place in rows_in(user, "places")
    )


def modes_in(users: tuple[JsonObject, ...]) -> dict[str, Mode]:
    """Return how far the data of each assistant may go, by the assistant's key."""
    return {text_at(one, "key"): Mode(text_at(one, "mode")) for one in users if text_at(one, "type") == "assistant"}


def name_in(user: JsonObject, tr: Translator) -> str:
    """Return the name in the person's language, else in any."""
    names = user.get("names")
    given = names if isinstance(names, dict) else {}
    return str(given.get(tr.language.value) or next(iter(given.values()), text_at(user, "key")))
