"""Testing a connection: a look at what the other end says of itself. Nothing is changed there."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from sqlalchemy import update
from sqlmodel import col

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.errors import NovaConflict
from nova_ui.nova.applications import NO_CONNECTION, visible_application
from nova_ui.nova.call_rate import count_call
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.permissions import require_administrator
from nova_ui.nova.views import ConnectionTest, Ref
from nova_ui.outgoing import address, failing
from nova_ui.outgoing.client import Fetched, Outgoing
from storage.encryption import Encryption, UnsealFailed
from storage.nova.application_tables import SECRET_OF, ConnectionRow, secret_place

_DISCOVERY: Final = "/.well-known/openid-configuration"
_SERVICE_CONFIG: Final = "/ServiceProviderConfig"
_SCIM_SCHEMA: Final = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"
_REFUSED: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
OK: Final = {
    "oidc": mark("The issuer answers, and is the one that was entered."),
    "scim": mark("The service answers and speaks SCIM 2.0."),
    "ldap": mark("The directory answers over an encrypted connection. Signing in there was not tried."),
    "ldap_plain": mark("The directory answers on this computer. Signing in there was not tried."),
}
_FAILING: Final[Mapping[str, str]] = {
    "incomplete": mark("The settings are not complete."),
    "secret": mark("The stored secret can't be read. Set it again."),
    "credentials": mark("The other end does not accept the credentials."),
    "status": mark("The other end answers that there is nothing at this address, or that it can't help now."),
    "issuer": mark("The other end calls itself by another issuer than the one that was entered."),
    "no_provider": mark("What answers there is no OIDC provider with authorization and token addresses."),
    "no_scim": mark("What answers there does not speak SCIM 2.0."),
    **{f"address_{fault}": sentence for fault, sentence in address.SENTENCES.items()},
    **{failure.value: sentence for failure, sentence in failing.SENTENCES.items()},
}


class _Failing(Exception):
    """Carries the code of what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tested:
    application: Ref
    kind: str
    settings: Mapping[str, JsonValue]
    secret: str | None
    version: int


def detail_of(code: str | None) -> str | None:
    """Return the English sentence of a code, which is also its message id."""
    if code is None:
        return None
    return OK.get(code.removeprefix("ok_")) if code.startswith("ok_") else _FAILING.get(code)


class ConnectionTests:
    """Tests connections, as their settings stand at that moment."""

    def __init__(self, core: Core, encryption: Encryption, outgoing: Outgoing) -> None:
        self._core = core
        self._encryption = encryption
        self._outgoing = outgoing

    async def run(self, context: RequestContext, application_id: str) -> ConnectionTest:
        """Call the other end and keep how it went; a connection changed meanwhile stays untested.

        Raises:
            NovaConflict: there is no connection.
            NovaTooMany: the caller has tested too much in the last minute.

        """
        tested = await self._read(context, application_id)
        await count_call(self._core, context)
        try:
            code = await self._check(tested)
        except _Failing as failing_:
            code, state = str(failing_), "failing"
        except address.AddressRefused as refused:
            code, state = f"address_{refused.fault}", "failing"
        except failing.CallFailed as failed:
            code, state = failed.failure.value, "failing"
        else:
            state = "ok"
        now = self._core.clock.now()
        same = update(ConnectionRow).where(
            col(ConnectionRow.id) == application_id, col(ConnectionRow.version) == tested.version
        )
        async with self._core.database.transaction() as session:
            await session.exec(same.values(test_state=state, tested_at=now, test_code=code))
        return ConnectionTest(
            application=tested.application,
            kind=tested.kind,
            state="ok" if state == "ok" else "failing",
            code="ok" if state == "ok" else code,
            detail=detail_of(code) or "",
            tested_at=now,
        )

    async def _read(self, context: RequestContext, application_id: str) -> _Tested:
        """Read what is to be tested, and let go of the database before anybody is called."""
        async with self._core.database.reading() as session:
            application = await visible_application(session, context.identity, application_id)
            require_administrator(context.identity)
            row = await session.get(ConnectionRow, application.id)
            if row is None or row.kind == NO_CONNECTION:
                raise NovaConflict("The application has no connection that could be tested.", code="state_conflict")
            return _Tested(
                application=Ref(id=application.id, display_name=application.display_name),
                kind=row.kind,
                settings=dict(row.settings),
                secret=getattr(row, SECRET_OF[row.kind]),
                version=row.version,
            )

    async def _check(self, tested: _Tested) -> str:
        match tested.kind:
            case "oidc":
                return await self._check_issuer(tested)
            case "scim":
                return await self._check_service(tested)
            case _:
                return await self._check_directory(tested)

    async def _check_issuer(self, tested: _Tested) -> str:
        issuer = _text(tested.settings, "issuer")
        found = _object_in(await self._outgoing.fetch(issuer.rstrip("/") + _DISCOVERY), "no_provider")
        if found.get("issuer") != issuer:
            raise _Failing("issuer")
        for name in ("authorization_endpoint", "token_endpoint"):
            endpoint = found.get(name)
            if not isinstance(endpoint, str) or not endpoint.startswith(("https://", "http://")):
                raise _Failing("no_provider")
        return "ok_oidc"

    async def _check_service(self, tested: _Tested) -> str:
        url = _text(tested.settings, "base_url").rstrip("/") + _SERVICE_CONFIG
        headers = {"accept": "application/scim+json, application/json"}
        if tested.secret is not None:
            headers["authorization"] = f"Bearer {self._opened(tested)}"
        verify = tested.settings.get("verify_tls") is not False
        found = _object_in(await self._outgoing.fetch(url, headers=headers, verify_tls=verify), "no_scim")
        schemas = found.get("schemas")
        if not isinstance(schemas, list) or _SCIM_SCHEMA not in schemas:
            raise _Failing("no_scim")
        return "ok_scim"

    async def _check_directory(self, tested: _Tested) -> str:
        url, starting_tls = _text(tested.settings, "url"), tested.settings.get("start_tls") is True
        await self._outgoing.reach(url, starting_tls=starting_tls)
        return "ok_ldap" if starting_tls or url.startswith("ldaps:") else "ok_ldap_plain"

    def _opened(self, tested: _Tested) -> str:
        place = secret_place(SECRET_OF[tested.kind], tested.application.id)
        try:
            return self._encryption.open(tested.secret or "", place)
        except UnsealFailed:
            raise _Failing("secret") from None


def _text(settings: Mapping[str, JsonValue], name: str) -> str:
    value = settings.get(name)
    if not isinstance(value, str) or not value:
        raise _Failing("incomplete")
    return value


def _object_in(fetched: Fetched, otherwise: str) -> JsonObject:
    if fetched.status in _REFUSED:
        raise _Failing("credentials")
    if fetched.status != HTTPStatus.OK:
        raise _Failing("status")
    try:
        return fetched.json_object()
    except failing.CallFailed:
        raise _Failing(otherwise) from None
