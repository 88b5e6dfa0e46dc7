"""What administrators can do to an identity."""

from typing import Final

from nova_ui.domain.identity import Identity, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, Offered, Weighing, path_of
from nova_ui.presenters.directory_words import LANGUAGES, USER_TYPES
from nova_ui.presenters.fields import Field, Shown, rows_in, text_at
from nova_ui.presenters.object_form import Control, FormField

_ONE: Final = "GET /identities/{identity_id}"
_PATH: Final = path_of("identity_id")
_STATE: Final = (
    Field(name="display_name"),
    Field(name="user_name", shown=Shown.LITERAL),
    Field(name="user_type", shown=Shown.WORD),
    Field(name="department"),
    Field(name="manager", shown=Shown.OBJECT),
    Field(name="status", shown=Shown.STATE),
)
_REASON: Final = FormField(name="reason", control=Control.LONG_TEXT)


def _when(status: frozenset[str]) -> Offered:
    def is_offered(person: Identity, one: JsonObject) -> bool:
        return person.is_administrator and text_at(one, "status") in status

    return is_offered


def _is_administrator(one: JsonObject) -> bool:
    roles = one.get("nova_roles")
    return isinstance(roles, list) and Role.ADMINISTRATOR.value in roles


def _has_factor(person: Identity, one: JsonObject) -> bool:
    return person.is_administrator and bool(one.get("mfa_methods")) and text_at(one, "id") != person.id


def _locked(person: Identity, one: JsonObject) -> bool:
    return person.is_administrator and bool(text_at(one, "locked_until"))


def _weighed(action: str) -> Weighing:
    return Weighing(endpoint=f"{_ONE}/impact", path=_PATH, query=lambda _: {"action": action})


def _with_email(body: JsonObject, current: JsonObject) -> JsonObject:
    """Put the entered address in the place of the primary one; the other addresses stay."""
    if "email" not in body:
        return body
    others: list[JsonValue] = [
        {name: one[name] for name in ("value", "type", "primary") if name in one}
        for one in rows_in(current, "emails")
        if one.get("primary") is not True and one.get("value") != current.get("email")
    ]
    entered = body["email"]
    first: list[JsonValue] = [] if entered is None else [{"value": entered, "type": "work", "primary": True}]
    return {**{name: value for name, value in body.items() if name != "email"}, "emails": [*first, *others]}


_POSITION: Final = (
    FormField(name="title"),
    FormField(name="department"),
    FormField(name="location"),
    FormField(name="cost_center"),
    FormField(name="manager_id", control=Control.ONE, of="person", at="manager"),
    FormField(name="start_date", control=Control.DAY),
    FormField(name="end_date", control=Control.DAY),
)
_NAMES: Final = (
    FormField(name="display_name", required=True, clears=False),
    FormField(name="given_name", emptied=""),
    FormField(name="family_name", emptied=""),
    FormField(name="email"),
)
_KIND: Final = (
    FormField(name="user_type", control=Control.CHOICE, choices=USER_TYPES, clears=False, default="employee"),
    FormField(name="preferred_language", control=Control.CHOICE, choices=LANGUAGES, clears=False, default="en"),
)

NEW_IDENTITY: Final = Action(
    key="new",
    label=mark("New identity"),
    sentence=mark("Create an identity"),
    done=mark("The identity is created."),
    icon="person_add",
    endpoint="POST /identities",
    fields=(FormField(name="user_name", required=True), *_NAMES, *_KIND, *_POSITION),
    shape=_with_email,
    leaves="/identities/",
)


def _ending(key: str, *, label: str, sentence: str, done: str, icon: str, when: frozenset[str]) -> Action:
    return Action(
        key=key,
        label=label,
        sentence=sentence,
        done=done,
        icon=icon,
        endpoint=f"POST /identities/{{identity_id}}/{key}",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        state=_STATE,
        weighing=_weighed(key),
        fields=(_REASON,),
        is_offered=_when(when),
    )


IDENTITY_ACTIONS: Final = (
    Action(
        key="edit",
        label=mark("Edit"),
        sentence=mark("Change {subject}"),
        done=mark("The change is stored."),
        icon="edit",
        endpoint="PATCH /identities/{identity_id}",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        fields=(*_NAMES, *_KIND, *_POSITION),
        is_patch=True,
        shape=_with_email,
    ),
    Action(
        key="activate",
        label=mark("Activate"),
        sentence=mark("Activate {subject}"),
        done=mark("The identity is active."),
        icon="play_circle",
        endpoint="POST /identities/{identity_id}/activate",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        fields=(_REASON,),
        asks_again=_is_administrator,
        is_offered=_when(frozenset({"staged", "suspended", "disabled"})),
    ),
    Action(
        key="unlock",
        label=mark("Unlock"),
        sentence=mark("Unlock {subject}: failed sign-ins are forgotten"),
        done=mark("The identity can sign in again."),
        icon="lock_open",
        endpoint="POST /identities/{identity_id}/unlock",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        is_offered=_locked,
    ),
    Action(
        key="reset-mfa",
        label=mark("Reset second factor"),
        sentence=mark("Reset the second factor of {subject}: app and recovery codes no longer count, sessions end"),
        done=mark("The second factor is reset. Its owner is told."),
        icon="phonelink_erase",
        endpoint="POST /identities/{identity_id}/reset-mfa",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        state=(*_STATE, Field(name="mfa_methods", label=mark("Second factor"), shown=Shown.WORD)),
        asks_again=lambda _: True,
        is_offered=_has_factor,
    ),
    _ending(
        "suspend",
        label=mark("Suspend"),
        sentence=mark("Suspend the identity {subject}"),
        done=mark("The identity is suspended."),
        icon="pause_circle",
        when=frozenset({"active"}),
    ),
    _ending(
        "disable",
        label=mark("Disable"),
        sentence=mark("Disable the identity {subject}"),
        done=mark("The identity is disabled."),
        icon="do_not_disturb_on",
        when=frozenset({"active", "suspended", "staged"}),
    ),
    Action(
        key="end-sessions",
        label=mark("End all sessions"),
        sentence=mark("End all sessions of {subject}"),
        done=mark("All sessions are over."),
        icon="logout",
        endpoint="DELETE /identities/{identity_id}/sessions",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        state=_STATE,
        weighing=_weighed("end_sessions"),
    ),
    _ending(
        "archive",
        label=mark("Archive"),
        sentence=mark("Archive the identity {subject}: what is personal is removed, and there is no way back"),
        done=mark("The identity is archived."),
        icon="inventory_2",
        when=frozenset({"disabled"}),
    ),
    Action(
        key="delete",
        label=mark("Delete"),
        sentence=mark("Delete the identity {subject}"),
        done=mark("The identity is deleted."),
        icon="delete",
        endpoint="DELETE /identities/{identity_id}",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        state=_STATE,
        weighing=_weighed("delete"),
        leaves="/identities",
    ),
)
