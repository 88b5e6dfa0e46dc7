"""What administrators can do about the connection of an application."""

from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, Offered, path_of
from nova_ui.presenters.directory_words import AUTHENTICATIONS, GRANTS, METHODS
from nova_ui.presenters.fields import Field, Shown, text_at
from nova_ui.presenters.object_form import Control, FormField

ENDPOINT: Final = "GET /applications/{application_id}/connection"
PATH: Final = path_of("application_id")

_FORMS: Final = {
    "oidc": (
        FormField(name="issuer", required=True),
        FormField(name="client_id", required=True),
        FormField(
            name="token_endpoint_auth_method", control=Control.CHOICE, choices=METHODS, default="client_secret_basic"
        ),
        FormField(name="client_secret", control=Control.SECRET),
        FormField(name="redirect_uris", control=Control.LINES),
        FormField(name="post_logout_redirect_uris", control=Control.LINES),
        FormField(
            name="grant_types", control=Control.CHOICES, choices=GRANTS, required=True, default=["authorization_code"]
        ),
    ),
    "scim": (
        FormField(name="base_url", required=True),
        FormField(name="auth", control=Control.CHOICE, choices=AUTHENTICATIONS, default="bearer"),
        FormField(name="bearer_token", control=Control.SECRET),
        FormField(name="verify_tls", control=Control.YES_NO, default=True),
    ),
    "ldap": (
        FormField(name="url", label=mark("Address, such as ldaps://directory.example"), required=True),
        FormField(name="start_tls", control=Control.YES_NO, default=False),
        FormField(name="bind_dn"),
        FormField(name="bind_password", control=Control.SECRET),
        FormField(name="base_dn", required=True),
        FormField(name="user_filter", default="(objectClass=inetOrgPerson)"),
        FormField(name="group_filter", default="(objectClass=groupOfNames)"),
    ),
}
_STATE: Final = (Field(name="test_detail", shown=Shown.SENTENCE),)
_AFTER: Final = (Field(name="rotated_at", shown=Shown.MOMENT), Field(name="updated_at", shown=Shown.MOMENT))
_FACTS: Final = {
    "oidc": (
        Field(name="issuer", shown=Shown.LITERAL),
        Field(name="client_id", shown=Shown.LITERAL),
        Field(name="client_secret", shown=Shown.SECRET),
        Field(name="token_endpoint_auth_method", shown=Shown.WORD),
        Field(name="redirect_uris", shown=Shown.LITERALS),
        Field(name="post_logout_redirect_uris", shown=Shown.LITERALS),
        Field(name="grant_types", shown=Shown.WORD),
    ),
    "scim": (
        Field(name="base_url", shown=Shown.LITERAL),
        Field(name="auth", shown=Shown.WORD),
        Field(name="bearer_token", shown=Shown.SECRET),
        Field(name="verify_tls", shown=Shown.YES_NO),
    ),
    "ldap": (
        Field(name="url", shown=Shown.LITERAL),
        Field(name="start_tls", shown=Shown.YES_NO),
        Field(name="bind_dn", shown=Shown.LITERAL),
        Field(name="bind_password", shown=Shown.SECRET),
        Field(name="base_dn", shown=Shown.LITERAL),
        Field(name="user_filter", shown=Shown.LITERAL),
        Field(name="group_filter", shown=Shown.LITERAL),
    ),
}


def facts_of(connection: JsonObject) -> tuple[Field, ...]:
    """Return what is shown of a connection of its kind."""
    known = (*_STATE, *_FACTS.get(text_at(connection, "kind"), ()), *_AFTER)
    return tuple(one for one in known if one.name != "rotated_at" or connection.get("rotated_at"))


def connection_in(body: JsonObject) -> tuple[JsonObject, ...]:
    """Return the one row of an answer; none where there is no connection."""
    return () if text_at(body, "kind") in {"", "none"} else (body,)


def _connected_by(*kinds: str) -> Offered:
    def is_offered(person: Identity, one: JsonObject) -> bool:
        return person.is_administrator and text_at(one, "connection") in kinds

    return is_offered


def _set(kind: str, *, key: str, label: str, sentence: str, icon: str, offered: Offered) -> Action:
    return Action(
        key=key,
        label=label,
        sentence=sentence,
        done=mark("The connection is stored. Test it before you rely on it."),
        icon=icon,
        endpoint="PUT /applications/{application_id}/connection",
        path=PATH,
        reads=ENDPOINT,
        reads_path=PATH,
        fields=_FORMS[kind],
        is_replacement=True,
        shape=lambda body, _: {"kind": kind, **body},
        is_offered=offered,
        name="application.display_name",
    )


TEST: Final = Action(
    key="test-connection",
    label=mark("Test connection"),
    sentence=mark("Testing the connection of {subject}"),
    done=mark("The connection is tested."),
    icon="network_check",
    endpoint="POST /applications/{application_id}/test",
    path=PATH,
    is_immediate=True,
    told="detail",
    went_wrong=lambda answer: text_at(answer, "state") != "ok",
    is_offered=_connected_by("oidc", "scim", "ldap"),
)
_ROTATE: Final = Action(
    key="rotate-secret",
    label=mark("Replace the secret"),
    sentence=mark("Replace the secret of the connection of {subject}"),
    done=mark("The secret is replaced. Test the connection."),
    icon="key",
    endpoint="POST /applications/{application_id}/connection/rotate-secret",
    path=PATH,
    reads=ENDPOINT,
    reads_path=PATH,
    fields=(FormField(name="secret", control=Control.SECRET, required=True),),
    is_offered=_connected_by("oidc", "scim", "ldap"),
    name="application.display_name",
)
_REMOVE: Final = Action(
    key="remove-connection",
    label=mark("Remove connection"),
    sentence=mark("Remove the connection of {subject}, with its secret"),
    done=mark("The connection is removed."),
    icon="link_off",
    endpoint="PUT /applications/{application_id}/connection",
    path=PATH,
    reads=ENDPOINT,
    reads_path=PATH,
    shape=lambda _, __: {"kind": "none"},
    is_offered=_connected_by("oidc", "scim", "ldap"),
    name="application.display_name",
)
_CHANGES: Final = tuple(
    _set(
        kind,
        key=f"change-{kind}",
        label=mark("Change the settings"),
        sentence=mark("Change the connection of {subject}"),
        icon="edit",
        offered=_connected_by(kind),
    )
    for kind in _FORMS
)
CONNECTION_ACTIONS: Final = (
    TEST,
    *_CHANGES,
    _ROTATE,
    _REMOVE,
    _set(
        "oidc",
        key="connect-oidc",
        label=mark("Connect by OIDC"),
        sentence=mark("Connect {subject} by OIDC"),
        icon="login",
        offered=_connected_by("none"),
    ),
    _set(
        "scim",
        key="connect-scim",
        label=mark("Connect by SCIM"),
        sentence=mark("Connect {subject} by SCIM"),
        icon="sync_alt",
        offered=_connected_by("none"),
    ),
    _set(
        "ldap",
        key="connect-ldap",
        label=mark("Connect by LDAP"),
        sentence=mark("Connect {subject} by LDAP"),
        icon="account_tree",
        offered=_connected_by("none"),
    ),
)
