"""What the model may do with sessions: see who is signed in, end one of one's own."""

from typing import Final, Literal

from pydantic import Field

from nova_ui.domain.identity import EVERYONE, Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.errors import NovaConflict
from nova_ui.tools.arguments import (
    CURSOR_HELP,
    DEFAULT_ROWS,
    MAX_ROWS,
    ROWS_HELP,
    Cursor,
    IdentityRef,
    Rows,
    SessionRef,
)
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import monitoring as phrases
from nova_ui.tools.results import Filters, list_rows, readable_object, rows_of

AREA: Final = mark("Sessions")

_ROW: Final = ("id", "identity", "status", "current", "ip", "user_agent", "created_at", "last_seen_at", "expires_at")
_STATE: Final = ("id", "ip", "user_agent", "methods", "created_at")  # nothing that changes by itself (rule C14)
_END: Final = "DELETE /me/sessions/{session_id}"
_MINE: Final = "GET /me/sessions"


class ListSessions(ToolArguments):
    """Whose sessions to list."""

    whose: Literal["mine", "all"] = Field(
        "mine", description="mine: one's own; all (administrators, auditors): everybody's."
    )
    identity_id: IdentityRef | None = Field(
        None, description="Only of this identity (idn_…); for administrators and auditors."
    )
    status: Literal["active", "ended"] | None = Field(None, description="Only in this state: active, or ended (over).")
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _list_sessions(arguments: ListSessions, nova: Nova) -> JsonValue:
    filters: Filters = {"status": arguments.status}
    if arguments.whose == "mine" and arguments.identity_id is None:
        return await list_rows(
            nova, _MINE, filters=filters, limit=arguments.limit, cursor=arguments.cursor, fields=_ROW
        )
    filters = {"identity_id": arguments.identity_id, **filters}
    return await list_rows(
        nova, "GET /sessions", filters=filters, limit=arguments.limit, cursor=arguments.cursor, fields=_ROW
    )


LIST_SESSIONS = Tool(
    name="list_sessions",
    title=mark("List sessions"),
    summary=mark("List sign-in sessions: one's own, or everybody's for administrators and auditors."),
    area=AREA,
    icon="devices",
    kind=ToolKind.READ,
    roles=EVERYONE,
    endpoints=("GET /sessions", _MINE),
    arguments=ListSessions,
    run=_list_sessions,
    phrases=phrases.LIST_SESSIONS,
    examples={
        Language.ENGLISH: (
            Example(text="Where am I signed in?"),
            Example(text="Who is signed in right now?", arguments={"whose": "all", "status": "active"}),
        ),
        Language.GERMAN: (
            Example(text="Wo bin ich angemeldet?"),
            Example(text="Wer ist gerade angemeldet?", arguments={"whose": "all", "status": "active"}),
        ),
    },
)


class EndMySession(ToolArguments):
    """Which own session to end."""

    session_id: SessionRef = Field(description="Id of the session (ses_…), as list_sessions returns it.")


async def _end_my_session(arguments: EndMySession, nova: Nova) -> JsonValue:
    answer = await nova.call(_END, path={"session_id": arguments.session_id}, if_match=nova.if_match)
    return readable_object(answer.object)


async def _show_end(arguments: EndMySession, nova: Nova) -> Shown:
    answer = (await nova.call(_MINE, query={"limit": MAX_ROWS})).object
    session = next((row for row in rows_of(answer) if row.get("id") == arguments.session_id), None)
    if session is None:
        return Shown(subject=arguments.session_id)
    if session.get("current") is True:
        raise NovaConflict("This is the session in use; sign out in the interface instead.", code="state_conflict")
    return Shown(subject=_session_name(session), current_state=readable_object(session, _STATE))


def _session_name(session: JsonObject) -> str:
    parts = [part for part in (session.get("user_agent"), session.get("ip")) if isinstance(part, str) and part]
    return ", ".join(parts) or str(session.get("id"))


END_MY_SESSION = Tool(
    name="end_my_session",
    title=mark("End own session"),
    summary=mark("Sign oneself out on another device by ending one of one's own sessions, not the one in use."),
    area=AREA,
    icon="logout",
    kind=ToolKind.DESTRUCTIVE,
    roles=EVERYONE,
    self_service=True,
    endpoints=(_END, _MINE),
    arguments=EndMySession,
    run=_end_my_session,
    action=mark("End your own session {subject}"),
    show=_show_end,
    phrases=phrases.END_MY_SESSION,
    examples={
        Language.ENGLISH: (
            Example(text="End my other session"),
            Example(text="Sign me out on my phone"),
        ),
        Language.GERMAN: (
            Example(text="Beende meine andere Sitzung"),
            Example(text="Melde mich auf meinem Telefon ab"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(LIST_SESSIONS), any_tool(END_MY_SESSION))
