"""What takes an identity away: suspend, disable, delete, end its sessions. Each waits for a confirmation."""

from typing import Final

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import REASON_HELP, IdentityRef, LongText
from nova_ui.tools.definition import any_tool
from nova_ui.tools.identities import AREA
from nova_ui.tools.phrases import identity_endings as phrases
from nova_ui.tools.results import readable_object
from nova_ui.tools.showing import Look, show_object

_ADMINISTRATORS: Final = frozenset({Role.ADMINISTRATOR})
_ID_HELP: Final = "Id of the identity (idn_…), as search_identities returns it."

# Nothing that changes by itself, such as the last sign-in: it would make every card outdated (rule C14).
STATE_FIELDS: Final = (
    "id",
    "display_name",
    "user_name",
    "status",
    "title",
    "department",
    "manager",
    "user_type",
    "nova_roles",
    "end_date",
)

ONE: Final = "GET /identities/{identity_id}"
IMPACT: Final = "GET /identities/{identity_id}/impact"
_SUSPEND: Final = "POST /identities/{identity_id}/suspend"
_DISABLE: Final = "POST /identities/{identity_id}/disable"
_DELETE: Final = "DELETE /identities/{identity_id}"
_END_SESSIONS: Final = "DELETE /identities/{identity_id}/sessions"


class EndIdentity(ToolArguments):
    """Which identity."""

    identity_id: IdentityRef = Field(description=_ID_HELP)


class StopIdentity(EndIdentity):
    """Which identity, and why."""

    reason: LongText | None = Field(None, description=REASON_HELP)


async def show_identity(identity_id: str, nova: Nova, action: str, after: JsonObject | None = None) -> Shown:
    """Show an identity, and what `action` would do to it.

    Raises:
        NovaProblem: the action would be refused.

    """
    path = {"identity_id": identity_id}
    return await show_object(
        nova,
        Look(endpoint=ONE, path=path),
        Look(endpoint=IMPACT, path=path, query={"action": action}),
        fields=STATE_FIELDS,
        unknown=identity_id,
        after=after,
    )


async def _stop(arguments: StopIdentity, nova: Nova, endpoint: str) -> JsonValue:
    body: JsonObject = {} if arguments.reason is None else {"reason": arguments.reason}
    path = {"identity_id": arguments.identity_id}
    return readable_object((await nova.call(endpoint, path=path, body=body, if_match=nova.if_match)).object)


async def _end(arguments: EndIdentity, nova: Nova, endpoint: str) -> JsonValue:
    path = {"identity_id": arguments.identity_id}
    return readable_object((await nova.call(endpoint, path=path, if_match=nova.if_match)).object)


async def _suspend_identity(arguments: StopIdentity, nova: Nova) -> JsonValue:
    return await _stop(arguments, nova, _SUSPEND)


async def _show_suspension(arguments: StopIdentity, nova: Nova) -> Shown:
    return await show_identity(arguments.identity_id, nova, "suspend", {"status": "suspended"})


SUSPEND_IDENTITY = Tool(
    name="suspend_identity",
    title=mark("Suspend identity"),
    summary=mark("Suspend an identity for now: it can't sign in and its sessions end. Activating lifts it."),
    area=AREA,
    icon="pause_circle",
    kind=ToolKind.DESTRUCTIVE,
    roles=_ADMINISTRATORS,
    endpoints=(_SUSPEND, ONE, IMPACT),
    arguments=StopIdentity,
    run=_suspend_identity,
    action=mark("Suspend the identity {subject}"),
    show=_show_suspension,
    phrases=phrases.SUSPEND_IDENTITY,
    examples={
        Language.ENGLISH: (Example(text="Suspend Tim Vogt"), Example(text="Lock out Jan Holm for now")),
        Language.GERMAN: (Example(text="Sperre Tim Vogt"), Example(text="Setze Jan Holm vorläufig aus")),
    },
)


async def _disable_identity(arguments: StopIdentity, nova: Nova) -> JsonValue:
    return await _stop(arguments, nova, _DISABLE)


async def _show_disabling(arguments: StopIdentity, nova: Nova) -> Shown:
    return await show_identity(arguments.identity_id, nova, "disable", {"status": "disabled"})


DISABLE_IDENTITY = Tool(
    name="disable_identity",
    title=mark("Disable identity"),
    summary=mark(
        "Disable an identity that has left: it can't sign in, its sessions end and its requests are cancelled."
    ),
    area=AREA,
    icon="person_off",
    kind=ToolKind.DESTRUCTIVE,
    roles=_ADMINISTRATORS,
    endpoints=(_DISABLE, ONE, IMPACT),
    arguments=StopIdentity,
    run=_disable_identity,
    action=mark("Disable the identity {subject}"),
    show=_show_disabling,
    phrases=phrases.DISABLE_IDENTITY,
    examples={
        Language.ENGLISH: (Example(text="Disable Tim Vogt"), Example(text="Deactivate the identity of Jan Holm")),
        Language.GERMAN: (
            Example(text="Deaktiviere Tim Vogt"),
            Example(text="Deaktiviere die Identität von Jan Holm"),
        ),
    },
)


async def _delete_identity(arguments: EndIdentity, nova: Nova) -> JsonValue:
    return await _end(arguments, nova, _DELETE)


async def _show_deletion(arguments: EndIdentity, nova: Nova) -> Shown:
    return await show_identity(arguments.identity_id, nova, "delete")


DELETE_IDENTITY = Tool(
    name="delete_identity",
    title=mark("Delete identity"),
    summary=mark("Delete an identity for good, with its sessions, assignments, memberships and chats."),
    area=AREA,
    icon="delete_forever",
    kind=ToolKind.DESTRUCTIVE,
    roles=_ADMINISTRATORS,
    endpoints=(_DELETE, ONE, IMPACT),
    arguments=EndIdentity,
    run=_delete_identity,
    action=mark("Delete the identity {subject}"),
    show=_show_deletion,
    phrases=phrases.DELETE_IDENTITY,
    examples={
        Language.ENGLISH: (Example(text="Delete the identity Jan Holm"), Example(text="Remove Jan Holm from Nova")),
        Language.GERMAN: (
            Example(text="Lösche die Identität Jan Holm"),
            Example(text="Lösche Jan Holm endgültig"),
        ),
    },
)


async def _end_identity_sessions(arguments: EndIdentity, nova: Nova) -> JsonValue:
    return await _end(arguments, nova, _END_SESSIONS)


async def _show_end_of_sessions(arguments: EndIdentity, nova: Nova) -> Shown:
    return await show_identity(arguments.identity_id, nova, "end_sessions")


END_IDENTITY_SESSIONS = Tool(
    name="end_identity_sessions",
    title=mark("End sessions"),
    summary=mark("End all sessions of an identity: it is signed out everywhere at once and may sign in again."),
    area=AREA,
    icon="logout",
    kind=ToolKind.DESTRUCTIVE,
    roles=_ADMINISTRATORS,
    endpoints=(_END_SESSIONS, ONE, IMPACT),
    arguments=EndIdentity,
    run=_end_identity_sessions,
    action=mark("End all sessions of {subject}"),
    show=_show_end_of_sessions,
    phrases=phrases.END_IDENTITY_SESSIONS,
    examples={
        Language.ENGLISH: (Example(text="End all sessions of Tim Vogt"), Example(text="Sign Tim Vogt out everywhere")),
        Language.GERMAN: (
            Example(text="Beende alle Sitzungen von Tim Vogt"),
            Example(text="Melde Tim Vogt überall ab"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (
    any_tool(SUSPEND_IDENTITY),
    any_tool(DISABLE_IDENTITY),
    any_tool(DELETE_IDENTITY),
    any_tool(END_IDENTITY_SESSIONS),
)
