"""Roles: the list, and one role with its holders."""

from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.presenters.access_parts import CHANGE_END, REVOKE
from nova_ui.presenters.actions import Action, Weighing, path_of
from nova_ui.presenters.directory_words import APPROVALS, RISKS, ROLE_STATUS
from nova_ui.presenters.fields import Field, Shown, rows_in, text_at
from nova_ui.presenters.list_filters import Filter, FilterKind
from nova_ui.presenters.object_form import Control, FormField
from nova_ui.presenters.object_list import ListKind
from nova_ui.presenters.object_page import FactGroup, ObjectKind, PartKind

_ONE: Final = "GET /roles/{role_id}"
_PATH: Final = path_of("role_id")
_YES_NO: Final = {"true": mark("yes"), "false": mark("no")}
_RULE: Final = mark("Held by whom this rule finds")
_FIELDS: Final = (
    FormField(name="display_name", required=True, clears=False),
    FormField(name="description", control=Control.LONG_TEXT, emptied=""),
    FormField(name="application_id", control=Control.ONE, of="application", at="application"),
    FormField(name="owner_ids", control=Control.SEVERAL, of="person", at="owners", emptied=[]),
    FormField(name="requestable", control=Control.YES_NO, default=True, clears=False),
    FormField(name="approval", control=Control.CHOICE, choices=APPROVALS, default="manager", clears=False),
    FormField(name="max_days", control=Control.NUMBER),
    FormField(name="risk", control=Control.CHOICE, choices=RISKS, default="low", clears=False),
    FormField(name="privileged", control=Control.YES_NO, default=False, clears=False),
    FormField(name="status", control=Control.CHOICE, choices=ROLE_STATUS, default="active", clears=False),
    FormField(name="birthright_rule", label=_RULE, control=Control.RULE),
)
_STATE: Final = (
    Field(name="display_name"),
    Field(name="application", shown=Shown.OBJECT),
    Field(name="holder_count", label=mark("Holders"), shown=Shown.NUMBER),
    Field(name="status", shown=Shown.STATE),
)


def holders_in(body: JsonObject) -> tuple[JsonObject, ...]:
    """Return the assignments of an answer under the name that actions know them by."""
    return tuple({**row, "assignment_id": text_at(row, "id")} for row in rows_in(body))


def _deletable(person: Identity, role: JsonObject) -> bool:
    return person.is_administrator and role.get("protected") is not True


NEW_ROLE: Final = Action(
    key="new",
    label=mark("New role"),
    sentence=mark("Create a role"),
    done=mark("The role is created."),
    icon="add_moderator",
    endpoint="POST /roles",
    fields=(FormField(name="key", label=mark("Key, such as crm-reader"), required=True), *_FIELDS),
    leaves="/roles/",
)

ROLE_LIST: Final = ListKind(
    endpoint="GET /roles",
    label=mark("Roles"),
    search=mark("Search name and description"),
    icon="badge",
    empty=mark("There is no role that you may see."),
    opens="role",
    actions=(NEW_ROLE,),
    columns=(
        Field(name="display_name", strong=True),
        Field(name="application", shown=Shown.OBJECT, opens="application"),
        Field(name="description", minor=True),
        Field(name="approval", label=mark("Approved by"), shown=Shown.WORD, minor=True),
        Field(name="holder_count", label=mark("Holders"), shown=Shown.NUMBER, minor=True),
        Field(name="risk", shown=Shown.STATE),
        Field(name="status", shown=Shown.STATE, minor=True),
    ),
    filters=(
        Filter(name="status", label=mark("Status"), choices=ROLE_STATUS),
        Filter(name="risk", label=mark("Risk"), choices=RISKS),
        Filter(name="requestable", label=mark("Can be requested"), kind=FilterKind.YES_NO, choices=_YES_NO),
        Filter(name="privileged", label=mark("Privileged"), kind=FilterKind.YES_NO, choices=_YES_NO),
        Filter(name="birthright", label=mark("Comes by a rule"), kind=FilterKind.YES_NO, choices=_YES_NO),
        Filter(name="approval", label=mark("Approved by"), choices=APPROVALS),
        Filter(name="application_id", label=mark("Application"), kind=FilterKind.OBJECT, names="application"),
        Filter(name="owner_id", label=mark("Owner"), kind=FilterKind.OBJECT, names="identity"),
    ),
)


def _bundle(body: JsonObject, _: JsonObject) -> JsonObject:
    """Return the whole bundle: what was emptied is bundled no more."""
    return {"entitlement_ids": [], "child_role_ids": [], **body}


def _joined(one: JsonObject, name: str) -> str:
    ids = one.get(name)
    return ",".join(str(each) for each in ids) if isinstance(ids, list) else ""


EDIT_BUNDLE: Final = Action(
    key="bundle",
    label=mark("Edit the bundle"),
    sentence=mark("Change what {subject} bundles"),
    done=mark("The change is stored."),
    icon="inventory_2",
    endpoint="PUT /roles/{role_id}/entitlements",
    path=_PATH,
    reads=_ONE,
    reads_path=_PATH,
    weighing=Weighing(
        endpoint=f"{_ONE}/entitlements/impact",
        path=_PATH,
        query=lambda one: {name: _joined(one, name) for name in ("entitlement_ids", "child_role_ids")},
    ),
    weighs_form=True,
    fields=(
        FormField(
            name="entitlement_ids",
            label=mark("Entitlements"),
            control=Control.SEVERAL,
            of="entitlement",
            at="entitlements",
        ),
        FormField(
            name="child_role_ids",
            label=mark("Includes the roles"),
            control=Control.SEVERAL,
            of="role",
            at="child_roles",
        ),
    ),
    is_replacement=True,
    shape=_bundle,
)

ROLE: Final = ObjectKind(
    type="role",
    label=mark("Role"),
    plural=mark("Roles"),
    list_path="/roles",
    endpoint=_ONE,
    parameter="role_id",
    badges=(Field(name="status", shown=Shown.STATE), Field(name="risk", shown=Shown.STATE)),
    facts=(
        FactGroup(
            heading=mark("Role"),
            fields=(
                Field(name="key", label=mark("Key"), shown=Shown.LITERAL),
                Field(name="description"),
                Field(name="application", shown=Shown.OBJECT, opens="application"),
                Field(name="owners", shown=Shown.OBJECTS, opens="identity"),
                Field(name="entitlements", label=mark("Entitlements"), shown=Shown.OBJECTS),
                Field(name="child_roles", label=mark("Includes the roles"), shown=Shown.OBJECTS, opens="role"),
                Field(name="privileged", shown=Shown.YES_NO),
                Field(name="protected", label=mark("Protected"), shown=Shown.YES_NO),
            ),
        ),
        FactGroup(
            heading=mark("How it is given"),
            fields=(
                Field(name="requestable", shown=Shown.YES_NO),
                Field(name="approval", label=mark("Approved by"), shown=Shown.WORD),
                Field(name="max_days", shown=Shown.NUMBER),
                Field(name="birthright_rule", label=_RULE, shown=Shown.LITERAL),
                Field(name="holder_count", label=mark("Holders"), shown=Shown.NUMBER),
                Field(name="updated_at", shown=Shown.MOMENT),
            ),
        ),
    ),
    parts=(
        PartKind(
            key="holders",
            heading=mark("Holders"),
            empty=mark("Nobody whom you may see holds this role."),
            endpoint="GET /assignments",
            query=lambda one: {"role_id": text_at(one, "id"), "status": "active"},
            read=holders_in,
            columns=(
                Field(name="identity", label=mark("Identity"), shown=Shown.OBJECT, opens="identity", strong=True),
                Field(name="source", shown=Shown.WORD),
                Field(name="granted_by", label=mark("Granted by"), shown=Shown.OBJECT, minor=True),
                Field(name="valid_from", label=mark("Since"), shown=Shown.DAY, minor=True),
                Field(name="valid_until", shown=Shown.DAY),
            ),
            row_actions=(CHANGE_END, REVOKE),
            all_at=lambda one: f"/identities?role_id={text_at(one, 'id')}",
        ),
    ),
    actions=(
        Action(
            key="edit",
            label=mark("Edit"),
            sentence=mark("Change {subject}"),
            done=mark("The change is stored."),
            icon="edit",
            endpoint="PATCH /roles/{role_id}",
            path=_PATH,
            reads=_ONE,
            reads_path=_PATH,
            fields=_FIELDS,
            is_patch=True,
        ),
        EDIT_BUNDLE,
        Action(
            key="delete",
            label=mark("Delete"),
            sentence=mark("Delete the role {subject}"),
            done=mark("The role is deleted."),
            icon="delete",
            endpoint="DELETE /roles/{role_id}",
            path=_PATH,
            reads=_ONE,
            reads_path=_PATH,
            state=_STATE,
            weighing=Weighing(endpoint=f"{_ONE}/impact", path=_PATH, query=lambda _: {"action": "delete"}),
            is_offered=_deletable,
            leaves="/roles",
        ),
    ),
)
