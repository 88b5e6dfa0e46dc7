"""What the model may do with groups: list, create, change, add members."""

from typing import Annotated, Final, Literal

from pydantic import Field

from nova_ui.domain.identity import EVERYONE, Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Consequence, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import (
    CURSOR_HELP,
    DEFAULT_ROWS,
    FILTER_HELP,
    ROWS_HELP,
    Cursor,
    FilterText,
    GroupRef,
    IdentityRef,
    LongText,
    RoleRef,
    Rows,
    Words,
)
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import groups as phrases
from nova_ui.tools.results import list_rows, readable_object, rows_of
from nova_ui.tools.showing import Look, changes_between, find_object, name_of, refer_all, told

AREA: Final = mark("Groups")

_ADMINISTRATORS: Final = frozenset({Role.ADMINISTRATOR})
_ROW: Final = ("id", "display_name", "description", "member_count", "owners", "membership", "rule", "roles", "source")
_MAX_ADDED: Final = 100

_ONE: Final = "GET /groups/{group_id}"
_MEMBERS: Final = "GET /groups/{group_id}/members"
_FINDS: Final = "POST /groups/evaluate-rule"
_IDENTITY: Final = "GET /identities/{identity_id}"
_ROLE: Final = "GET /roles/{role_id}"
_NAMED_MEMBERS: Final = 5

Members = Annotated[list[IdentityRef], Field(min_length=1, max_length=_MAX_ADDED)]
Given = Annotated[list[RoleRef], Field(max_length=20)]
Membership = Literal["manual", "rule"]
_RULE_HELP: Final = f"Whom it finds is a member, from now on and by itself. {FILTER_HELP}"
_FOLLOWED: Final = "followed"
Owners = Annotated[list[IdentityRef], Field(min_length=1, max_length=20)]


class ListGroups(ToolArguments):
    """Which groups to list."""

    group_id: GroupRef | None = Field(None, description="Id of one group (grp_…) to read in full, with its members.")
    q: Words | None = Field(None, description="Part of the group's name or description.")
    member_id: IdentityRef | None = Field(None, description="Only groups with this member (idn_…).")
    owner_id: IdentityRef | None = Field(None, description="Only groups owned by this identity (idn_…).")
    membership: Membership | None = Field(
        None, description="Only groups whose members are kept by hand (manual), or whom a rule finds (rule)."
    )
    role_id: RoleRef | None = Field(None, description="Only groups whose members get this role (rol_…).")
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _list_groups(arguments: ListGroups, nova: Nova) -> JsonValue:
    if arguments.group_id is not None:
        path = {"group_id": arguments.group_id}
        group = readable_object((await nova.call(_ONE, path=path)).object)
        fields = ("id", "display_name", "user_name", "department", "status", "added_at")
        members = await list_rows(
            nova, _MEMBERS, path=path, filters={}, limit=arguments.limit, cursor=arguments.cursor, fields=fields
        )
        return group | {"members": members}
    filters = arguments.model_dump(include={"q", "member_id", "owner_id", "membership", "role_id"})
    return await list_rows(
        nova, "GET /groups", filters=filters, limit=arguments.limit, cursor=arguments.cursor, fields=_ROW
    )


LIST_GROUPS = Tool(
    name="list_groups",
    title=mark("List groups"),
    summary=mark("List groups, or read one group in full with its members."),
    area=AREA,
    icon="groups",
    kind=ToolKind.READ,
    roles=EVERYONE,  # Nova shows each person what is theirs
    endpoints=("GET /groups", _ONE, _MEMBERS),
    arguments=ListGroups,
    run=_list_groups,
    phrases=phrases.LIST_GROUPS,
    examples={
        Language.ENGLISH: (Example(text="Which groups are there?"), Example(text="Who is in the group Contractors?")),
        Language.GERMAN: (
            Example(text="Welche Gruppen gibt es?"),
            Example(text="Wer ist in der Gruppe Contractors?"),
        ),
    },
)


class CreateGroup(ToolArguments):
    """The group to create."""

    display_name: Words = Field(description="Name of the new group; unique.")
    description: LongText | None = Field(None, description="What the group is for.")
    owner_ids: Owners | None = Field(None, description="Ids of the owners (idn_…). Left out: nobody.")
    rule: FilterText | None = Field(None, description=f"Left out: members are kept by hand. {_RULE_HELP}")
    role_ids: Given | None = Field(None, description="Ids of the roles (rol_…) that members get.")


async def _create_group(arguments: CreateGroup, nova: Nova) -> JsonValue:
    body: JsonObject = arguments.model_dump(exclude_none=True)
    if arguments.rule is not None:
        body["membership"] = "rule"
    return _told((await nova.call("POST /groups", body=body)).object)


async def _whom_it_finds(rule: str | None, nova: Nova) -> tuple[Consequence, ...]:
    """Tell whom a rule makes a member."""
    if rule is None:
        return ()
    found = (await nova.call(_FINDS, body={"rule": rule})).object
    names = [name_of(one, "?") for one in rows_of({"items": found.get("sample")})]
    count = found.get("count")
    return told("membership", names, "", count if isinstance(count, int) else None)


async def _show_new_group(arguments: CreateGroup, nova: Nova) -> Shown:
    roles = await refer_all(nova, _ROLE, "role_id", arguments.role_ids or ())
    given = [name_of(one, "?") for one in roles if isinstance(one, dict)]
    finds = await _whom_it_finds(arguments.rule, nova)
    return Shown(subject=arguments.display_name, consequences=(*finds, *told("role", given, "granted")))


def _told(group: JsonObject) -> JsonObject:
    """Return a group with what its change did to members, in words that no model can overlook."""
    result = readable_object(group)
    followed = result.pop(_FOLLOWED, None)
    return {"at_once": followed or "no member was added or removed, no role granted or revoked", **result}


CREATE_GROUP = Tool(
    name="create_group",
    title=mark("Create group"),
    summary=mark("Create a group: empty, or by a rule that says who is in it, with roles that members get."),
    area=AREA,
    icon="group_add",
    kind=ToolKind.WRITE,
    roles=_ADMINISTRATORS,
    endpoints=("POST /groups", _FINDS, _ROLE),
    arguments=CreateGroup,
    run=_create_group,
    action=mark("Create the group {subject}"),
    show=_show_new_group,
    phrases=phrases.CREATE_GROUP,
    examples={
        Language.ENGLISH: (
            Example(text="Create a group called Project Apollo", arguments={"display_name": "Project Apollo"}),
            Example(text="Set up a new group Interns", arguments={"display_name": "Interns"}),
        ),
        Language.GERMAN: (
            Example(text="Lege eine Gruppe Projekt Apollo an", arguments={"display_name": "Projekt Apollo"}),
            Example(text="Erstelle die Gruppe Praktikanten", arguments={"display_name": "Praktikanten"}),
        ),
    },
)


class UpdateGroup(ToolArguments):
    """What to change in a group; what is left out stays."""

    group_id: GroupRef = Field(description="Id of the group (grp_…), as list_groups returns it.")
    display_name: Words | None = Field(None, description="New name.")
    description: LongText | None = Field(None, description="New description.")
    owner_ids: Owners | None = Field(None, description="Ids of all owners from now on (idn_…).")
    rule: FilterText | None = Field(None, description=f"The rule from now on. {_RULE_HELP}")
    membership: Membership | None = Field(
        None, description="manual: members stay as they are and are kept by hand from now on; rule: needs a rule."
    )
    role_ids: Given | None = Field(None, description="Ids of all roles (rol_…) that members get from now on.")


def _new_values(arguments: UpdateGroup) -> JsonObject:
    body: JsonObject = arguments.model_dump(exclude={"group_id"}, exclude_none=True)
    if arguments.rule is not None and arguments.membership is None:
        body["membership"] = "rule"
    return body


async def _update_group(arguments: UpdateGroup, nova: Nova) -> JsonValue:
    path, body = {"group_id": arguments.group_id}, _new_values(arguments)
    return _told((await nova.call("PATCH /groups/{group_id}", path=path, body=body, if_match=nova.if_match)).object)


async def _show_update(arguments: UpdateGroup, nova: Nova) -> Shown:
    found = await find_object(nova, Look(endpoint=_ONE, path={"group_id": arguments.group_id}))
    if found is None:
        return Shown(subject=arguments.group_id)
    before: JsonObject = {
        **found.object,
        "owner_ids": found.object.get("owners"),
        "role_ids": found.object.get("roles"),
    }
    after = _new_values(arguments)
    if arguments.owner_ids is not None:
        after["owner_ids"] = await refer_all(nova, _IDENTITY, "identity_id", arguments.owner_ids)
    if arguments.role_ids is not None:
        after["role_ids"] = await refer_all(nova, _ROLE, "role_id", arguments.role_ids)
    return Shown(
        subject=name_of(found.object, arguments.group_id),
        current_state=readable_object(found.object, _ROW),
        changes=changes_between(before, after),
        consequences=await _whom_it_finds(arguments.rule, nova),
        etag=found.etag,
    )


UPDATE_GROUP = Tool(
    name="update_group",
    title=mark("Change group"),
    summary=mark("Change a group's name, description, owners, the rule that says who is in it, or the roles it gives."),
    area=AREA,
    icon="edit",
    kind=ToolKind.WRITE,
    roles=_ADMINISTRATORS,
    endpoints=("PATCH /groups/{group_id}", _ONE, _FINDS, _IDENTITY, _ROLE),
    arguments=UpdateGroup,
    run=_update_group,
    action=mark("Change the group {subject}"),
    show=_show_update,
    phrases=phrases.UPDATE_GROUP,
    examples={
        Language.ENGLISH: (
            Example(text="Rename the group Interns to Trainees", arguments={"display_name": "Trainees"}),
            Example(text="Change the description of the group Contractors"),
        ),
        Language.GERMAN: (
            Example(text="Benenne die Gruppe Interns in Trainees um", arguments={"display_name": "Trainees"}),
            Example(text="Ändere die Beschreibung der Gruppe Contractors"),
        ),
    },
)


class AddGroupMembers(ToolArguments):
    """Whom to add to which group."""

    group_id: GroupRef = Field(description="Id of the group (grp_…), as list_groups returns it.")
    identity_ids: Members = Field(description="Ids of the identities to add (idn_…), at most 100.")


async def _add_group_members(arguments: AddGroupMembers, nova: Nova) -> JsonValue:
    body: JsonObject = {"identity_ids": [*arguments.identity_ids]}
    path = {"group_id": arguments.group_id}
    answer = await nova.call("POST /groups/{group_id}/members", path=path, body=body, if_match=nova.if_match)
    return readable_object(answer.object)


async def _show_addition(arguments: AddGroupMembers, nova: Nova) -> Shown:
    added = list(dict.fromkeys(arguments.identity_ids))
    people = await refer_all(nova, _IDENTITY, "identity_id", added[:_NAMED_MEMBERS])
    names = [name_of(one, "?") for one in people if isinstance(one, dict)]
    consequences = told("membership", names, "added", len(added))
    found = await find_object(nova, Look(endpoint=_ONE, path={"group_id": arguments.group_id}))
    if found is None:
        return Shown(subject=arguments.group_id, consequences=consequences)
    return Shown(
        subject=name_of(found.object, arguments.group_id),
        current_state=readable_object(found.object, _ROW),
        consequences=consequences,
        etag=found.etag,
    )


ADD_GROUP_MEMBERS = Tool(
    name="add_group_members",
    title=mark("Add group members"),
    summary=mark("Add identities to a group. Those who are members already stay so."),
    area=AREA,
    icon="person_add",
    kind=ToolKind.WRITE,
    roles=_ADMINISTRATORS,
    endpoints=("POST /groups/{group_id}/members", _ONE, _IDENTITY),
    arguments=AddGroupMembers,
    run=_add_group_members,
    action=mark("Add members to the group {subject}"),
    show=_show_addition,
    phrases=phrases.ADD_GROUP_MEMBERS,
    examples={
        Language.ENGLISH: (
            Example(text="Add Tim Vogt to the group Contractors"),
            Example(text="Put Lea Brandt into the group Interns"),
        ),
        Language.GERMAN: (
            Example(text="Füge Tim Vogt zur Gruppe Contractors hinzu"),
            Example(text="Nimm Lea Brandt in die Gruppe Interns auf"),
        ),
    },
)


TOOLS: Final[tuple[AnyTool, ...]] = (
    any_tool(LIST_GROUPS),
    any_tool(CREATE_GROUP),
    any_tool(UPDATE_GROUP),
    any_tool(ADD_GROUP_MEMBERS),
)
