"""What the model may do with applications: list, test a connection, disable. Their settings are not for chats (B6)."""

from typing import Final, Literal

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import (
    CURSOR_HELP,
    DEFAULT_ROWS,
    REASON_HELP,
    ROWS_HELP,
    ApplicationRef,
    Cursor,
    IdentityRef,
    LongText,
    Rows,
    Words,
)
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import applications as phrases
from nova_ui.tools.results import list_rows, readable_object
from nova_ui.tools.roles import AREA
from nova_ui.tools.showing import Look, show_object

ApplicationStatus = Literal["draft", "enabled", "disabled"]
ConnectionKind = Literal["oidc", "scim", "ldap", "none"]
ConnectionState = Literal["untested", "ok", "failing"]

_ADMINISTRATORS: Final = frozenset({Role.ADMINISTRATOR})
_ONE: Final = "GET /applications/{application_id}"
_IMPACT: Final = "GET /applications/{application_id}/impact"
_TEST: Final = "POST /applications/{application_id}/test"
_DISABLE: Final = "POST /applications/{application_id}/disable"
_ROW: Final = (
    "id",
    "display_name",
    "key",
    "status",
    "description",
    "owners",
    "connection",
    "connection_state",
    "role_count",
)
_STATE: Final = ("id", "display_name", "description", "status", "owners", "connection", "connection_state")


class ListApplications(ToolArguments):
    """Which applications to list."""

    application_id: ApplicationRef | None = Field(None, description="Id of one application (app_…) to read in full.")
    q: Words | None = Field(None, description="Part of the application's name, key or description.")
    status: ApplicationStatus | None = Field(
        None, description="Only in this state: draft (never in service), enabled, disabled."
    )
    connection: ConnectionKind | None = Field(
        None, description="Only those that Nova reaches in this way: oidc, scim, ldap, or none."
    )
    connection_state: ConnectionState | None = Field(
        None, description="Only those whose last connection test went so: untested, ok, failing."
    )
    owner_id: IdentityRef | None = Field(None, description="Only applications owned by this identity (idn_…).")
    requestable: bool | None = Field(None, description="Only those whose access can be requested, or only others.")
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _list_applications(arguments: ListApplications, nova: Nova) -> JsonValue:
    if arguments.application_id is not None:
        path = {"application_id": arguments.application_id}
        return readable_object((await nova.call(_ONE, path=path)).object)
    return await list_rows(
        nova,
        "GET /applications",
        filters=arguments.model_dump(exclude={"application_id", "limit", "cursor"}),
        limit=arguments.limit,
        cursor=arguments.cursor,
        fields=_ROW,
    )


LIST_APPLICATIONS = Tool(
    name="list_applications",
    title=mark("List applications"),
    summary=mark("List the applications that roles give access to, or read one in full. Secrets are never shown."),
    area=AREA,
    icon="apps",
    kind=ToolKind.READ,
    roles=frozenset({Role.ADMINISTRATOR, Role.AUDITOR}),
    endpoints=("GET /applications", _ONE),
    arguments=ListApplications,
    run=_list_applications,
    phrases=phrases.LIST_APPLICATIONS,
    examples={
        Language.ENGLISH: (
            Example(text="Which applications are connected?"),
            Example(text="Show the disabled applications", arguments={"status": "disabled"}),
        ),
        Language.GERMAN: (
            Example(text="Welche Anwendungen sind angebunden?"),
            Example(text="Zeige die deaktivierten Anwendungen", arguments={"status": "disabled"}),
        ),
    },
)


class TestApplication(ToolArguments):
    """Which application's connection to test."""

    application_id: ApplicationRef = Field(
        description="Id of the application (app_…), as list_applications returns it."
    )


async def _test_application(arguments: TestApplication, nova: Nova) -> JsonValue:
    answer = await nova.call(_TEST, path={"application_id": arguments.application_id})
    return readable_object(answer.object)


TEST_APPLICATION = Tool(
    name="test_application",
    title=mark("Test connection"),
    summary=mark("Test whether an application's connection works. Nothing is changed at the other end."),
    area=AREA,
    icon="network_check",
    kind=ToolKind.READ,
    roles=_ADMINISTRATORS,
    endpoints=(_TEST,),
    arguments=TestApplication,
    run=_test_application,
    phrases=phrases.TEST_APPLICATION,
    examples={
        Language.ENGLISH: (
            Example(text="Test the connection of Source Code"),
            Example(text="Check the application Company Wiki"),
        ),
        Language.GERMAN: (
            Example(text="Teste die Anbindung der Anwendung Source Code"),
            Example(text="Prüfe die Verbindung von Company Wiki"),
        ),
    },
)


class DisableApplication(ToolArguments):
    """Which application to take out of service."""

    application_id: ApplicationRef = Field(
        description="Id of the application (app_…), as list_applications returns it."
    )
    reason: LongText | None = Field(None, description=REASON_HELP)


async def _disable_application(arguments: DisableApplication, nova: Nova) -> JsonValue:
    body: JsonObject = arguments.model_dump(include={"reason"}, exclude_none=True)
    path = {"application_id": arguments.application_id}
    return readable_object((await nova.call(_DISABLE, path=path, body=body, if_match=nova.if_match)).object)


async def _show_disabling(arguments: DisableApplication, nova: Nova) -> Shown:
    path = {"application_id": arguments.application_id}
    return await show_object(
        nova,
        Look(endpoint=_ONE, path=path),
        Look(endpoint=_IMPACT, path=path, query={"action": "disable"}),
        fields=_STATE,
        unknown=arguments.application_id,
        after={"status": "disabled"},
    )


DISABLE_APPLICATION = Tool(
    name="disable_application",
    title=mark("Disable application"),
    summary=mark("Take an application out of service: sign-in and synchronisation stop. Nobody loses a role."),
    area=AREA,
    icon="do_not_disturb_on",
    kind=ToolKind.DESTRUCTIVE,
    roles=_ADMINISTRATORS,
    endpoints=(_DISABLE, _ONE, _IMPACT),
    arguments=DisableApplication,
    run=_disable_application,
    action=mark("Disable the application {subject}"),
    show=_show_disabling,
    phrases=phrases.DISABLE_APPLICATION,
    examples={
        Language.ENGLISH: (
            Example(text="Disable the application Ticket Desk"),
            Example(text="Switch off the application Company Wiki"),
        ),
        Language.GERMAN: (
            Example(text="Deaktiviere die Anwendung Ticket Desk"),
            Example(text="Nimm die Anwendung Company Wiki außer Betrieb"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (
    any_tool(LIST_APPLICATIONS),
    any_tool(TEST_APPLICATION),
    any_tool(DISABLE_APPLICATION),
)
