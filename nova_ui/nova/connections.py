"""The connection of an application: its settings read and written, its secret written only (rules B6, D3, D5)."""

from collections.abc import Mapping
from typing import Final

from pydantic import SecretStr
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict
from nova_ui.nova.applications import NO_CONNECTION, locked_application, visible_application
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.connection_rules import Settings, check_secret_may_stay, check_settings, settings_of
from nova_ui.nova.connection_tests import detail_of
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.permissions import require_administrator
from nova_ui.nova.views import (
    ConnectionView,
    LdapConnection,
    NoConnection,
    OidcConnection,
    Ref,
    ScimConnection,
    SecretState,
)
from nova_ui.nova.writing import Write, check_version
from storage.encryption import Encryption
from storage.nova.application_tables import SECRET_OF, ConnectionRow, secret_place
from storage.nova.rows import lock_row
from storage.nova.tables import ApplicationRow

_UNTESTED: Final = {"test_state": "untested", "tested_at": None, "test_code": None}
_VIEWS: Final[Mapping[str, type[OidcConnection | ScimConnection | LdapConnection]]] = {
    "oidc": OidcConnection,
    "scim": ScimConnection,
    "ldap": LdapConnection,
}
# Connections taken over from before there were settings lack some.
_OPEN: Final = {"issuer": None, "client_id": None}


class Connections:
    """Connections, for administrators in the interface."""

    def __init__(self, core: Core, encryption: Encryption, *, allow_private: bool) -> None:
        self._core = core
        self._encryption = encryption
        self._allow_private = allow_private

    async def get(self, context: RequestContext, application_id: str) -> ConnectionView:
        """Return a connection; of its secret only whether it is set."""
        async with self._core.database.reading() as session:
            application = await visible_application(session, context.identity, application_id)
            require_administrator(context.identity)
            return await _view(session, application)

    async def replace(
        self, context: RequestContext, application_id: str, body: Settings, if_match: str | None
    ) -> ConnectionView:
        """Set all settings anew; a secret that is left out stays, null clears it.

        Raises:
            NovaInvalid: the settings contradict each other, or a secret would follow to another address.

        """
        target = Target("application", application_id)
        async with self._core.writer.writing(context, "connection.updated", target) as write:
            application = await locked_application(write, context.identity, application_id)
            require_administrator(context.identity)
            row = await _locked_connection(write, application)
            check_version(row.version, if_match)
            check_settings(body, allow_private=self._allow_private)
            values, changed = self._changes(write, row, body)
            if changed:
                await write.change(row, {**values, **_UNTESTED}, if_match)
                await write.change(application, {})  # who weighs an action on it sees that it has changed
                details = {"kind": body.kind, "changes": [{"field": name} for name in changed]}
                await write.log("connection.updated", write.target, details=details)
            return await _view(write.session, application)

    async def rotate(
        self, context: RequestContext, application_id: str, secret: SecretStr, if_match: str | None
    ) -> ConnectionView:
        """Put a new secret in the place of the old one, for the same address.

        Raises:
            NovaConflict: this connection has no secret.

        """
        target = Target("application", application_id)
        async with self._core.writer.writing(context, "connection.secret_rotated", target) as write:
            application = await locked_application(write, context.identity, application_id)
            require_administrator(context.identity)
            row = await _locked_connection(write, application)
            check_version(row.version, if_match)
            column = SECRET_OF.get(row.kind)
            if column is None or getattr(row, column) is None:
                raise NovaConflict("There is no secret that could be replaced.", code="state_conflict")
            values = {column: self._sealed(secret, column, row.id), "secret_set_at": write.now}
            await write.change(row, {**values, **_UNTESTED, "rotated_at": write.now}, if_match)
            await write.change(application, {})
            await write.log("connection.secret_rotated", write.target, details={"changes": [{"field": column}]})
            return await _view(write.session, application)

    def _changes(self, write: Write, row: ConnectionRow, body: Settings) -> tuple[dict[str, object], list[str]]:
        """Return the columns to write, and the names of the fields that change."""
        settings, column = settings_of(body), SECRET_OF.get(body.kind)
        same_kind = row.kind == body.kind
        before = row.settings if same_kind else {}
        changed = [name for name, value in settings.items() if name not in before or before[name] != value]
        if not same_kind:
            changed.insert(0, "kind")
        values: dict[str, object] = {"kind": body.kind, "settings": settings}
        for other in SECRET_OF.values():
            if other != column and getattr(row, other) is not None:
                values[other] = None
                changed.append(other)
        if column is not None:
            secret, is_set = getattr(body, column), getattr(row, column) is not None
            if secret is not None:
                values[column] = self._sealed(secret, column, row.id)
                changed.append(column)
            elif column in body.model_fields_set or _is_public(settings):
                values[column] = None
                changed += [column] if is_set else []
            elif is_set:
                check_secret_may_stay(before, body)
            if column in values:
                values["secret_set_at"] = None if secret is None else write.now
                values["rotated_at"] = None
        else:
            values.update(secret_set_at=None, rotated_at=None)
        return values, changed

    def _sealed(self, secret: SecretStr, column: str, application_id: str) -> str:
        return self._encryption.seal(secret.get_secret_value(), secret_place(column, application_id))


def _is_public(settings: object) -> bool:
    """Whether these are the settings of a client that has no secret."""
    return isinstance(settings, dict) and settings.get("token_endpoint_auth_method") == "none"


async def _locked_connection(write: Write, application: ApplicationRow) -> ConnectionRow:
    """Return the connection for a change; the application's lock keeps two from making it at once."""
    row = await lock_row(write.session, ConnectionRow, application.id)
    if row is None:
        row = ConnectionRow(id=application.id, version=0, created_at=write.now, updated_at=write.now)
        write.session.add(row)
        await write.session.flush()
    return row


async def _view(session: AsyncSession, application: ApplicationRow) -> ConnectionView:
    row = await session.get(ConnectionRow, application.id)
    ref = Ref(id=application.id, display_name=application.display_name)
    if row is None or row.kind == NO_CONNECTION:
        return NoConnection(application=ref, version=row.version if row else 0)
    column = SECRET_OF[row.kind]
    secret = SecretState(set=getattr(row, column) is not None, updated_at=row.secret_set_at)
    return _VIEWS[row.kind].model_validate(
        {
            **_OPEN,
            **row.settings,
            column: secret,
            "application": ref,
            "state": row.test_state,
            "tested_at": row.tested_at,
            "test_code": row.test_code,
            "test_detail": detail_of(row.test_code),
            "rotated_at": row.rotated_at,
            "version": row.version,
            "updated_at": row.updated_at,
        }
    )
