"""Connections of applications: typed by kind, their secrets written only."""

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Discriminator, Field, SecretStr, StringConstraints, Tag
from pydantic_core import PydanticCustomError

from nova_ui.domain.ldap_syntax import is_distinguished_name, is_filter
from nova_ui.nova.views.common import Body, Ref, View
from nova_ui.outgoing.address import LDAP, WEB, AddressRefused, parse_address

GrantType = Literal[
    "authorization_code", "refresh_token", "client_credentials", "urn:ietf:params:oauth:grant-type:device_code"
]
AuthMethod = Literal["client_secret_basic", "client_secret_post", "none"]

MAX_SECRET_CHARS: Final = 4_096
_PLACEHOLDERS: Final = frozenset({"[secret]", "[Geheimnis]"})


def _checked(value: str, schemes: frozenset[str]) -> str:
    try:
        parse_address(value, schemes=schemes)
    except AddressRefused as refused:
        raise PydanticCustomError("address", "{sentence}", {"sentence": refused.sentence}) from None
    return value


def _web(value: str) -> str:
    return _checked(value, WEB)


def _directory(value: str) -> str:
    return _checked(value, LDAP)


def _redirect(value: str) -> str:
    """Accept a query, which an application's own address may have; nothing calls it."""
    if "*" in value:
        raise PydanticCustomError("address", "must be one exact address, without a placeholder")
    _checked(value.partition("?")[0], WEB)
    _checked(f"https://query.example/{value.partition('?')[2].replace('?', '')}", WEB)
    return value


def _distinct(values: list[str]) -> list[str]:
    if len(set(values)) != len(values):
        raise PydanticCustomError("distinct", "must not hold the same value twice")
    return values


def _name_of_entry(value: str) -> str:
    if not is_distinguished_name(value):
        raise PydanticCustomError("distinguished_name", "must be a distinguished name, such as cn=nova,dc=example")
    return value


def _search_filter(value: str) -> str:
    if not is_filter(value):
        raise PydanticCustomError("filter", "must be one LDAP filter in brackets, such as (objectClass=person)")
    return value


def _secret(value: SecretStr) -> SecretStr:
    text = value.get_secret_value()
    if text != text.strip() or not text.isprintable():
        raise PydanticCustomError("secret", "must neither begin nor end with a space, nor hold control characters")
    if text in _PLACEHOLDERS:
        raise PydanticCustomError("secret", "must be the secret itself, not what stands in its place")
    return value


def _header_value(value: SecretStr) -> SecretStr:
    text = value.get_secret_value()
    if not text.isascii() or " " in text:
        raise PydanticCustomError("secret", "must hold neither spaces nor other characters than ASCII")
    return value


_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000)]
WebAddress = Annotated[_Text, AfterValidator(_web)]
DirectoryAddress = Annotated[_Text, AfterValidator(_directory)]
RedirectAddress = Annotated[_Text, AfterValidator(_redirect)]
RedirectAddresses = Annotated[list[RedirectAddress], Field(max_length=20), AfterValidator(_distinct)]
GrantTypes = Annotated[list[GrantType], Field(min_length=1, max_length=4), AfterValidator(_distinct)]
EntryName = Annotated[_Text, AfterValidator(_name_of_entry)]
SearchFilter = Annotated[_Text, AfterValidator(_search_filter)]
ClientId = Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,200}$")]
NewSecret = Annotated[SecretStr, Field(min_length=1, max_length=MAX_SECRET_CHARS), AfterValidator(_secret)]
NewToken = Annotated[NewSecret, AfterValidator(_header_value)]

# Left out: the stored one stays. Null: it is cleared.
_WRITTEN: Final[dict[str, Any]] = {"x-nova-secret": True, "writeOnly": True, "format": "password"}
_HELD: Final[dict[str, Any]] = {"x-nova-secret": True}


class SecretState(View):
    """A secret as it is read back: whether it is set, and since when."""

    set: bool
    updated_at: datetime | None = None
    hint: None = None


def _by_code() -> list[GrantType]:
    return ["authorization_code"]


class OidcSettings(Body):
    """An application that people sign in to through Nova, or that Nova signs in to."""

    kind: Literal["oidc"]
    issuer: WebAddress
    client_id: ClientId
    redirect_uris: RedirectAddresses = Field(default_factory=list)
    post_logout_redirect_uris: RedirectAddresses = Field(default_factory=list)
    grant_types: GrantTypes = Field(default_factory=_by_code)
    token_endpoint_auth_method: AuthMethod = "client_secret_basic"  # noqa: S105 - the name of a method
    client_secret: NewSecret | None = Field(None, json_schema_extra=_WRITTEN)


class ScimSettings(Body):
    """A service that keeps accounts by SCIM 2.0."""

    kind: Literal["scim"]
    base_url: WebAddress
    auth: Literal["bearer", "oauth"] = "bearer"
    verify_tls: bool = True
    bearer_token: NewToken | None = Field(None, json_schema_extra=_WRITTEN)


class LdapSettings(Body):
    """A directory."""

    kind: Literal["ldap"]
    url: DirectoryAddress
    start_tls: bool = False
    bind_dn: EntryName | None = None
    base_dn: EntryName
    user_filter: SearchFilter = "(objectClass=inetOrgPerson)"
    group_filter: SearchFilter = "(objectClass=groupOfNames)"
    bind_password: NewSecret | None = Field(None, json_schema_extra=_WRITTEN)


class NoSettings(Body):
    """No connection: Nova keeps who has access, and people set it up by hand."""

    kind: Literal["none"]


def _kind_of(value: object) -> str | None:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return kind if isinstance(kind, str) and kind in {"oidc", "scim", "ldap", "none"} else None


ConnectionSettings = Annotated[
    Annotated[OidcSettings, Tag("oidc")]
    | Annotated[ScimSettings, Tag("scim")]
    | Annotated[LdapSettings, Tag("ldap")]
    | Annotated[NoSettings, Tag("none")],
    Discriminator(
        _kind_of, custom_error_type="connection_kind", custom_error_message="kind must be oidc, scim, ldap or none"
    ),
]


class SecretRotation(Body):
    """A new value for the connection's secret."""

    secret: NewSecret = Field(json_schema_extra=_WRITTEN)


class _Connected(View):
    application: Ref
    state: str = Field(description="untested, ok or failing")
    tested_at: datetime | None
    test_code: str | None = Field(description="a stable word for how the last test went")
    test_detail: str | None = Field(description="the same as a sentence")
    rotated_at: datetime | None
    version: int
    updated_at: datetime


class OidcConnection(_Connected):
    """An OIDC client."""

    kind: Literal["oidc"] = "oidc"
    issuer: str | None
    client_id: str | None
    redirect_uris: list[str]
    post_logout_redirect_uris: list[str]
    grant_types: list[str]
    token_endpoint_auth_method: str
    client_secret: SecretState = Field(json_schema_extra=_HELD)


class ScimConnection(_Connected):
    """A SCIM service."""

    kind: Literal["scim"] = "scim"
    base_url: str
    auth: str
    verify_tls: bool
    bearer_token: SecretState = Field(json_schema_extra=_HELD)


class LdapConnection(_Connected):
    """A directory."""

    kind: Literal["ldap"] = "ldap"
    url: str
    start_tls: bool
    bind_dn: str | None
    base_dn: str
    user_filter: str
    group_filter: str
    bind_password: SecretState = Field(json_schema_extra=_HELD)


class NoConnection(View):
    """No connection."""

    kind: Literal["none"] = "none"
    application: Ref
    version: int


ConnectionView = OidcConnection | ScimConnection | LdapConnection | NoConnection


class ConnectionTest(View):
    """How a test of a connection went; nothing was changed at the other end."""

    application: Ref
    kind: str
    state: Literal["ok", "failing"]
    code: str = Field(description="a stable word: ok, or what failed")
    detail: str
    tested_at: datetime
