"""The AI configuration: who may be asked, with which key; administered in the interface only (rules B6, D3, D5)."""

from collections.abc import Mapping
from typing import Final

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.ai_profile import BUILT_IN_KEY, RESERVED_KEYS, WORKING_KINDS
from nova_ui.errors import NovaConflict, NovaInvalid, NovaNotFound
from nova_ui.llm.registry import ModelRegistry
from nova_ui.llm.trial import try_model
from nova_ui.nova.ai_configuration_views import built_in_view, environment_view, stored_view, trial_view
from nova_ui.nova.ai_profiles import CONFIGURATION_ID, ProfileWatch, configuration_row
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import Planned, weigh
from nova_ui.nova.model_users import users_of
from nova_ui.nova.permissions import require_interface
from nova_ui.nova.views import Done, Impact, ObjectRef
from nova_ui.nova.views.ai_configuration import (
    AiConfigurationBody,
    AiConfigurationView,
    AiProfileCreate,
    AiProfilePatch,
    AiProfileView,
    AiTrialBody,
    AiTrialView,
)
from nova_ui.nova.writing import Write, check_version
from nova_ui.outgoing.address import AddressRefused, check_address
from storage.encryption import Encryption
from storage.ids import new_id
from storage.nova.ai_tables import AiConfigurationRow, AiProfileRow, api_key_place
from storage.nova.locks import take_lock

UPDATED: Final = "ai_configuration.updated"
_LOCK: Final = "nova.ai_configuration"


class AiConfiguration:
    """Provider profiles as administrators create, change, try and delete them."""

    def __init__(self, core: Core, encryption: Encryption, models: ModelRegistry) -> None:
        self._core = core
        self._encryption = encryption
        self._models = models
        self.watch = ProfileWatch(core.database, encryption, models)

    async def get(self, context: RequestContext) -> AiConfigurationView:
        """Return every profile and the default."""
        require_interface(context)
        async with self._core.database.reading() as session:
            return await self._view(session)

    async def choose_default(
        self, context: RequestContext, body: AiConfigurationBody, if_match: str | None
    ) -> AiConfigurationView:
        """Choose which profile answers where an assistant names none.

        Raises:
            NovaInvalid: there is no such profile.

        """
        async with self._core.writer.writing(context, UPDATED, Target("ai_configuration", None)) as write:
            require_interface(context)
            await take_lock(write.session, _LOCK)
            configuration = await _configuration(write)
            check_version(configuration.version, if_match)
            chosen = body.default_profile
            if chosen is not None and not await self._exists(write.session, chosen):
                raise NovaInvalid("There is no such profile.", field="default_profile")
            if chosen != configuration.default_profile:
                await _log_change(write, "", "default_chosen", ["default_profile"])
                await _changed(write, {"default_profile": chosen})
        await self.watch.refresh()
        return await self.get(context)

    async def get_profile(self, context: RequestContext, key: str) -> AiProfileView:
        """Return one profile.

        Raises:
            NovaNotFound: there is none.

        """
        found = next((one for one in (await self.get(context)).profiles if one.key == key), None)
        if found is None:
            raise NovaNotFound("There is no such profile.")
        return found

    async def create(self, context: RequestContext, body: AiProfileCreate) -> AiProfileView:
        """Add a profile.

        Raises:
            NovaConflict: the key is taken.
            NovaInvalid: the kind does not work yet, or the address may not be called.

        """
        async with self._core.writer.writing(context, UPDATED, _target(body.key, body.name)) as write:
            require_interface(context)
            await take_lock(write.session, _LOCK)
            if body.key in RESERVED_KEYS or await _find(write.session, body.key) is not None:
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
            await _log_change(write, row.key, "created", sorted(body.model_fields_set))
            await _changed(write)
        await self.watch.refresh()
        return await self.get_profile(context, body.key)

    async def update(
        self, context: RequestContext, key: str, body: AiProfilePatch, if_match: str | None
    ) -> AiProfileView:
        """Change a profile; its stored key is never sent to another address.

        Raises:
            NovaConflict: it is one that nobody changes here.
            NovaInvalid: another address without the key, or one that may not be called.

        """
        async with self._core.writer.writing(context, UPDATED, _target(key)) as write:
            require_interface(context)
            await take_lock(write.session, _LOCK)
            row = await _stored(write.session, key)
            write.target = _target(key, row.name)
            check_version(row.version, if_match)
            values = self._changes(row, body, write)
            if values:
                await write.change(row, values, if_match)
                await _log_change(write, key, "updated", sorted(set(values) - {"api_key_set_at"}))
                await _changed(write)
        await self.watch.refresh()
        return await self.get_profile(context, key)

    async def impact_of_delete(self, context: RequestContext, key: str) -> Impact:
        """Return what deleting a profile would do, or the refusal it would give."""
        require_interface(context)
        async with self._core.database.reading() as session:
            row = await _stored(session, key)
            return await weigh(ObjectRef(type="ai_profile", id=row.id, display=row.name), _plan_delete(session, row))

    async def delete(self, context: RequestContext, key: str, if_match: str | None) -> Done[AiProfileView]:
        """Delete a profile with its key; one that an assistant names or that is the default stays.

        Raises:
            NovaConflict: it is in use: its chats must not go to another provider unasked.

        """
        async with self._core.writer.writing(context, UPDATED, _target(key)) as write:
            require_interface(context)
            await take_lock(write.session, _LOCK)
            row = await _stored(write.session, key)
            write.target = _target(key, row.name)
            check_version(row.version, if_match)
            await _plan_delete(write.session, row)
            shown = stored_view(row, [], is_default=False)
            await write.session.delete(row)
            await write.session.flush()
            await _log_change(write, key, "deleted", [])
            await _changed(write)
        await self.watch.refresh()
        return Done(object=shown, effects=[])

    async def try_profile(self, context: RequestContext, key: str, body: AiTrialBody) -> AiTrialView:
        """Ask a model of a profile and tell what it can do; nothing of Nova is sent there.

        Raises:
            NovaNotFound: there is no such profile.
            NovaInvalid: it has no such model.

        """
        profile = await self.get_profile(context, key)
        if body.model is not None and body.model not in profile.models:
            raise NovaInvalid("The profile has no such model.", field="model")
        await self.watch.refresh()
        is_stored = profile.source == "stored"
        model = self._models.find(f"{key}/{body.model}" if is_stored and body.model else key)
        if model is None:
            raise NovaNotFound("There is no such profile.")
        return trial_view(await try_model(model))

    async def check_model(self, session: AsyncSession, name: str | None) -> None:
        """Let pass what an assistant may name as its model: a profile, or one of its models.

        Raises:
            NovaInvalid: there is none; where the environment names an endpoint, any name may be a model there.

        """
        if name is None or self._models.environment is not None or name == BUILT_IN_KEY:
            return
        key, _, model = name.partition("/")
        row = await _find(session, key)
        if row is None or (model and model not in row.models):
            raise NovaInvalid("There is no such profile or model in the AI configuration.", field="model")

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

    async def _exists(self, session: AsyncSession, key: str) -> bool:
        is_given = key == BUILT_IN_KEY or (self._models.environment is not None and key in RESERVED_KEYS)
        return is_given or await _find(session, key) is not None

    async def _view(self, session: AsyncSession) -> AiConfigurationView:
        configuration = await configuration_row(session)
        rows = (await session.exec(select(AiProfileRow).order_by(col(AiProfileRow.key)))).all()
        chosen = None if configuration is None else configuration.default_profile
        environment = self._models.environment
        default = chosen or (BUILT_IN_KEY if environment is None else environment.key)
        used = await users_of(session)
        profiles = [built_in_view(used.get(BUILT_IN_KEY, []), is_default=default == BUILT_IN_KEY)]
        if environment is not None:
            has_key, is_default = self._models.environment_has_key, default == environment.key
            users = used.get(environment.key, [])
            profiles.append(environment_view(environment, users, has_key=has_key, is_default=is_default))
        profiles += [stored_view(row, used.get(row.key, []), is_default=default == row.key) for row in rows]
        return AiConfigurationView(
            default_profile=default,
            default_is_chosen=chosen is not None,
            profiles=profiles,
            version=0 if configuration is None else configuration.version,
        )


async def _plan_delete(session: AsyncSession, row: AiProfileRow) -> list[Planned]:
    configuration = await configuration_row(session)
    if configuration is not None and configuration.default_profile == row.key:
        raise NovaConflict("This profile is the default. Choose another default first.", code="state_conflict")
    users = (await users_of(session)).get(row.key, [])
    if users:
        names = ", ".join(user.display_name for user in users[:5])
        raise NovaConflict(
            f"{len(users)} assistants use this profile ({names}). Choose another model for them first.",
            code="state_conflict",
        )
    return []


async def _find(session: AsyncSession, key: str) -> AiProfileRow | None:
    return (await session.exec(select(AiProfileRow).where(col(AiProfileRow.key) == key))).one_or_none()


async def _stored(session: AsyncSession, key: str) -> AiProfileRow:
    if key in RESERVED_KEYS:
        raise NovaConflict("This profile is not kept here and can't be changed here.", code="protected_object")
    row = await _find(session, key)
    if row is None:
        raise NovaNotFound("There is no such profile.")
    return row


async def _configuration(write: Write) -> AiConfigurationRow:
    row = await configuration_row(write.session)
    if row is None:
        row = AiConfigurationRow(id=CONFIGURATION_ID, version=0, created_at=write.now, updated_at=write.now)
        write.session.add(row)
        await write.session.flush()
    return row


async def _changed(write: Write, values: Mapping[str, object] | None = None) -> None:
    """Raise the version that every process watches."""
    await write.change(await _configuration(write), dict(values or {}))


async def _log_change(write: Write, key: str, what: str, fields: list[str]) -> None:
    """Log names of fields only: addresses and keys are nobody's business but the configuration's."""
    details: dict[str, object] = {"change": what, "changes": [{"field": field} for field in fields]}
    await write.log(UPDATED, write.target, details={"profile": key, **details} if key else details)


def _target(key: str, name: str = "") -> Target:
    return Target("ai_configuration", key, name)


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
