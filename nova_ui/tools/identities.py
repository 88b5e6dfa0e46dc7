"""What the model may ask about identities: search, one in full, the directory, and who has access to what."""

from typing import Annotated, Final, Literal

from pydantic import Field

from nova_ui.domain.identity import EVERYONE, Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import (
    CURSOR_HELP,
    DEFAULT_ROWS,
    FILTER_HELP,
    ROWS_HELP,
    Cursor,
    Day,
    FilterText,
    GroupRef,
    IdentityRef,
    RoleRef,
    Rows,
    Words,
)
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import identities as phrases
from nova_ui.tools.results import list_rows, readable_object, rows_of

AREA: Final = mark("Identities")

IDENTITY_STATES: Final = "staged (not started), active, suspended (locked out for now), disabled (left), archived"
USER_TYPES: Final = "employee, contractor, external (guest or partner), service (no person)"
_ROW: Final = ("id", "display_name", "user_name", "status", "title", "department", "manager", "nova_roles")
_TIMELINE_ROWS: Final = 10

IdentityStatus = Literal["staged", "active", "suspended", "disabled", "archived"]
TwoLetters = Annotated[str, Field(min_length=2, max_length=200)]
StoredRole = Literal["administrator", "auditor"]
UserType = Literal["employee", "contractor", "external", "service"]


class SearchIdentities(ToolArguments):
    """Which identities to look for."""

    q: Words | None = Field(None, description="Part of a name, user name or e-mail address.")
    status: IdentityStatus | None = Field(None, description=f"Only in this state: {IDENTITY_STATES}.")
    department: Words | None = Field(None, description="Only this department, by its exact name.")
    user_type: UserType | None = Field(None, description=f"Only this kind: {USER_TYPES}.")
    location: Words | None = Field(None, description="Only this place of work, by its exact name.")
    manager_id: IdentityRef | None = Field(None, description="Only direct reports of this identity (idn_…).")
    group_id: GroupRef | None = Field(None, description="Only members of this group (grp_…).")
    role_id: RoleRef | None = Field(None, description="Only those who hold this role now (rol_…).")
    nova_role: StoredRole | None = Field(
        None, description="Only those who are administrator, or auditor, of Nova itself."
    )
    signed_in_before: Day | None = Field(
        None, description="Only those not signed in since this day (YYYY-MM-DD): inactive people."
    )
    filter: FilterText | None = Field(
        None, description=f"Only whom this finds, where the other arguments do not suffice. {FILTER_HELP}"
    )
    ends_before: Day | None = Field(None, description="Only those whose last day is before this day (YYYY-MM-DD).")
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _search_identities(arguments: SearchIdentities, nova: Nova) -> JsonValue:
    filters = arguments.model_dump(exclude={"limit", "cursor"})
    return await list_rows(
        nova, "GET /identities", filters=filters, limit=arguments.limit, cursor=arguments.cursor, fields=_ROW
    )


SEARCH_IDENTITIES = Tool(
    name="search_identities",
    title=mark("Search identities"),
    summary=mark("Search identities by name, state, department, kind or manager."),
    area=AREA,
    icon="person_search",
    kind=ToolKind.READ,
    roles=frozenset({Role.ADMINISTRATOR, Role.AUDITOR, Role.MANAGER}),  # others would only ever find themselves
    endpoints=("GET /identities",),
    arguments=SearchIdentities,
    run=_search_identities,
    phrases=phrases.SEARCH_IDENTITIES,
    examples={
        Language.ENGLISH: (
            Example(text="Show all suspended identities", arguments={"status": "suspended"}),
            Example(text="Who works in Finance?", arguments={"department": "Finance"}),
        ),
        Language.GERMAN: (
            Example(text="Zeige alle gesperrten Identitäten", arguments={"status": "suspended"}),
            Example(text="Wer arbeitet in Finance?", arguments={"department": "Finance"}),
        ),
    },
)


class GetIdentity(ToolArguments):
    """Which identity to read."""

    identity_id: IdentityRef | None = Field(
        None, description="Id of the identity (idn_…), as search_identities returns it. Left out: oneself."
    )


async def _get_identity(arguments: GetIdentity, nova: Nova) -> JsonValue:
    if arguments.identity_id is None:
        return readable_object((await nova.call("GET /me")).object)
    path = {"identity_id": arguments.identity_id}
    result = readable_object((await nova.call("GET /identities/{identity_id}", path=path)).object)
    if nova.identity.roles & {Role.ADMINISTRATOR, Role.AUDITOR}:
        result["timeline"] = await _timeline(arguments.identity_id, nova)
    return result


async def _timeline(identity_id: str, nova: Nova) -> JsonValue:
    answer = await nova.call(
        "GET /identities/{identity_id}/timeline",
        path={"identity_id": identity_id},
        query={"limit": _TIMELINE_ROWS},
    )
    fields = ("time", "action", "outcome", "actor", "target")
    return [readable_object(row, fields) for row in rows_of(answer.object)]


GET_IDENTITY = Tool(
    name="get_identity",
    title=mark("Show identity"),
    summary=mark("Read one identity in full, for administrators and auditors with its latest events."),
    area=AREA,
    icon="badge",
    kind=ToolKind.READ,
    roles=EVERYONE,
    endpoints=("GET /identities/{identity_id}", "GET /identities/{identity_id}/timeline", "GET /me"),
    arguments=GetIdentity,
    run=_get_identity,
    phrases=phrases.GET_IDENTITY,
    examples={
        Language.ENGLISH: (Example(text="Show me Tim Vogt's details"), Example(text="Show my own data")),
        Language.GERMAN: (Example(text="Zeige mir die Daten von Tim Vogt"), Example(text="Zeige meine eigenen Daten")),
    },
)


class SearchDirectory(ToolArguments):
    """Whom to look up in the directory."""

    q: TwoLetters = Field(description="Part of a name, at least two characters.")
    department: Words | None = Field(None, description="Only this department, by its exact name.")
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _search_directory(arguments: SearchDirectory, nova: Nova) -> JsonValue:
    filters = arguments.model_dump(include={"q", "department"})
    return await list_rows(nova, "GET /directory", filters=filters, limit=arguments.limit, cursor=arguments.cursor)


SEARCH_DIRECTORY = Tool(
    name="search_directory",
    title=mark("Search directory"),
    summary=mark("Look up colleagues: name, title, department and work e-mail address."),
    area=AREA,
    icon="contacts",
    kind=ToolKind.READ,
    roles=EVERYONE,
    endpoints=("GET /directory",),
    arguments=SearchDirectory,
    run=_search_directory,
    phrases=phrases.SEARCH_DIRECTORY,
    examples={
        Language.ENGLISH: (
            Example(text="What is Lea Brandt's e-mail address?", arguments={"q": "Lea Brandt"}),
            Example(text="Find Adler in the directory", arguments={"q": "Adler"}),
        ),
        Language.GERMAN: (
            Example(text="Wie lautet die E-Mail-Adresse von Lea Brandt?", arguments={"q": "Lea Brandt"}),
            Example(text="Suche Adler im Verzeichnis", arguments={"q": "Adler"}),
        ),
    },
)


class GetIdentityAccess(ToolArguments):
    """Whose access to read."""

    identity_id: IdentityRef | None = Field(None, description="Id of the identity (idn_…). Left out: oneself.")


async def _get_identity_access(arguments: GetIdentityAccess, nova: Nova) -> JsonValue:
    if arguments.identity_id is None:
        return _access(await _object(nova, "GET /me/access", {}))
    return _access(await _object(nova, "GET /identities/{identity_id}/access", {"identity_id": arguments.identity_id}))


async def _object(nova: Nova, endpoint: str, path: dict[str, str]) -> JsonObject:
    return (await nova.call(endpoint, path=path)).object


def _access(answer: JsonObject) -> JsonObject:
    rows = rows_of(answer)
    counted: JsonObject = {"total": len(rows), "shown": len(rows)}
    return counted | readable_object({name: value for name, value in answer.items() if name not in counted})


GET_IDENTITY_ACCESS = Tool(
    name="get_identity_access",
    title=mark("Show access"),
    summary=mark("List what an identity may use and why: each role with its source and validity, and its groups."),
    area=AREA,
    icon="key",
    kind=ToolKind.READ,
    roles=EVERYONE,
    endpoints=("GET /identities/{identity_id}/access", "GET /me/access"),
    arguments=GetIdentityAccess,
    run=_get_identity_access,
    phrases=phrases.GET_IDENTITY_ACCESS,
    examples={
        Language.ENGLISH: (Example(text="What access does Tim Vogt have?"), Example(text="What access do I have?")),
        Language.GERMAN: (
            Example(text="Welche Zugriffe hat Tim Vogt?"),
            Example(text="Welche Zugriffe habe ich?"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (
    any_tool(SEARCH_IDENTITIES),
    any_tool(GET_IDENTITY),
    any_tool(SEARCH_DIRECTORY),
    any_tool(GET_IDENTITY_ACCESS),
)
