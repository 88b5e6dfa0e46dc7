"""What holds between the fields of a connection, and when a stored secret may stay (abuse case 50)."""

from collections.abc import Mapping
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaInvalid
from nova_ui.nova.views import LdapSettings, NoSettings, OidcSettings, ScimSettings
from nova_ui.outgoing.address import LDAP, WEB, AddressRefused, check_address, parse_address
from storage.nova.application_tables import SECRET_OF

Settings = OidcSettings | ScimSettings | LdapSettings | NoSettings

ADDRESS_OF: Final[Mapping[str, str]] = {"oidc": "issuer", "scim": "base_url", "ldap": "url"}
# What makes the way to the other end less safe when it is switched so.
_WEAKENED: Final[Mapping[str, bool]] = {"verify_tls": False, "start_tls": False}
_NEEDS_SECRET: Final = frozenset({"client_credentials"})


def settings_of(body: Settings) -> JsonObject:
    """Return what of a body is stored as it is."""
    return body.model_dump(mode="json", exclude={"kind", *SECRET_OF.values()})


def check_settings(body: Settings, *, allow_private: bool) -> None:
    """Refuse settings that contradict each other, or an address that Nova does not call.

    Raises:
        NovaInvalid: names the field.

    """
    match body:
        case OidcSettings():
            _check_reachable(body.issuer, "issuer", WEB, allow_private=allow_private)
            _check_client(body)
        case ScimSettings():
            _check_reachable(body.base_url, "base_url", WEB, allow_private=allow_private)
        case LdapSettings():
            _check_reachable(body.url, "url", LDAP, allow_private=allow_private)
            _check_directory(body)
        case NoSettings():
            pass


def check_secret_may_stay(before: Mapping[str, JsonValue], body: Settings) -> None:
    """Refuse to keep a stored secret for another place than the one it was given for.

    Raises:
        NovaInvalid: the address has changed, or the way there has become less safe.

    """
    after, secret = settings_of(body), SECRET_OF[body.kind]
    address = ADDRESS_OF[body.kind]
    if before.get(address) != after[address]:
        raise NovaInvalid(
            f"{address} changes: give {secret} again, or clear it with null. "
            "A stored secret is never sent to another address.",
            field=secret,
        )
    for name, weak in _WEAKENED.items():
        if name in after and after[name] is weak and before.get(name) is not weak:
            raise NovaInvalid(f"{name} is switched off: give {secret} again, or clear it with null.", field=secret)


def _check_reachable(address: str, field: str, schemes: frozenset[str], *, allow_private: bool) -> None:
    try:
        check_address(address, allow_private=allow_private, schemes=schemes)
    except AddressRefused as refused:
        raise NovaInvalid(refused.sentence, field=field) from None


def _check_client(body: OidcSettings) -> None:
    if "authorization_code" in body.grant_types and not body.redirect_uris:
        raise NovaInvalid("The grant type authorization_code needs at least one address.", field="redirect_uris")
    if body.token_endpoint_auth_method != "none":  # noqa: S105 - the name of a method
        return
    if body.client_secret is not None:
        raise NovaInvalid("A client that authenticates by none has no secret.", field="client_secret")
    if _NEEDS_SECRET & {*body.grant_types}:
        raise NovaInvalid("The grant type client_credentials needs a client with a secret.", field="grant_types")


def _check_directory(body: LdapSettings) -> None:
    address = parse_address(body.url, schemes=LDAP)
    if body.start_tls and address.scheme == "ldaps":
        raise NovaInvalid("ldaps:// is encrypted from the start; leave start_tls off.", field="start_tls")
    if address.scheme == "ldap" and not body.start_tls and not address.is_local:
        raise NovaInvalid("Use ldaps://, or start_tls: else the password would travel readable.", field="start_tls")
    if body.bind_password is not None and body.bind_dn is None:
        raise NovaInvalid("A password needs the entry that it belongs to.", field="bind_dn")
