from collections.abc import Mapping

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import NovaAnswer
from nova_ui.errors import NovaForbidden, NovaUiError, NovaUnavailable
from nova_ui.presenters.object_search import Found, ObjectSearch, prefix_of

LEA: JsonObject = {"id": "idn_1", "display_name": "Lea Brandt", "title": "Head of Sales", "department": "Sales"}


class ListsOnly:
    """A Nova that answers with lists, or refuses."""

    def __init__(self, answers: Mapping[str, JsonObject | NovaUiError]) -> None:
        self.asked: list[tuple[str, Mapping[str, str | int | bool | None]]] = []
        self._answers = answers

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | int | bool | None] | None = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
    ) -> NovaAnswer:
        assert (path, body, if_match) == (None, None, None)
        self.asked.append((endpoint, query or {}))
        answer = self._answers[endpoint]
        if isinstance(answer, NovaUiError):
            raise answer
        return NovaAnswer(status=200, body=answer)


async def test_objects_are_found_by_name_and_their_names_are_kept() -> None:
    nova = ListsOnly({"GET /identities": {"items": [LEA]}})
    names: dict[str, str] = {}

    found = await ObjectSearch(nova, names).find("idn", " lea ")

    assert found == (Found(id="idn_1", name="Lea Brandt", note="Head of Sales · Sales"),)
    assert nova.asked == [("GET /identities", {"q": "lea", "limit": 20})]
    assert names == {"idn_1": "Lea Brandt"}


async def test_a_list_that_is_not_open_to_the_person_gives_way_to_one_that_is() -> None:
    nova = ListsOnly({"GET /identities": NovaForbidden(), "GET /directory": {"items": [LEA]}})
    search = ObjectSearch(nova, {})

    found = await search.find("idn", "lea")
    too_short = await search.find("idn", "l")

    assert [one.id for one in found] == ["idn_1"]
    assert too_short == ()
    assert [endpoint for endpoint, _query in nova.asked] == ["GET /identities", "GET /directory", "GET /identities"]


async def test_who_may_see_nothing_finds_nothing() -> None:
    nova = ListsOnly({"GET /groups": NovaForbidden(), "GET /roles": NovaUnavailable()})
    search = ObjectSearch(nova, {})

    assert await search.find("grp", "x") == ()
    assert await search.find("rol", "x") == ()
    assert await search.find("log", "x") == ()


async def test_an_assignment_is_named_by_who_holds_what() -> None:
    row: JsonObject = {
        "id": "asg_1",
        "identity": {"id": "idn_1", "display_name": "Lea Brandt"},
        "role": {"id": "rol_1", "display_name": "VPN Access"},
        "application": {"id": "app_1", "display_name": "Network"},
        "source": "direct",
    }
    nova = ListsOnly({"GET /assignments": {"items": [row, "no row", {"no": "id"}]}})

    found = await ObjectSearch(nova, {}).find("asg", "")

    assert found == (Found(id="asg_1", name="Lea Brandt – VPN Access", note="Network · direct"),)


async def test_an_id_that_is_pasted_stands_for_itself() -> None:
    nova = ListsOnly({})
    pasted = "grp_" + "0" * 20

    assert await ObjectSearch(nova, {}).find("grp", pasted) == (Found(id=pasted, name=pasted),)


def test_the_kind_of_id_is_read_from_the_schema() -> None:
    assert prefix_of(r"^idn_[0-9a-z]{20}$") == "idn"
    assert prefix_of(r"^log_[0-9a-z]{20}$") == ""  # nobody looks for an entry by its name
    assert prefix_of(r"^[a-z]{3}_[0-9a-z]{20}$") == ""
    assert prefix_of(None) == ""
