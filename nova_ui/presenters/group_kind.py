"""Groups: the list, and one group with its members."""

from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, Filling, Weighing, path_of
from nova_ui.presenters.directory_words import MEMBERSHIPS, SOURCES
from nova_ui.presenters.fields import Field, Shown, refs_at, text_at
from nova_ui.presenters.list_filters import Filter, FilterKind
from nova_ui.presenters.object_form import Control, FormField
from nova_ui.presenters.object_list import ListKind
from nova_ui.presenters.object_page import OWNER, FactGroup, ObjectKind, PartKind

_ONE: Final = "GET /groups/{group_id}"
_PATH: Final = path_of("group_id")
_OF_ROW: Final = path_of("group_id", f"{OWNER}.id")
_STATE: Final = (
    Field(name="display_name"),
    Field(name="description"),
    Field(name="owners", shown=Shown.OBJECTS),
    Field(name="member_count", shown=Shown.NUMBER),
)
_MAX_REPLACED: Final = 200
_RULE: Final = mark("Rule")
_GIVES: Final = mark("Roles that members get")
_FIELDS: Final = (
    FormField(name="display_name", required=True, clears=False),
    FormField(name="description", control=Control.LONG_TEXT, emptied=""),
    FormField(name="owner_ids", control=Control.SEVERAL, of="person", at="owners", emptied=[]),
    FormField(name="membership", control=Control.CHOICE, choices=MEMBERSHIPS, default="manual", clears=False),
    FormField(name="rule", label=_RULE, control=Control.RULE),
    FormField(name="role_ids", label=_GIVES, control=Control.SEVERAL, of="role", at="roles", emptied=[]),
)


def _kept_here(group: JsonObject) -> bool:
    return text_at(group, "source") != "connector"


def _changeable(person: Identity, group: JsonObject) -> bool:
    return person.is_administrator and _kept_here(group)


def _deletable(person: Identity, group: JsonObject) -> bool:
    return _changeable(person, group) and group.get("protected") is not True


def _fillable(person: Identity, group: JsonObject) -> bool:
    may = person.is_administrator or person.id in refs_at(group, "owners")
    return may and _kept_here(group) and text_at(group, "membership") != "rule"


def _replaceable(person: Identity, group: JsonObject) -> bool:
    """Whether the form can hold all members that there are."""
    count = group.get("member_count")
    fits = isinstance(count, int) and count <= _MAX_REPLACED
    return person.is_administrator and _fillable(person, group) and fits


def _chosen(body: JsonObject) -> list[str]:
    chosen = body.get("identity_ids")
    return [str(one) for one in chosen] if isinstance(chosen, list) else []


def _removable(person: Identity, row: JsonObject) -> bool:
    group = row.get(OWNER)
    return isinstance(group, dict) and _fillable(person, group)


NEW_GROUP: Final = Action(
    key="new",
    label=mark("New group"),
    sentence=mark("Create a group"),
    done=mark("The group is created."),
    icon="group_add",
    endpoint="POST /groups",
    fields=_FIELDS,
    leaves="/groups/",
)
ADD_MEMBERS: Final = Action(
    key="add-members",
    label=mark("Add members"),
    sentence=mark("Add members to {subject}"),
    done=mark("The members are added."),
    icon="person_add",
    endpoint="POST /groups/{group_id}/members",
    path=_PATH,
    fields=(FormField(name="identity_ids", control=Control.SEVERAL, of="person", at="no_one", required=True),),
    is_offered=_fillable,
)
REPLACE_MEMBERS: Final = Action(
    key="replace-members",
    label=mark("Replace all members"),
    sentence=mark("Replace all members of {subject}"),
    done=mark("The members are replaced."),
    icon="published_with_changes",
    endpoint="PUT /groups/{group_id}/members",
    path=_PATH,
    reads=_ONE,
    reads_path=_PATH,
    filling=Filling(
        name="members", endpoint="GET /groups/{group_id}/members", path=_PATH, query={"limit": _MAX_REPLACED}
    ),
    state=_STATE,
    fields=(
        FormField(
            name="identity_ids",
            label=mark("Members from now on"),
            control=Control.SEVERAL,
            of="person",
            at="members",
        ),
    ),
    is_replacement=True,
    weighs_form=True,
    weighing=Weighing(
        endpoint=f"{_ONE}/impact",
        path=_PATH,
        query=lambda one: {"action": "replace_members", "identity_ids": ",".join(_chosen(one))},
    ),
    shape=lambda body, _: {"identity_ids": [*_chosen(body)]},  # nobody is a choice too
    is_offered=_replaceable,
)
REMOVE_MEMBER: Final = Action(
    key="remove",
    label=mark("Remove"),
    sentence=mark("Remove {other} from the group {subject}"),
    done=mark("The member is removed."),
    endpoint="DELETE /groups/{group_id}/members/{identity_id}",
    path=lambda row: {**_OF_ROW(row), "identity_id": text_at(row, "id")},
    reads=_ONE,
    reads_path=_OF_ROW,
    state=_STATE,
    weighing=Weighing(
        endpoint=f"{_ONE}/impact",
        path=_OF_ROW,
        query=lambda row: {"action": "remove_member", "identity_id": text_at(row, "id")},
    ),
    is_offered=_removable,
)

GROUP_LIST: Final = ListKind(
    endpoint="GET /groups",
    label=mark("Groups"),
    search=mark("Search name and description"),
    icon="groups",
    empty=mark("There is no group yet."),
    opens="group",
    actions=(NEW_GROUP,),
    columns=(
        Field(name="display_name", strong=True),
        Field(name="description", minor=True),
        Field(name="owners", shown=Shown.OBJECTS),
        Field(name="member_count", shown=Shown.NUMBER),
        Field(name="membership", label=mark("Membership"), shown=Shown.WORD, minor=True),
        Field(name="source", label=mark("Kept by"), shown=Shown.WORD, minor=True),
    ),
    filters=(
        Filter(name="membership", label=mark("Membership"), choices=MEMBERSHIPS),
        Filter(name="source", label=mark("Kept by"), choices=SOURCES),
        Filter(name="owner_id", label=mark("Owner"), kind=FilterKind.OBJECT, names="identity"),
        Filter(name="member_id", label=mark("Member"), kind=FilterKind.OBJECT, names="identity"),
    ),
)

GROUP: Final = ObjectKind(
    type="group",
    label=mark("Group"),
    plural=mark("Groups"),
    list_path="/groups",
    endpoint=_ONE,
    parameter="group_id",
    badges=(Field(name="membership", shown=Shown.WORD),),
    facts=(
        FactGroup(
            heading=mark("Group"),
            fields=(
                Field(name="description"),
                Field(name="owners", shown=Shown.OBJECTS, opens="identity"),
                Field(name="rule", label=_RULE, shown=Shown.LITERAL),
                Field(name="roles", label=_GIVES, shown=Shown.OBJECTS, opens="role"),
                Field(name="source", label=mark("Kept by"), shown=Shown.WORD),
                Field(name="protected", label=mark("Protected"), shown=Shown.YES_NO),
                Field(name="created_at", shown=Shown.DAY),
                Field(name="updated_at", shown=Shown.MOMENT),
            ),
        ),
    ),
    parts=(
        PartKind(
            key="members",
            heading=mark("Members"),
            empty=mark("Nobody is in this group."),
            endpoint="GET /groups/{group_id}/members",
            path=_PATH,
            opens="identity",
            columns=(
                Field(name="display_name", strong=True),
                Field(name="user_name", shown=Shown.LITERAL, minor=True),
                Field(name="department"),
                Field(name="added_at", label=mark("Member since"), shown=Shown.DAY, minor=True),
                Field(name="status", shown=Shown.STATE),
            ),
            actions=(ADD_MEMBERS, REPLACE_MEMBERS),
            row_actions=(REMOVE_MEMBER,),
            all_at=lambda one: f"/identities?group_id={text_at(one, 'id')}",
        ),
    ),
    actions=(
        Action(
            key="edit",
            label=mark("Edit"),
            sentence=mark("Change {subject}"),
            done=mark("The change is stored."),
            icon="edit",
            endpoint="PATCH /groups/{group_id}",
            path=_PATH,
            reads=_ONE,
            reads_path=_PATH,
            fields=_FIELDS,
            is_patch=True,
            is_offered=_changeable,
        ),
        Action(
            key="delete",
            label=mark("Delete"),
            sentence=mark("Delete the group {subject}"),
            done=mark("The group is deleted."),
            icon="delete",
            endpoint="DELETE /groups/{group_id}",
            path=_PATH,
            reads=_ONE,
            reads_path=_PATH,
            state=_STATE,
            weighing=Weighing(endpoint=f"{_ONE}/impact", path=_PATH, query=lambda _: {"action": "delete"}),
            is_offered=_deletable,
            leaves="/groups",
        ),
    ),
)
