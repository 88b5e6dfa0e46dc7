"""Samples of `/administration`."""

import json
from collections.abc import Mapping
from typing import Final

from nova_ui.domain.ai_profile import ProviderKind
from nova_ui.nova.ai_profiles import CONFIGURATION_ID
from storage.chat.budget_tables import AiUsageRow
from storage.chat.tables import AssistantRow
from storage.encryption import Encryption
from storage.ids import new_id
from storage.nova.ai_tables import AiConfigurationRow, AiProfileRow, api_key_place, secret_place
from tests.api.site import NOW
from tests.contract.sample import Sample, Things

API_KEY: Final = "sk-on-the-stage-1234567890"
HEADER_VALUE: Final = "value-of-a-header-on-the-stage"
PROXY_PASSWORD: Final = "password-of-a-proxy-on-the-stage"
_PROFILE: Final = {"key": "{profile}"}
_SPARE: Final = {"key": "{spare}"}

SAMPLES: Final[Mapping[str, Sample]] = {
    "list_assistants": Sample(),
    "create_assistant": Sample(body={"key": "fresh", "names": {"en": "Fresh"}}),
    "get_assistant": Sample(path=_SPARE),
    "update_assistant": Sample(path=_SPARE, body={"position": 7}),
    "delete_assistant": Sample(path=_SPARE, impact={"action": "delete"}),
    "get_assistant_impact": Sample(path=_SPARE, query={"action": "delete"}),
    "forecast_assistant": Sample(path=_SPARE, query={"identity_id": "{sam}"}),
    "get_smallest_tool_list": Sample(path=_SPARE),
    "get_self_test": Sample(path=_SPARE),
    "start_self_test": Sample(path=_SPARE, body={"with_model": False}),
    "order_assistants": Sample(body={"keys": ["spare", "helpdesk", "admin"]}),
    "list_tools": Sample(),
    "get_ai_configuration": Sample(),
    "list_ai_places": Sample(),
    "update_ai_configuration": Sample(body={"default_profile": "{profile}"}),
    "order_ai_fall_back": Sample(body={"fall_back": ["{profile}", "built-in"]}),
    "create_ai_profile": Sample(
        body={"key": "fresh", "name": "Fresh", "base_url": "https://models.example/v1", "models": ["large"]}
    ),
    "get_ai_profile": Sample(path=_PROFILE),
    "update_ai_profile": Sample(path=_PROFILE, body={"name": "House model"}),
    "delete_ai_profile": Sample(
        path=_PROFILE,
        impact={"action": "delete"},
        follows={"ai_configuration": "its version tells every process that something has changed"},
    ),
    "get_ai_profile_impact": Sample(path=_PROFILE, query={"action": "delete"}),
    "get_ai_budget": Sample(),
    "update_ai_budget": Sample(
        body={
            "currency": "USD",
            "prices": [{"profile": "{profile}", "input": 2.5, "output": 10}],
            "limits": [
                {"holder": "each", "period": "month", "cost": 5},
                {"holder": "identity", "holder_id": "{sam}", "period": "month", "tokens": 1_000_000},
            ],
        }
    ),
    "get_ai_usage": Sample(),
    "test_ai_profile": Sample(path=_PROFILE, body={"model": "large"}),
}


def put(things: Things, encryption: Encryption) -> None:
    """Put two assistants, a provider profile that nothing answers, and a day of its use on the stage."""
    profile = AiProfileRow(
        id=new_id("aip"),
        key="house",
        name="House",
        kind=ProviderKind.OPENAI.value,
        base_url="http://127.0.0.1:9/v1",
        models=["large"],
        allow_private=True,
        created_at=NOW,
        updated_at=NOW,
    )
    profile.api_key, profile.api_key_set_at = encryption.seal(API_KEY, api_key_place(profile)), NOW
    profile.headers = encryption.seal(json.dumps({"x-team": HEADER_VALUE}), secret_place(profile, "headers"))
    profile.header_names = ["x-team"]
    profile.proxy_password = encryption.seal(PROXY_PASSWORD, secret_place(profile, "proxy_password"))
    things.secrets += [API_KEY, profile.api_key, HEADER_VALUE, profile.headers, PROXY_PASSWORD, profile.proxy_password]
    things.add("profile", profile)
    things.also([AiConfigurationRow(id=CONFIGURATION_ID, version=2, created_at=NOW, updated_at=NOW)])
    things.ids["profile"] = profile.key
    used = AiUsageRow(
        day=NOW.date().isoformat(),
        identity_id=things.ids["sam"],
        kind="chat",
        assistant_key="helpdesk",
        profile="house",
        model="large",
        messages=1,
        requests=2,
    )
    things.also([used])
    everyone = {"audience": "everyone", "tool_names": ["search_directory"]}
    things.add("helpdesk", _assistant("helpdesk", **everyone))
    things.add("spare", _assistant("spare"))


def _assistant(key: str, **fields: object) -> AssistantRow:
    values = {"key": key, "names": {"en": key}, "created_at": NOW, "updated_at": NOW, **fields}
    return AssistantRow.model_validate(values)
