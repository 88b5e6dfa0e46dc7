"""What is sent where, for administrators: each assistant with the models that may get its data."""

from typing import Final

from nova_ui.domain.ai_profile import DeclaredMode
from nova_ui.domain.json_value import JsonObject
from nova_ui.i18n.translator import Translator
from nova_ui.llm.fallback import ModelPlace
from nova_ui.llm.port import Mode
from nova_ui.presenters.data_places import judged_text
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
            by_address=mode_at(place, "mode_by_address"),
            declared=declared_at(place),
        )
        for place in rows_in(user, "places")
    )


def mode_at(value: JsonObject, name: str) -> Mode | None:
    """Return a mode that may be absent."""
    found = text_at(value, name)
    return Mode(found) if found else None


def declared_at(value: JsonObject) -> DeclaredMode | None:
    """Return what administrators declared."""
    match text_at(value, "declared_mode"):
        case "local":
            return "local"
        case "external":
            return "external"
        case _:
            return None


def mode_sentence(profile: JsonObject, tr: Translator) -> str:
    """Return how far a profile's data goes, and how that is known."""
    mode, by_address = Mode(text_at(profile, "mode")), mode_at(profile, "mode_by_address")
    return judged_text(mode, by_address, declared_at(profile), tr)


def modes_in(users: tuple[JsonObject, ...]) -> dict[str, Mode]:
    """Return how far the data of each assistant may go, by the assistant's key."""
    return {text_at(one, "key"): Mode(text_at(one, "mode")) for one in users if text_at(one, "type") == "assistant"}


def name_in(user: JsonObject, tr: Translator) -> str:
    """Return the name in the person's language, else in any."""
    names = user.get("names")
    given = names if isinstance(names, dict) else {}
    return str(given.get(tr.language.value) or next(iter(given.values()), text_at(user, "key")))
