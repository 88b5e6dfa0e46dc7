"""Provider profiles as administrators create, change and delete them, from the interface only (rules B6, D3, D5)."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from pydantic import JsonValue
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.ai_profile import RESERVED_KEYS, WORKING_KINDS, ModelParameters, ProviderKind, find_unsupported
from nova_ui.errors import NovaConflict, NovaInvalid
from nova_ui.nova.ai_configuration import AiConfiguration
from nova_ui.nova.ai_configuration_rows import (
    LOCK,
    UPDATED,
    find_profile,
    log_change,
    note_change,
    stored_profile,
    target_of,
)
from nova_ui.nova.ai_configuration_views import stored_view
from nova_ui.nova.ai_profile_secrets import ProfileSecrets, header_fields
from nova_ui.nova.ai_profiles import configuration_row
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import Planned, weigh
from nova_ui.nova.model_users import users_of
from nova_ui.nova.permissions import require_interface
from nova_ui.nova.views import Done, Impact, ObjectRef
from nova_ui.nova.views.ai_configuration import AiParameters, AiProfileCreate, AiProfilePatch, AiProfileView
from nova_ui.nova.writing import Write, check_version
from nova_ui.outgoing.address import AddressRefused, check_address, check_proxy_address
from nova_ui.outgoing.certificates import CertificatesRefused, checked_certificates
from storage.encryption import Encryption
from storage.ids import new_id
from storage.nova.ai_tables import AiProfileRow
from storage.nova.locks import take_lock

_SEALED: Final = frozenset({"api_key", "headers", "proxy_password"})
_TOLD_OTHERWISE: Final = frozenset({"api_key_set_at", "headers", "header_names"})


class AiProfileChanges:
    """Changes of stored profiles; each is seen at once by this process, and soon by every other."""

    def __init__(self, core: Core, encryption: Encryption, configuration: AiConfiguration) -> None:
        self._core = core
        self._secrets = ProfileSecrets(encryption)
        self._configuration = configuration

    async def create(self, context: RequestContext, body: AiProfileCreate) -> AiProfileView:
        """Add a profile.

        Raises:
            NovaConflict: the key is taken.
            NovaInvalid: the kind does not work yet, or the address may not be called.

        """
        async with self._core.writer.writing(context, UPDATED, target_of(body.key, body.name)) as write:
            require_interface(context)
            await take_lock(write.session, LOCK)
            if body.key in RESERVED_KEYS or await find_profile(write.session, body.key) is not None:
                raise NovaConflict("A profile with this key exists already.", field="key")
            row = AiProfileRow(
                id=new_id("aip"),
                limits=body.limits.model_dump(),
                parameters=body.parameters.model_dump(),
                created_at=write.now,
                updated_at=write.now,
                **body.model_dump(exclude={"limits", "parameters", *_SEALED}, mode="json"),
            )
            if row.ca_certificates is not None:
                row.ca_certificates = _checked_certificates(row.ca_certificates, write.now)
            _check(row, has_password=body.proxy_password is not None)
            self._secrets.seal_new(row, body, write.now)
            write.session.add(row)
            await write.session.flush()
            names = body.model_fields_set - {"headers"} | header_fields(body.headers)
            await log_change(write, row.key, "created", sorted(names))
            await note_change(write)
        await self._configuration.watch.refresh()
        return await self._configuration.get_profile(context, body.key)

    async def update(
        self, context: RequestContext, key: str, body: AiProfilePatch, if_match: str | None
    ) -> AiProfileView:
        """Change a profile; its stored key is never sent to another address.

        Raises:
            NovaConflict: it is one that nobody changes here.
            NovaInvalid: another address without the key, or one that may not be called.

        """
        async with self._core.writer.writing(context, UPDATED, target_of(key)) as write:
            require_interface(context)
            await take_lock(write.session, LOCK)
            row = await stored_profile(write.session, key)
            write.target = target_of(key, row.name)
            check_version(row.version, if_match)
            values = self._changes(row, body, write)
            if values:
                await write.change(row, values, if_match)
                names = values.keys() - _TOLD_OTHERWISE | header_fields(body.headers)
                await log_change(write, key, "updated", sorted(names))
                await note_change(write)
        await self._configuration.watch.refresh()
        return await self._configuration.get_profile(context, key)

    async def impact_of_delete(self, context: RequestContext, key: str) -> Impact:
        """Return what deleting a profile would do, or the refusal it would give."""
        require_interface(context)
        async with self._core.database.reading() as session:
            row = await stored_profile(session, key)
            return await weigh(ObjectRef(type="ai_profile", id=row.id, display=row.name), _plan_delete(session, row))

    async def delete(self, context: RequestContext, key: str, if_match: str | None) -> Done[AiProfileView]:
        """Delete a profile with its key; one that an assistant names or that is the default stays.

        Raises:
            NovaConflict: it is in use: its chats must not go to another provider unasked.

        """
        async with self._core.writer.writing(context, UPDATED, target_of(key)) as write:
            require_interface(context)
            await take_lock(write.session, LOCK)
            row = await stored_profile(write.session, key)
            write.target = target_of(key, row.name)
            check_version(row.version, if_match)
            await _plan_delete(write.session, row)
            shown = stored_view(row, [], is_default=False)
            await write.session.delete(row)
            await write.session.flush()
            await log_change(write, key, "deleted", [])
            await note_change(write)
        await self._configuration.watch.refresh()
        return Done(object=shown, effects=[])

    def _changes(self, row: AiProfileRow, body: AiProfilePatch, write: Write) -> dict[str, object]:
        given = body.model_dump(exclude_unset=True, exclude=set(_SEALED), mode="json")
        if given.get("ca_certificates") is not None:
            given["ca_certificates"] = _checked_certificates(given["ca_certificates"], write.now)
        if "proxy_url" in given and given["proxy_url"] is None:
            given["proxy_user"] = None
        values: dict[str, object] = {name: value for name, value in given.items() if getattr(row, name) != value}
        _check(AiProfileRow(**{**row.model_dump(), **values}), has_password=body.proxy_password is not None)
        return {**values, **self._secrets.changed(row, values, body, write.now)}


async def _plan_delete(session: AsyncSession, row: AiProfileRow) -> list[Planned]:
    configuration = await configuration_row(session)
    if configuration is not None and configuration.default_profile == row.key:
        raise NovaConflict("This profile is the default. Choose another default first.", code="state_conflict")
    order = [] if configuration is None else configuration.fall_back
    if any(name.partition("/")[0] == row.key for name in order):
        raise NovaConflict(
            "This profile stands in for others where a model does not answer. Take it out of that order first.",
            code="state_conflict",
        )
    users = (await users_of(session)).get(row.key, [])
    if users:
        names = ", ".join(user.display_name for user in users[:5])
        raise NovaConflict(
            f"{len(users)} assistants use this profile ({names}). Choose another model for them first.",
            code="state_conflict",
        )
    return []


def _check(row: AiProfileRow, *, has_password: bool) -> None:
    """Refuse what may not be called, or not so."""
    if ProviderKind(row.kind) not in WORKING_KINDS:
        raise NovaInvalid("Profiles of this kind are not supported yet.", field="kind")
    with _refused_as("base_url"):
        address = check_address(row.base_url, allow_private=row.allow_private)
    if row.proxy_url is None:
        if row.proxy_user is not None or has_password:
            raise NovaInvalid("A name or password for a proxy needs the proxy's address.", field="proxy_url")
    else:
        with _refused_as("proxy_url"):
            check_proxy_address(row.proxy_url, allow_private=row.proxy_allow_private)
        if address.scheme != "https":
            raise NovaInvalid(
                "Through a proxy goes only what is encrypted: the address must begin with https://.", field="proxy_url"
            )
        if has_password and row.proxy_user is None:
            raise NovaInvalid("A password for the proxy needs a name.", field="proxy_user")
    parameters = ModelParameters(**AiParameters.model_validate(row.parameters).model_dump())
    unsupported = find_unsupported(ProviderKind(row.kind), parameters)
    if unsupported is not None:
        raise NovaInvalid("This kind of provider does not take this value.", field=f"parameters.{unsupported}")


@contextmanager
def _refused_as(field: str) -> Iterator[None]:
    try:
        yield
    except AddressRefused as refused:
        raise NovaInvalid(refused.sentence, field=field, extra={"fault": refused.fault.value}) from None


def _checked_certificates(text: str, now: datetime) -> str:
    try:
        return checked_certificates(text, now)
    except CertificatesRefused as refused:
        extra: dict[str, JsonValue] = {"fault": refused.fault.value}
        raise NovaInvalid(refused.sentence, field="ca_certificates", extra=extra) from None
