"""The AI configuration: who may be asked, with which key; administered in the interface only (rules B6, D3, D5)."""

from collections.abc import Sequence

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.ai_profile import BUILT_IN_KEY, MAX_TEMPERATURES, RESERVED_KEYS, ProviderKind
from nova_ui.errors import NovaInvalid, NovaNotFound
from nova_ui.llm.registry import ModelRegistry
from nova_ui.llm.trial import try_model
from nova_ui.nova.ai_configuration_rows import LOCK, UPDATED, configuration_for, find_profile, log_change, note_change
from nova_ui.nova.ai_configuration_views import built_in_view, environment_view, stored_view, trial_view
from nova_ui.nova.ai_profiles import ProfileWatch, configuration_row
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.call_rate import count_call
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.model_users import users_of
from nova_ui.nova.permissions import require_interface
from nova_ui.nova.views.ai_configuration import (
    AiConfigurationBody,
    AiConfigurationView,
    AiFallBackBody,
    AiProfileView,
    AiTrialBody,
    AiTrialView,
)
from nova_ui.nova.writing import check_version
from storage.encryption import Encryption
from storage.nova.ai_tables import AiProfileRow
from storage.nova.locks import take_lock


class AiConfiguration:
    """Which profiles there are and which one is asked; `AiProfileChanges` changes them."""

    def __init__(self, core: Core, encryption: Encryption, models: ModelRegistry) -> None:
        self._core = core
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
            await take_lock(write.session, LOCK)
            configuration = await configuration_for(write)
            check_version(configuration.version, if_match)
            chosen = body.default_profile
            if chosen is not None and not await self._exists(write.session, chosen):
                raise NovaInvalid("There is no such profile.", field="default_profile")
            if chosen != configuration.default_profile:
                await log_change(write, "", "default_chosen", ["default_profile"])
                await note_change(write, {"default_profile": chosen})
        await self.watch.refresh()
        return await self.get(context)

    async def order(self, context: RequestContext, body: AiFallBackBody, if_match: str | None) -> AiConfigurationView:
        """Choose who stands in for a model that does not answer.

        Raises:
            NovaInvalid: there is no such profile or model, or somebody stands behind the model that always answers.

        """
        async with self._core.writer.writing(context, UPDATED, Target("ai_configuration", None)) as write:
            require_interface(context)
            await take_lock(write.session, LOCK)
            configuration = await configuration_for(write)
            check_version(configuration.version, if_match)
            wanted = list(dict.fromkeys(body.fall_back))
            await self.check_order(write.session, wanted)
            values = {"fall_back": wanted, "fall_back_may_widen": body.may_widen}
            changed = [name for name, value in values.items() if getattr(configuration, name) != value]
            if changed:
                await log_change(write, "", "fall_back_ordered", changed)
                await note_change(write, {name: values[name] for name in changed})
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

    async def try_profile(self, context: RequestContext, key: str, body: AiTrialBody) -> AiTrialView:
        """Ask a model of a profile and tell what it can do; nothing of Nova is sent there.

        Raises:
            NovaNotFound: there is no such profile.
            NovaInvalid: it has no such model.
            NovaTooMany: the caller has tested too much in the last minute.

        """
        profile = await self.get_profile(context, key)
        if body.model is not None and body.model not in profile.models:
            raise NovaInvalid("The profile has no such model.", field="model")
        await self.watch.refresh()
        is_stored = profile.source == "stored"
        model = self._models.find(f"{key}/{body.model}" if is_stored and body.model else key)
        if model is None:
            raise NovaNotFound("There is no such profile.")
        await count_call(self._core, context)
        return trial_view(await try_model(model))

    async def check_model(self, session: AsyncSession, name: str | None) -> None:
        """Let pass what an assistant may name as its model: a profile, or one of its models.

        Raises:
            NovaInvalid: there is none; where the environment names an endpoint, any name may be a model there.

        """
        if name is None or self._models.environment is not None or name == BUILT_IN_KEY:
            return
        key, _, model = name.partition("/")
        row = await find_profile(session, key)
        if row is None or (model and model not in row.models):
            raise NovaInvalid("There is no such profile or model in the AI configuration.", field="model")

    async def check_order(self, session: AsyncSession, names: Sequence[str]) -> None:
        """Let pass what may stand in for a model, in this order.

        Raises:
            NovaInvalid: one of them does not exist, or stands behind the built-in model and would never be asked.

        """
        if BUILT_IN_KEY in names[:-1]:
            raise NovaInvalid(
                "The built-in model always answers, so nobody behind it is asked: put it last.", field="fall_back"
            )
        for name in names:
            key, _, model = name.partition("/")
            row = await find_profile(session, key)
            is_stored = row is not None and (not model or model in row.models)
            if not is_stored and (model or not await self._exists(session, key)):
                raise NovaInvalid("There is no such profile or model in the AI configuration.", field="fall_back")

    async def check_temperature(self, session: AsyncSession, name: str | None, temperature: float | None) -> None:
        """Let pass a temperature that the model called `name`, or else the default, takes.

        Raises:
            NovaInvalid: it takes none, or none that high.

        """
        if temperature is None:
            return
        kind = await self._kind_of(session, name)
        most = MAX_TEMPERATURES.get(kind)
        if most is None:
            raise NovaInvalid("This model takes no temperature.", field="temperature", extra={"most": None})
        if temperature > most:
            detail = f"This model takes a temperature of at most {most}."
            raise NovaInvalid(detail, field="temperature", extra={"most": most})

    async def _kind_of(self, session: AsyncSession, name: str | None) -> ProviderKind:
        configuration = await configuration_row(session)
        chosen = name or (None if configuration is None else configuration.default_profile)
        row = None if chosen is None else await find_profile(session, chosen.partition("/")[0])
        if row is not None:
            return ProviderKind(row.kind)
        return (
            ProviderKind.BUILT_IN if self._models.environment is None or chosen == BUILT_IN_KEY else ProviderKind.OPENAI
        )

    async def _exists(self, session: AsyncSession, key: str) -> bool:
        is_given = key == BUILT_IN_KEY or (self._models.environment is not None and key in RESERVED_KEYS)
        return is_given or await find_profile(session, key) is not None

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
            fall_back=[] if configuration is None else configuration.fall_back,
            fall_back_may_widen=configuration is not None and configuration.fall_back_may_widen,
            profiles=profiles,
            version=0 if configuration is None else configuration.version,
        )
