"""What stops the start: for each check a definition that it stops."""

from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from nova_ui.domain.identity import Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, ToolArguments, ToolKind
from nova_ui.errors import ConfigurationError
from nova_ui.guardrails.marks import read_marks
from nova_ui.guardrails.start_up import check_start_up
from tests.builders import a_reading_tool, a_tool, a_writing_tool

ADMINISTRATORS = frozenset({Role.ADMINISTRATOR})


def an_operation(kind: str = "read", **more: JsonValue) -> JsonObject:
    marks: JsonObject = {"x-nova-kind": kind, "x-nova-who": "A U", "responses": {}}
    return {**marks, **more}


def an_openapi() -> JsonObject:
    """Nova's document as far as these tools call it."""
    secret: JsonObject = {"type": "string", "x-nova-secret": True}
    application: JsonObject = {"type": "object", "properties": {"shade": secret, "id": {"type": "string"}}}
    body: JsonObject = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Application"}}}}
    return {
        "paths": {
            "/groups": {"get": an_operation(), "post": an_operation("write")},
            "/groups/{group_id}": {
                "parameters": [],
                "get": an_operation(),
                "patch": an_operation("write"),
                "delete": an_operation("destructive"),
            },
            "/groups/{group_id}/members": {"put": an_operation("destructive")},
            "/me": {"patch": an_operation("write", **{"x-nova-self-service": True})},
            "/me/photo": {"post": an_operation("write", **{"x-nova-self-service": True})},
            "/applications": {"post": an_operation("write", requestBody=body)},
            "/administration/assistants": {"post": an_operation("write", **{"x-nova-interface-only": True})},
            "/unmarked": {"post": {"responses": {}}},
        },
        "components": {"schemas": {"Application": application}},
    }


def start(*tools: AnyTool) -> None:
    check_start_up({tool.name: tool for tool in tools}, an_openapi())


def reason_of(*tools: AnyTool) -> str:
    with pytest.raises(ConfigurationError) as stopped:
        start(*tools)
    return stopped.value.reason


def with_arguments(arguments: type[ToolArguments]) -> AnyTool:
    return a_tool("update_group", ToolKind.WRITE, endpoints=("PATCH /groups/{group_id}",), arguments=arguments)


def test_sound_tools_start() -> None:
    start(a_tool(), a_reading_tool(), a_writing_tool())


def test_a4_a_writing_flow_open_to_others_stops_the_start() -> None:
    flow = a_tool("do_much", ToolKind.WRITE, endpoints=("POST /groups",), is_flow=True)

    assert "do_much is a flow that writes" in reason_of(flow)
    start(a_tool("do_much", ToolKind.WRITE, endpoints=("POST /groups",), is_flow=True, roles=ADMINISTRATORS))
    start(a_tool("do_much", ToolKind.WRITE, endpoints=("POST /groups",), is_flow=True, self_service=True))


def test_a4_a_flow_that_is_not_declared_as_one_stops_the_start() -> None:
    tool = a_tool("do_much", ToolKind.WRITE, endpoints=("POST /groups", "PATCH /groups/{group_id}"))

    assert "do_much is a flow that writes" in reason_of(tool)


class ForOthers(ToolArguments):
    beneficiary_id: str = ""


class ForOthersByPattern(ToolArguments):
    whom: Annotated[str, Field(pattern="^idn_[a-z]+$")] = "idn_a"


class ForOthersPerhaps(ToolArguments):
    whom: Annotated[str, Field(pattern="^idn_[a-z]+$")] | None = None


@pytest.mark.parametrize("arguments", [ForOthers, ForOthersByPattern, ForOthersPerhaps])
def test_a4_a_self_service_flow_that_can_name_others_stops_the_start(arguments: type[ToolArguments]) -> None:
    def flow(*endpoints: str) -> AnyTool:
        return a_tool(
            "serve_oneself", ToolKind.WRITE, arguments=arguments, endpoints=endpoints, is_flow=True, self_service=True
        )

    assert "serve_oneself is self-service but its arguments name others" in reason_of(flow("POST /groups"))
    start(flow("PATCH /me", "POST /me/photo"))


def test_a4_flows_that_only_read_and_those_of_administrators_may_name_anybody() -> None:
    start(a_tool("look_around", ToolKind.READ, arguments=ForOthers, endpoints=("GET /groups",), is_flow=True))
    start(
        a_tool(
            "do_much", ToolKind.WRITE, arguments=ForOthers, endpoints=("POST /groups",), is_flow=True,
            roles=ADMINISTRATORS,
        )
    )  # fmt: skip


def test_b6_a_tool_that_points_at_the_interface_stops_the_start() -> None:
    tool = a_tool("create_assistant", ToolKind.WRITE, endpoints=("POST /administration/assistants",))

    assert "create_assistant calls POST /administration/assistants" in reason_of(tool)


@pytest.mark.parametrize("endpoint", ["GET /nothing", "PUT /groups", "POST /unmarked", "get /groups"])
def test_b6_c1_an_endpoint_that_does_not_exist_or_bears_no_marks_stops_the_start(endpoint: str) -> None:
    """Abuse case 16."""
    assert f"list_groups calls {endpoint}" in reason_of(a_tool("list_groups", ToolKind.READ, endpoints=(endpoint,)))


@pytest.mark.parametrize("kind", [ToolKind.READ, ToolKind.WRITE])
def test_c1_a_tool_that_deletes_and_does_not_say_so_stops_the_start(kind: ToolKind) -> None:
    tool = a_tool("tidy_up", kind, endpoints=("DELETE /groups/{group_id}",))

    assert "tidy_up calls DELETE /groups/{group_id} but is not destructive" in reason_of(tool)


@pytest.mark.parametrize(
    ("kind", "endpoint"),
    [(ToolKind.WRITE, "PUT /groups/{group_id}/members"), (ToolKind.READ, "PATCH /groups/{group_id}")],
)
def test_c1_a_tool_that_is_milder_than_its_endpoint_stops_the_start(kind: ToolKind, endpoint: str) -> None:
    """Abuse case 16."""
    assert f"tidy_up is {kind} but calls {endpoint}" in reason_of(a_tool("tidy_up", kind, endpoints=(endpoint,)))


def test_c1_a_delete_that_is_marked_milder_is_still_destructive() -> None:
    openapi: JsonObject = {"paths": {"/groups/{group_id}": {"delete": an_operation("write")}}}
    tool = a_tool("tidy_up", ToolKind.WRITE, endpoints=("DELETE /groups/{group_id}",))

    with pytest.raises(ConfigurationError, match="not destructive"):
        check_start_up({"tidy_up": tool}, openapi)


@pytest.mark.parametrize("kind", ["harmless", "READ", None, ["read"]])
def test_c1_an_unknown_kind_stops_the_start(kind: JsonValue) -> None:
    """Abuse case 16."""
    with pytest.raises(ConfigurationError, match="GET /groups"):
        read_marks({"paths": {"/groups": {"get": {"x-nova-kind": kind}}}})


def test_d1_secret_fields_are_found_behind_references_and_choices_without_end() -> None:
    """Abuse case 43."""
    node: JsonObject = {
        "properties": {
            "next": {"$ref": "#/components/schemas/Node"},
            "pin_hash": {"anyOf": [{"properties": {"deep": {"type": "string", "writeOnly": True}}}, {"type": "null"}]},
            "word": {"type": "string", "format": "password"},
        }
    }
    answer: JsonObject = {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}}
    openapi: JsonObject = {
        "paths": {"/nodes": {"get": an_operation(responses=answer)}},
        "components": {"schemas": {"Node": node}},
    }

    marks = read_marks(openapi)["GET /nodes"]

    assert marks.secret_fields == {"deep", "word"}
    assert marks.who == {"A", "U"}


@pytest.mark.parametrize("mark", ["x-nova-interface-only", "x-nova-self-service"])
def test_b6_a_mark_that_is_neither_true_nor_false_stops_the_start(mark: str) -> None:
    with pytest.raises(ConfigurationError, match=mark):
        read_marks({"paths": {"/groups": {"get": an_operation("read", **{mark: "yes"})}}})


def test_c2_a_destructive_tool_without_a_card_stops_the_start() -> None:
    assert "delete_group is destructive but shows nothing" in reason_of(a_tool(show=None))


def test_b2_inner_tools_must_exist_be_no_worse_and_run_none_themselves() -> None:
    flow = a_tool(
        "tidy_up", ToolKind.WRITE, endpoints=("POST /groups",), is_flow=True, roles=ADMINISTRATORS,
        inner_tools=("nothing", "delete_group", "nested"),
    )  # fmt: skip
    nested = a_tool("nested", ToolKind.READ, endpoints=("GET /groups",), inner_tools=("list_groups",))

    reason = reason_of(flow, nested, a_tool(), a_reading_tool())

    assert "tidy_up runs the tool nothing, which does not exist" in reason
    assert "tidy_up is write but runs delete_group, which is destructive" in reason
    assert "tidy_up runs the tool nested, which runs tools itself" in reason


class Named(ToolArguments):
    clientSecret: str = ""  # noqa: N815 - case styles are the point


class Aliased(ToolArguments):
    harmless: str = Field("", alias="API-KEY")


class Inner(ToolArguments):
    passphrase: str | None = None


class Inside(ToolArguments):
    name: str = ""


class Nested(ToolArguments):
    inner: Inner | None = None


class InAList(ToolArguments):
    inner: list[dict[str, Inner]] = Field(default_factory=list)


class German(ToolArguments):
    neues_kennwort: str = ""


class Formatted(ToolArguments):
    shade: str = Field("", json_schema_extra={"format": "password"})


class WriteOnly(ToolArguments):
    shade: str = Field("", json_schema_extra={"writeOnly": True})


class Marked(ToolArguments):
    shade: str = Field("", json_schema_extra={"x-nova-secret": True})


class Sealed(ToolArguments):
    model_config = ConfigDict(json_schema_extra={"x-nova-secret": True})


class MarkedBehindAReference(ToolArguments):
    shade: Sealed | None = None


class MarkedBesideAReference(ToolArguments):
    shade: Inside = Field(default_factory=Inside, json_schema_extra={"writeOnly": True})


class Numeric(ToolArguments):
    pin: int = 0


class Choosing(ToolArguments):
    field: Literal["name", "client_secret"] = "name"


class Words(StrEnum):
    NAME = "name"
    SECRET = "api_key"


class ChoosingMany(ToolArguments):
    remove_fields: list[Words] = Field(default_factory=list)


class Keys(ToolArguments):
    values: dict[Literal["a", "password"], str] = Field(default_factory=dict)


class FreeForm(ToolArguments):
    settings: dict[str, Any] = Field(default_factory=dict)


class AnyJson(ToolArguments):
    settings: JsonValue = None


class MaybeAnyJson(ToolArguments):
    settings: dict[str, JsonValue] | None = None


class PerhapsAnything(ToolArguments):
    settings: Annotated[JsonValue, Field(description="x")] | None = None


class ListOfAnything(ToolArguments):
    settings: list[Any] = Field(default_factory=list)


class Loose(BaseModel):
    model_config = ConfigDict(extra="allow")


class LooseInside(ToolArguments):
    settings: Loose | None = None


class Silent(BaseModel):
    name: str = ""


class SilentInside(ToolArguments):
    settings: Silent | None = None


@pytest.mark.parametrize(
    "arguments",
    [
        *(Named, Aliased, Nested, InAList, German, Formatted, WriteOnly, Marked, Numeric, Choosing, ChoosingMany, Keys),
        *(
            MarkedBehindAReference,
            MarkedBesideAReference,
            PerhapsAnything,
            FreeForm,
            AnyJson,
            MaybeAnyJson,
            ListOfAnything,
            LooseInside,
            SilentInside,
        ),
    ],
)
def test_d1_a_tool_that_could_take_a_secret_stops_the_start(arguments: type[ToolArguments]) -> None:
    """Abuse case 43."""
    assert reason_of(with_arguments(arguments)).startswith("update_group ")


def test_d1_the_endpoints_own_mark_stops_the_start_whatever_the_name() -> None:
    """Abuse case 43."""

    class Shade(ToolArguments):
        shade: str = ""

    tool = a_tool("create_application", ToolKind.WRITE, endpoints=("POST /applications",), arguments=Shade)

    assert "create_application takes shade, which names a secret" in reason_of(tool)
    start(with_arguments(Shade))


class LookAlikes(ToolArguments):
    revoke_tokens: bool = False
    access_token_lifespan: int = 300
    token_count: int | None = None
    tokens: int = 0
    password_policy: str = ""
    secretary: str = ""
    reset_password: bool | None = None
    labels: dict[str, str] = Field(default_factory=dict)
    names: list[Literal["name", "password_changed_at"]] = Field(default_factory=list)
    key: str = ""


def test_d1_look_alikes_start() -> None:
    start(with_arguments(LookAlikes))


def test_all_that_is_wrong_is_said_at_once() -> None:
    reason = reason_of(with_arguments(Named), a_tool("tidy_up", ToolKind.READ, endpoints=("POST /groups",)))

    assert "update_group" in reason
    assert "tidy_up" in reason
