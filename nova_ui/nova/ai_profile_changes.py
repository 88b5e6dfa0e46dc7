"""Provider profiles as administrators create, change and delete them, from the interface only (rules B6, D3, D5)."""

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.ai_profile import RESERVED_KEYS, WORKING_KINDS
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
from nova_ui.nova.ai_profiles import configuration_row
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import Planned, weigh
from nova_ui.nova.model_users import users_of
from nova_ui.nova.permissions import require_interface
from nova_ui.nova.views import Done, Impact, ObjectRef
from nova_ui.nova.views.ai_configuration import AiProfileCreate, AiProfilePatch, AiProfileView
from nova_ui.nova.writing import Write, check_version
from nova_ui.outgoing.address import AddressRefused, check_address
from storage.encryption import Encryption
from storage.ids import new_id
from storage.nova.ai_tables import AiProfileRow, api_key_place
from storage.nova.locks import take_lock


class AiProfileChanges:
    """Changes of stored profiles; each is seen at once by this process, and soon by every other."""

    def __init__(self, core: Core, encryption: Encryption, configuration: AiConfiguration) -> None:
        self._core = core
        self._encryption = encryption
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
            if body.kind not in WORKING_KINDS:
                raise NovaInvalid("Profiles of this kind are not supported yet.", field="kind")
            _check_address(body.base_url, allow_private=body.allow_private)
            row = AiProfileRow(
                id=new_id("aip"),
                limits=body.limits.model_dump(),
                created_at=write.now,
                updated_at=write.now,
                **body.model_dump(exclude={"limits", "api_key"}, mode="json"),
            )
            if body.api_key is not None:
                row.api_key = self._encryption.seal(_usable(body.api_key.get_secret_value()), api_key_place(row))
                row.api_key_set_at = write.now
            write.session.add(row)
            await write.session.flush()
            await log_change(write, row.key, "created", sorted(body.model_fields_set))
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
                await log_change(write, key, "updated", sorted(set(values) - {"api_key_set_at"}))
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
        given = body.model_dump(exclude_unset=True, exclude={"api_key"}, mode="json")
        values: dict[str, object] = {name: value for name, value in given.items() if getattr(row, name) != value}
        address = str(values.get("base_url", row.base_url))
        _check_address(address, allow_private=bool(values.get("allow_private", row.allow_private)))
        moves, has_key = address != row.base_url, "api_key" in body.model_fields_set
        if moves and row.api_key is not None and not has_key:
            raise NovaInvalid(
                "The address changes, and the stored key is not sent to another one: give the key again, or null.",
                field="api_key",
            )
        if not has_key:
            return values
        if body.api_key is None:
            return {**values, "api_key": None, "api_key_set_at": None} if row.api_key is not None else values
        moved = AiProfileRow(**{**row.model_dump(), "base_url": address})
        sealed = self._encryption.seal(_usable(body.api_key.get_secret_value()), api_key_place(moved))
        return {**values, "api_key": sealed, "api_key_set_at": write.now}


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


def _check_address(base_url: str, *, allow_private: bool) -> None:
    try:
        check_address(base_url, allow_private=allow_private)
    except AddressRefused as refused:
        raise NovaInvalid(refused.sentence, field="base_url", extra={"fault": refused.fault.value}) from None


def _usable(api_key: str) -> str:
    key = api_key.strip()
    if not key or not key.isascii() or not key.isprintable():
        raise NovaInvalid("The key holds characters that no key can have.", field="api_key")
    return key
