"""How an administrator sends a message: whom it reaches is shown, with their number, before it goes out."""

from collections.abc import Mapping
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, QueryValue, Weighing, no_path
from nova_ui.presenters.fields import text_at
from nova_ui.presenters.object_form import Control, FormField

_EVERYONE: Final = "everyone"
_AUDIENCE: Final = "audience"
_BY: Final[Mapping[str, str]] = {"group": "group_id", "role": "role_id", "people": "identity_ids"}
_AUDIENCES: Final = {
    _EVERYONE: mark("Everyone"),
    "group": mark("The members of a group"),
    "role": mark("Whoever holds a role"),
    "people": mark("People by name"),
}


def _audience_of(given: JsonObject) -> JsonObject:
    """Return whom the form means; nobody where the group, the role or the people are missing, which Nova refuses."""
    chosen = text_at(given, _AUDIENCE)
    if chosen == _EVERYONE:
        return {_EVERYONE: True}
    name = _BY.get(chosen, "")
    value = given.get(name)
    return {name: value} if value else {}


def _query(given: JsonObject) -> Mapping[str, QueryValue]:
    audience = {name: _in_query(value) for name, value in _audience_of(given).items()}
    return {"action": "send", **audience}


def _in_query(value: JsonValue) -> str:
    if isinstance(value, list):
        return ",".join(str(one) for one in value)
    return "true" if value is True else str(value)


def _body(given: JsonObject, _: JsonObject) -> JsonObject:
    return {_AUDIENCE: _audience_of(given), "title": given.get("title"), "body": given.get("body")}


SEND_MESSAGE: Final = Action(
    key="message",
    label=mark("Send message"),
    sentence=mark("Send a message"),
    done=mark("The message is sent."),
    icon="campaign",
    endpoint="POST /notifications",
    weighing=Weighing(endpoint="GET /notifications/impact", path=no_path, query=_query),
    weighs_form=True,
    fields=(
        FormField(
            name=_AUDIENCE,
            label=mark("Recipients"),
            control=Control.CHOICE,
            choices=_AUDIENCES,
            required=True,
            clears=False,
            default=_EVERYONE,
        ),
        FormField(name="group_id", label=mark("Group (for the members of a group)"), control=Control.ONE, of="group"),
        FormField(name="role_id", label=mark("Role (for whoever holds a role)"), control=Control.ONE, of="role"),
        FormField(name="identity_ids", label=mark("People (for people by name)"), control=Control.SEVERAL, of="person"),
        FormField(name="title", label=mark("Subject"), required=True),
        FormField(name="body", label=mark("Message"), control=Control.LONG_TEXT, required=True),
    ),
    shape=_body,
)
