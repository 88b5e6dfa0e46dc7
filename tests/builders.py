"""Values for tests, each complete by default; a test names only what it is about."""

import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from pydantic import Field

from nova_ui.domain.assistant import Assistant, AssistantKey, Audience, AudienceKind, ToolList
from nova_ui.domain.canonical import canonical_call
from nova_ui.domain.chat import ChatId, Message, PreviewId, TextMessage, Turn, TurnId
from nova_ui.domain.identity import EVERYONE, Caller, Identity, IdentityId, Language, Role, SessionId
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.preview import CONFIRMATION_LIFETIME, Preview
from nova_ui.domain.tool import AnyTool, CallId, Nova, RawCall, Shown, Tool, ToolArguments, ToolCall, ToolKind
from nova_ui.guardrails.preview import digest_of
from nova_ui.tools.definition import any_tool

NOW: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
JUST_IN_TIME: Final = NOW + CONFIRMATION_LIFETIME
TOO_LATE: Final = JUST_IN_TIME + timedelta(milliseconds=1)

Run = Callable[[ToolArguments, Nova], Awaitable[JsonValue]]
Show = Callable[[ToolArguments, Nova], Awaitable[Shown]]


class GroupArguments(ToolArguments):
    """The arguments of `a_tool`."""

    group_id: str = Field(description="Id of the group.", pattern=r"^grp_[0-9a-z]{1,20}$")
    note: str | None = Field(None, description="Why.", max_length=20_000)
    limit: int = Field(50, description="How many rows.")


async def run_nothing(_arguments: ToolArguments, _nova: Nova) -> JsonValue:
    return {"object": {"id": "grp_1", "display_name": "Contractors"}, "effects": []}


async def show_contractors(_arguments: ToolArguments, _nova: Nova) -> Shown:
    return Shown(subject="Contractors", current_state={"id": "grp_1", "display_name": "Contractors"}, etag='"1"')


def an_identity(
    *roles: Role, identity_id: str = "idn_ada", user_name: str = "ada", language: Language = Language.ENGLISH
) -> Identity:
    """Return an identity; without `roles` an ordinary one."""
    return Identity(
        id=IdentityId(identity_id),
        user_name=user_name,
        display_name=user_name.capitalize(),
        roles=frozenset(roles) | {Role.USER},
        language=language,
    )


def an_administrator(identity_id: str = "idn_root") -> Identity:
    return an_identity(Role.ADMINISTRATOR, identity_id=identity_id, user_name="root")


def a_caller(identity: Identity | None = None, *, session_id: str = "ses_1") -> Caller:
    return Caller(session_id=SessionId(session_id), identity=identity or an_administrator())


def an_assistant(
    *tool_names: str,
    key: str = "helpdesk",
    all_tools: bool = False,
    audience: AudienceKind = AudienceKind.EVERYONE,
    roles: frozenset[Role] = frozenset(),
    group_ids: frozenset[str] = frozenset(),
    enabled: bool = True,
    button_only: bool = False,
    type_name_for: frozenset[str] = frozenset(),
    ask_before_changes: bool = False,
) -> Assistant:
    """Return an assistant with the named tools; without any, with `delete_group` and `list_groups`."""
    names = frozenset(tool_names or ("delete_group", "list_groups"))
    return Assistant(
        key=AssistantKey(key),
        names={Language.ENGLISH: key.capitalize()},
        descriptions={},
        prompt="Help.",
        tools=ToolList(all_tools=True) if all_tools else ToolList(names=names),
        audience=Audience(kind=audience, roles=roles, group_ids=group_ids),
        enabled=enabled,
        button_only=button_only,
        type_name_for=type_name_for,
        ask_before_changes=ask_before_changes,
    )


def an_admin_chat() -> Assistant:
    return an_assistant(key="admin", all_tools=True, audience=AudienceKind.ADMINISTRATORS)


def a_turn(
    number: int = 4,
    *,
    identity: Identity | None = None,
    assistant_key: str = "helpdesk",
    text: str = "yes",
    message: Message | None = None,
    turn_id: str | None = None,
    chat_id: str = "cht_1",
    started_at: datetime = NOW,
) -> Turn:
    """Return a turn; its message is a typed agreement unless something else is said."""
    return Turn(
        id=TurnId(turn_id or f"trn_{number}"),
        chat_id=ChatId(chat_id),
        identity=identity or an_administrator(),
        session_id=SessionId("ses_1"),
        assistant_key=AssistantKey(assistant_key),
        number=number,
        message=message or TextMessage(text=text),
        started_at=started_at,
    )


def a_tool(
    name: str = "delete_group",
    kind: ToolKind = ToolKind.DESTRUCTIVE,
    *,
    arguments: type[ToolArguments] = GroupArguments,
    endpoints: tuple[str, ...] = ("DELETE /groups/{group_id}", "GET /groups/{group_id}"),
    run: Run = run_nothing,
    show: Show | None = show_contractors,
    roles: frozenset[Role] = EVERYONE,
    is_flow: bool = False,
    self_service: bool = False,
    inner_tools: tuple[str, ...] = (),
    inner_tools_of: Callable[[ToolArguments], tuple[str, ...]] | None = None,
) -> AnyTool:
    """Return a tool; by default one that deletes a group."""
    tool: Tool[ToolArguments] = Tool(
        name=name,
        title="Delete group",
        summary="Delete a group.",
        area="Groups",
        icon="group",
        kind=kind,
        endpoints=endpoints,
        arguments=arguments,
        run=run,
        roles=roles,
        action="Delete the group {subject}",
        show=show,
        is_flow=is_flow,
        self_service=self_service,
        inner_tools=inner_tools,
        inner_tools_of=inner_tools_of,
    )
    return any_tool(tool)


def a_reading_tool(name: str = "list_groups", *, run: Run = run_nothing, roles: frozenset[Role] = EVERYONE) -> AnyTool:
    return a_tool(name, ToolKind.READ, endpoints=("GET /groups",), run=run, show=None, roles=roles)


def a_writing_tool(name: str = "update_group", *, run: Run = run_nothing, roles: frozenset[Role] = EVERYONE) -> AnyTool:
    return a_tool(name, ToolKind.WRITE, endpoints=("PATCH /groups/{group_id}",), run=run, roles=roles)


def a_raw_call(
    name: str = "delete_group",
    arguments: Mapping[str, JsonValue] | None = None,
    *,
    text: str | None = None,
    call_id: str = "call_1",
) -> RawCall:
    """Return a call as a model makes it: of the group `grp_1` unless `arguments` or a raw `text` say otherwise."""
    given = {"group_id": "grp_1"} if arguments is None else dict(arguments)
    return RawCall(call_id=CallId(call_id), name=name, arguments_text=json.dumps(given) if text is None else text)


def a_call(tool: AnyTool | None = None, arguments: JsonObject | None = None) -> ToolCall:
    """Return a canonical call."""
    call = canonical_call(tool or a_tool(), {"group_id": "grp_1"} if arguments is None else arguments)
    assert isinstance(call, ToolCall), call
    return call


def a_preview(
    *,
    turn_number: int = 3,
    call: ToolCall | None = None,
    identity_id: str = "idn_root",
    assistant_key: str = "helpdesk",
    shown: Shown | None = None,
    shown_at: datetime = NOW,
    preview_id: str = "prv_1",
    by_person: bool = False,
) -> Preview:
    """Return an open preview of `a_call`, shown in message 3, as `show_contractors` shows it."""
    seen = shown or Shown(
        subject="Contractors", current_state={"id": "grp_1", "display_name": "Contractors"}, etag='"1"'
    )
    return Preview(
        id=PreviewId(preview_id),
        identity_id=IdentityId(identity_id),
        assistant_key=AssistantKey(assistant_key),
        chat_id=ChatId("cht_1"),
        turn_id=TurnId(f"trn_{turn_number}"),
        turn_number=turn_number,
        call_id=CallId("call_1"),
        call=call or a_call(),
        shown=seen,
        shown_digest=digest_of(seen),
        shown_at=shown_at,
        by_person=by_person,
    )
