"""Samples of `/administration`."""

from collections.abc import Mapping
from typing import Final

from storage.chat.tables import AssistantRow
from storage.encryption import Encryption
from tests.api.site import NOW
from tests.contract.sample import Sample, Things

_SPARE: Final = {"key": "{spare}"}

SAMPLES: Final[Mapping[str, Sample]] = {
    "list_assistants": Sample(),
    "create_assistant": Sample(body={"key": "fresh", "names": {"en": "Fresh"}}),
    "get_assistant": Sample(path=_SPARE),
    "update_assistant": Sample(path=_SPARE, body={"position": 7}),
    "delete_assistant": Sample(path=_SPARE, impact={"action": "delete"}),
    "get_assistant_impact": Sample(path=_SPARE, query={"action": "delete"}),
    "list_tools": Sample(),
}


def put(things: Things, _encryption: Encryption) -> None:
    """Put one assistant for everybody and one to spare on the stage."""
    everyone = {"audience": "everyone", "tool_names": ["search_directory"]}
    things.add("helpdesk", _assistant("helpdesk", **everyone))
    things.add("spare", _assistant("spare"))


def _assistant(key: str, **fields: object) -> AssistantRow:
    values = {"key": key, "names": {"en": key}, "created_at": NOW, "updated_at": NOW, **fields}
    return AssistantRow.model_validate(values)
