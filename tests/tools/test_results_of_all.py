"""What every list tool tells, by construction: counts first, ids beside names, readable moments, why nothing."""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.errors import NovaInvalid, NovaNotFound
from nova_ui.nova.sample_organisation import sample_id
from nova_ui.tools.registry import ALL_TOOLS
from nova_ui.tools.schema import schema_of
from tests.tools.conftest import Person

READING: Final = [tool for tool in ALL_TOOLS if tool.kind is ToolKind.READ]
LISTS: Final = [tool for tool in READING if "limit" in tool.arguments.model_fields]
NEEDED: Final[dict[str, dict[str, JsonValue]]] = {
    "search_directory": {"q": "Brandt"},
    "run_report": {"report": "inactive_identities"},
}
"""What a list can't be asked without."""
_STORED_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}")
_ID: Final = re.compile(r"\^([a-z]{3})_")
_NOT_FILTERS: Final = frozenset({"limit", "cursor", "group_by", "report", "whose"})


def _by_name(tool: AnyTool) -> str:
    return tool.name


def _objects(value: JsonValue) -> Iterator[JsonObject]:
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(item)


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(item)


def _fields(tool: AnyTool) -> dict[str, JsonObject]:
    properties = schema_of(tool)["properties"]
    assert isinstance(properties, dict)
    return {name: field for name, field in properties.items() if isinstance(field, dict)}


def _filters_that_find_nothing(tool: AnyTool) -> Iterator[tuple[str, JsonValue]]:
    """Yield values of each filter that may well find nothing; ids of one object are no filters."""
    for name, field in _fields(tool).items():
        if name in _NOT_FILTERS or "in full" in str(field["description"]):
            continue
        pattern = str(field.get("pattern", ""))
        if isinstance(choices := field.get("enum"), list):
            yield from ((name, choice) for choice in choices)
        elif found := _ID.match(pattern):
            yield name, f"{found[1]}_{'0' * 20}"
        elif "[0-9]{4}-" in pattern:
            yield from ((name, day) for day in ("1971-01-01", "2999-01-01"))
        elif field.get("type") == "boolean":
            yield from ((name, choice) for choice in (False, True))
        elif field.get("type") == "string" and not pattern:
            yield name, "nothing is called so"


@pytest.mark.parametrize("tool", READING, ids=_by_name)
def test_each_choice_of_a_reading_tool_is_explained_in_its_description(tool: AnyTool) -> None:
    for name, field in _fields(tool).items():
        choices = field.get("enum")
        for choice in choices if isinstance(choices, list) else ():
            assert re.search(rf"\b{choice}\b", str(field["description"])), (name, choice)


async def test_each_list_begins_with_its_counts_names_with_ids_and_tells_moments_with_weekdays(mara: Person) -> None:
    for tool in LISTS:
        result = await mara.run(tool.name, **NEEDED.get(tool.name, {}))

        assert list(result)[:2] == ["total", "shown"], tool.name
        assert not [text for text in _texts(result) if _STORED_MOMENT.match(text)], tool.name
        for one in _objects(result["items"]):
            if "display_name" in one:
                assert any(name == "id" or name.endswith("_id") for name in one), (tool.name, one)


async def test_each_filter_that_empties_a_list_is_told_to_do_so(mara: Person) -> None:
    emptied: dict[str, set[str]] = {}
    for tool in LISTS:
        for name, value in _filters_that_find_nothing(tool):
            given = {**NEEDED.get(tool.name, {}), name: value}
            try:
                result = await mara.run(tool.name, **given)
            except (NovaInvalid, NovaNotFound):
                continue  # the refusal says what is wrong
            if result["total"] == 0:
                emptied.setdefault(tool.name, set()).add(name)
                told = {str(one["filter"]) for one in _objects(result.get("nothing_matches")) if "filter" in one}
                may_stay = set(NEEDED.get(tool.name, {})) | {name}
                assert name in told or name in NEEDED.get(tool.name, {}), (tool.name, name, result)
                assert told <= may_stay, (tool.name, told)

    assert set(emptied) >= {tool.name for tool in LISTS}, "each list can be emptied"


async def test_counts_of_the_audit_log_that_find_nothing_say_why(mara: Person) -> None:
    result = await mara.run("search_audit_log", group_by="day", actor_id=sample_id("idn", "nobody"))

    assert result["total"] == 0
    assert [one["filter"] for one in _objects(result["nothing_matches"])] == ["actor_id"]
