"""How the model may change identities: create, update, activate, unlock."""

from typing import Annotated, Final, Literal

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import Day, IdentityRef, Words
from nova_ui.tools.definition import any_tool
from nova_ui.tools.identities import AREA, UserType
from nova_ui.tools.identity_endings import ONE, STATE_FIELDS
from nova_ui.tools.phrases import identity_changes as phrases
from nova_ui.tools.results import readable_object, rows_of
from nova_ui.tools.showing import Look, changes_between, find_object, name_of, refer, show_object

_ADMINISTRATORS: Final = frozenset({Role.ADMINISTRATOR})
_ID_HELP: Final = "Id of the identity (idn_…), as search_identities returns it."

UserName = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\s/\\?#%<>\"']+$")]
Mail = Annotated[str, Field(min_length=3, max_length=254, pattern=r"^[^\s@]+@[^\s@]+$")]
SpokenLanguage = Literal["en", "de"]
FirstStatus = Literal["active", "staged"]
Clearable = Literal[
    "title", "employee_number", "organization", "division", "department", "location", "manager_id", "end_date"
]


class CreateIdentity(ToolArguments):
    """The identity to create."""

    user_name: UserName = Field(description="Unique name to sign in with, such as anna.berg.")
    given_name: Words = Field(description="First name.")
    family_name: Words = Field(description="Last name.")
    display_name: Words | None = Field(None, description="Name as shown. Left out: first and last name.")
    email: Mail | None = Field(None, description="Work e-mail address.")
    title: Words | None = Field(None, description="Job title.")
    user_type: UserType = Field("employee", description="Kind of identity.")
    employee_number: Words | None = Field(None, description="Unique employee number.")
    department: Words | None = Field(None, description="Department.")
    location: Words | None = Field(None, description="Place of work.")
    manager_id: IdentityRef | None = Field(None, description="Id of the manager (idn_…).")
    preferred_language: SpokenLanguage | None = Field(None, description="Language of the interface.")
    start_date: Day | None = Field(None, description="First day, as YYYY-MM-DD.")
    end_date: Day | None = Field(None, description="Last day, as YYYY-MM-DD; after the first day.")
    status: FirstStatus = Field("active", description="State to start in: active, or staged (not to sign in yet).")


async def _create_identity(arguments: CreateIdentity, nova: Nova) -> JsonValue:
    body: JsonObject = arguments.model_dump(exclude={"email"}, exclude_none=True)
    body.setdefault("display_name", shown_name(arguments))
    if arguments.email is not None:
        body["emails"] = _emails(arguments.email)
    return readable_object((await nova.call("POST /identities", body=body)).object)


def shown_name(arguments: CreateIdentity) -> str:
    """Return the name that a new identity is shown by."""
    return arguments.display_name or f"{arguments.given_name} {arguments.family_name}"


async def _show_new_identity(arguments: CreateIdentity, _nova: Nova) -> Shown:
    return Shown(subject=shown_name(arguments))


def _emails(address: str) -> JsonValue:
    return [{"value": address, "type": "work", "primary": True}]


CREATE_IDENTITY = Tool(
    name="create_identity",
    title=mark("Create identity"),
    summary=mark("Create an identity for a person or a service."),
    area=AREA,
    icon="person_add",
    kind=ToolKind.WRITE,
    roles=_ADMINISTRATORS,
    endpoints=("POST /identities",),
    arguments=CreateIdentity,
    run=_create_identity,
    action=mark("Create the identity {subject}"),
    show=_show_new_identity,
    phrases=phrases.CREATE_IDENTITY,
    examples={
        Language.ENGLISH: (
            Example(text="Create an identity for Anna Berg, user name anna.berg, in Finance"),
            Example(text="Add a new contractor called Jan Holm with user name jan.holm"),
        ),
        Language.GERMAN: (
            Example(text="Lege eine Identität für Anna Berg an, Benutzername anna.berg, in Finance"),
            Example(text="Lege einen neuen Externen namens Jan Holm an, Benutzername jan.holm"),
        ),
    },
)


class UpdateIdentity(ToolArguments):
    """What to change in an identity; what is left out stays."""

    identity_id: IdentityRef = Field(description=_ID_HELP)
    given_name: Words | None = Field(None, description="New first name.")
    family_name: Words | None = Field(None, description="New last name.")
    display_name: Words | None = Field(None, description="New name as shown.")
    email: Mail | None = Field(None, description="New work e-mail address; replaces the present addresses.")
    title: Words | None = Field(None, description="New job title.")
    user_type: UserType | None = Field(None, description="New kind of identity.")
    employee_number: Words | None = Field(None, description="New unique employee number.")
    organization: Words | None = Field(None, description="New organisation.")
    division: Words | None = Field(None, description="New division.")
    department: Words | None = Field(None, description="New department.")
    location: Words | None = Field(None, description="New place of work.")
    manager_id: IdentityRef | None = Field(None, description="Id of the new manager (idn_…).")
    preferred_language: SpokenLanguage | None = Field(None, description="New language of the interface.")
    end_date: Day | None = Field(None, description="New last day, as YYYY-MM-DD.")
    clear: list[Clearable] | None = Field(None, max_length=8, description="Fields to empty.")


def _new_values(arguments: UpdateIdentity) -> JsonObject:
    body: JsonObject = arguments.model_dump(exclude={"identity_id", "email", "clear"}, exclude_none=True)
    if arguments.email is not None:
        body["emails"] = _emails(arguments.email)
    for name in arguments.clear or ():
        body.setdefault(name, None)  # a value given beside wins: nothing is emptied by contradiction
    return body


async def _update_identity(arguments: UpdateIdentity, nova: Nova) -> JsonValue:
    path = {"identity_id": arguments.identity_id}
    answer = await nova.call(
        "PATCH /identities/{identity_id}", path=path, body=_new_values(arguments), if_match=nova.if_match
    )
    return readable_object(answer.object)


async def _show_update(arguments: UpdateIdentity, nova: Nova) -> Shown:
    found = await find_object(nova, Look(endpoint=ONE, path={"identity_id": arguments.identity_id}))
    if found is None:
        return Shown(subject=arguments.identity_id)
    mails: list[JsonValue] = [one.get("value") for one in rows_of({"items": found.object.get("emails")})]
    before: JsonObject = {**found.object, "emails": mails, "manager_id": found.object.get("manager")}
    after = _new_values(arguments)
    if arguments.email is not None:
        after["emails"] = [arguments.email]
    if arguments.manager_id is not None:
        after["manager_id"] = await refer(nova, ONE, "identity_id", arguments.manager_id)
    return Shown(
        subject=name_of(found.object, arguments.identity_id),
        current_state=readable_object(found.object, STATE_FIELDS),
        changes=changes_between(before, after),
        etag=found.etag,
    )


UPDATE_IDENTITY = Tool(
    name="update_identity",
    title=mark("Change identity"),
    summary=mark("Change fields of an identity, such as department, title or manager."),
    area=AREA,
    icon="manage_accounts",
    kind=ToolKind.WRITE,
    roles=_ADMINISTRATORS,
    endpoints=("PATCH /identities/{identity_id}", ONE),
    arguments=UpdateIdentity,
    run=_update_identity,
    action=mark("Change the identity {subject}"),
    show=_show_update,
    phrases=phrases.UPDATE_IDENTITY,
    examples={
        Language.ENGLISH: (
            Example(text="Change the department of Tim Vogt to Sales", arguments={"department": "Sales"}),
            Example(text="Set the title of Lea Brandt to Team Lead", arguments={"title": "Team Lead"}),
        ),
        Language.GERMAN: (
            Example(text="Ändere die Abteilung von Tim Vogt auf Vertrieb", arguments={"department": "Vertrieb"}),
            Example(text="Setze den Titel von Lea Brandt auf Teamleitung", arguments={"title": "Teamleitung"}),
        ),
    },
)


class ChosenIdentity(ToolArguments):
    """Which identity."""

    identity_id: IdentityRef = Field(description=_ID_HELP)


async def _activate_identity(arguments: ChosenIdentity, nova: Nova) -> JsonValue:
    path = {"identity_id": arguments.identity_id}
    answer = await nova.call("POST /identities/{identity_id}/activate", path=path, if_match=nova.if_match)
    return readable_object(answer.object)


async def _show_activation(arguments: ChosenIdentity, nova: Nova) -> Shown:
    look = Look(endpoint=ONE, path={"identity_id": arguments.identity_id})
    after: JsonObject = {"status": "active"}
    return await show_object(nova, look, None, fields=STATE_FIELDS, unknown=arguments.identity_id, after=after)


ACTIVATE_IDENTITY = Tool(
    name="activate_identity",
    title=mark("Activate identity"),
    summary=mark("Activate an identity that is staged, suspended or disabled, so that it can sign in again."),
    area=AREA,
    icon="how_to_reg",
    kind=ToolKind.WRITE,
    roles=_ADMINISTRATORS,
    endpoints=("POST /identities/{identity_id}/activate", ONE),
    arguments=ChosenIdentity,
    run=_activate_identity,
    action=mark("Activate the identity {subject}"),
    show=_show_activation,
    phrases=phrases.ACTIVATE_IDENTITY,
    examples={
        Language.ENGLISH: (Example(text="Activate Anna Berg"), Example(text="Reactivate the identity of Jan Holm")),
        Language.GERMAN: (Example(text="Aktiviere Anna Berg"), Example(text="Aktiviere die Identität von Jan Holm")),
    },
)


async def _unlock_identity(arguments: ChosenIdentity, nova: Nova) -> JsonValue:
    path = {"identity_id": arguments.identity_id}
    answer = await nova.call("POST /identities/{identity_id}/unlock", path=path, if_match=nova.if_match)
    return readable_object(answer.object)


async def _show_unlocking(arguments: ChosenIdentity, nova: Nova) -> Shown:
    look = Look(endpoint=ONE, path={"identity_id": arguments.identity_id})
    fields, after = (*STATE_FIELDS, "locked_until"), {"locked_until": None}
    return await show_object(nova, look, None, fields=fields, unknown=arguments.identity_id, after=after)


UNLOCK_IDENTITY = Tool(
    name="unlock_identity",
    title=mark("Unlock identity"),
    summary=mark("Unlock an identity that was locked after too many failed sign-ins. It does not lift a suspension."),
    area=AREA,
    icon="lock_open",
    kind=ToolKind.WRITE,
    roles=_ADMINISTRATORS,
    endpoints=("POST /identities/{identity_id}/unlock", ONE),
    arguments=ChosenIdentity,
    run=_unlock_identity,
    action=mark("Unlock the identity {subject}"),
    show=_show_unlocking,
    phrases=phrases.UNLOCK_IDENTITY,
    examples={
        Language.ENGLISH: (Example(text="Unlock Tim Vogt"), Example(text="Tim Vogt is locked out, unlock him")),
        Language.GERMAN: (Example(text="Entsperre Tim Vogt"), Example(text="Hebe die Anmeldesperre von Tim Vogt auf")),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (
    any_tool(CREATE_IDENTITY),
    any_tool(UPDATE_IDENTITY),
    any_tool(ACTIVATE_IDENTITY),
    any_tool(UNLOCK_IDENTITY),
)
