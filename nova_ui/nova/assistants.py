"""Administration of assistants, from the interface only (rules B3, B4, B6)."""

from collections.abc import Iterable, Mapping
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.assistant import (
    ADMIN_CHAT_KEY,
    Assistant,
    AssistantKey,
    Audience,
    AudienceKind,
    ToolList,
)
from nova_ui.domain.confirming import needs_confirmation
from nova_ui.domain.tool import AnyTool
from nova_ui.errors import AssistantRuleBroken, NovaConflict, NovaInvalid
from nova_ui.nova.assistant_checks import ModelChecks, check_prompt
from nova_ui.nova.assistant_views import name_in, tool_view, values_of, view_of
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import Planned, weigh
from nova_ui.nova.permissions import require_interface
from nova_ui.nova.views import (
    AssistantCreate,
    AssistantList,
    AssistantPatch,
    AssistantView,
    Done,
    Impact,
    ObjectRef,
    ToolCatalogue,
)
from nova_ui.nova.writing import check_version
from storage.chat.assistants import AssistantStore, StoredAssistant
from storage.nova.locks import take_lock
from storage.nova.names import group_names

_SENTENCES: Final[Mapping[str, str]] = {
    "all_tools_need_administrators": "All tools are possible only for an assistant open to administrators only.",
    "admin_chat_has_all_tools": "The Admin Chat always has all tools.",
    "admin_chat_is_for_administrators": "The Admin Chat is always for administrators only.",
    "admin_chat_stays_enabled": "The Admin Chat cannot be disabled.",
    "admin_chat_stays": "The Admin Chat cannot be deleted.",
}


class AssistantAdministration:
    """Assistants as administrators create, change and delete them; `tools` are all there are."""

    def __init__(self, core: Core, tools: Mapping[str, AnyTool], models: ModelChecks) -> None:
        self._core = core
        self._tools = tools
        self._models = models

    async def list_all(self, context: RequestContext) -> AssistantList:
        """Return every assistant in the order set."""
        require_interface(context)
        async with self._core.database.reading() as session:
            found = await AssistantStore(session).list_all()
            return AssistantList(items=await view_of(session, *found), total=len(found))

    async def get(self, context: RequestContext, key: str) -> AssistantView:
        """Return one assistant.

        Raises:
            NovaNotFound: there is none.

        """
        require_interface(context)
        async with self._core.database.reading() as session:
            return await _view(session, await AssistantStore(session).get(AssistantKey(key)))

    def catalogue(self, context: RequestContext) -> ToolCatalogue:
        """Return every tool there is, with its kind, for the tool list of an assistant."""
        require_interface(context)
        tools = [self._tools[name] for name in sorted(self._tools)]
        return ToolCatalogue(items=[tool_view(tool) for tool in tools], total=len(tools))

    async def create(self, context: RequestContext, body: AssistantCreate) -> AssistantView:
        """Add an assistant.

        Raises:
            NovaConflict: the key is taken, or it would break rule B3.
            NovaInvalid: a tool does not exist.

        """
        target = Target("assistant", body.key, name_in(body.names, body.key))
        async with self._core.writer.writing(context, "assistant.created", target) as write:
            require_interface(context)
            await take_lock(write.session, f"nova.assistant.{body.key}")
            if await AssistantStore(write.session).find(AssistantKey(body.key)) is not None:
                raise NovaConflict("An assistant with this key exists already.", field="key")
            values = body.model_dump(exclude={"key"})
            await self._models.check_model(write.session, body.model)
            await self._models.check_order(write.session, body.fall_back or ())
            await self._models.check_temperature(write.session, body.model, body.temperature)
            check_prompt(body.prompt)
            await _check_groups(write.session, body.audience_group_ids)
            assistant = self._assistant(AssistantKey(body.key), values)
            stored = await AssistantStore(write.session).save(assistant, write.now, 0)
            await write.log("assistant.created", target, details={"changes": changes_between({}, values)})
            return await _view(write.session, stored)

    async def update(
        self, context: RequestContext, key: str, body: AssistantPatch, if_match: str | None
    ) -> AssistantView:
        """Change an assistant; the whole of it must keep rules B3 and B4, in whatever order it is edited.

        Raises:
            NovaConflict: a rule would be broken.
            NovaPreconditionFailed: it is no longer what `if_match` names, or somebody else was quicker.

        """
        async with self._core.writer.writing(context, "assistant.updated", Target("assistant", key)) as write:
            require_interface(context)
            store = AssistantStore(write.session)
            stored = await store.get(AssistantKey(key))
            write.target = Target("assistant", key, name_in(stored.assistant.names, key))
            check_version(stored.version, if_match)
            before = values_of(stored.assistant)
            given = body.model_dump(exclude_unset=True)
            if "model" in given:
                await self._models.check_model(write.session, body.model)
            await self._models.check_order(write.session, body.fall_back or ())
            check_prompt(body.prompt if body.prompt != stored.assistant.prompt else "")
            await _check_groups(write.session, set(body.audience_group_ids) - stored.assistant.audience.group_ids)
            after = self._assistant(stored.assistant.key, {**before, **given})
            if given.keys() & {"model", "temperature"}:
                await self._models.check_temperature(write.session, after.model, after.temperature)
            changes = changes_between(before, {name: values_of(after)[name] for name in given})
            if changes:
                stored = await store.save(after, write.now, stored.version)
                await write.log("assistant.updated", write.target, details={"changes": changes})
            return await _view(write.session, stored)

    async def impact_of_delete(self, context: RequestContext, key: str) -> Impact:
        """Return what deleting an assistant would do, or the refusal it would give."""
        require_interface(context)
        async with self._core.database.reading() as session:
            stored = await AssistantStore(session).get(AssistantKey(key))
        subject = ObjectRef(type="assistant", id=key, display=name_in(stored.assistant.names, key))
        return await weigh(subject, _plan_delete(key))

    async def delete(self, context: RequestContext, key: str, if_match: str | None) -> Done[AssistantView]:
        """Delete an assistant; its chats stay with their owners (rule G4).

        Raises:
            NovaConflict: it is the Admin Chat (rule B4).

        """
        async with self._core.writer.writing(context, "assistant.deleted", Target("assistant", key)) as write:
            require_interface(context)
            await take_lock(write.session, f"nova.assistant.{key}")
            stored = await _found(write.session, key)
            write.target = Target("assistant", key, name_in(stored.assistant.names, key))
            check_version(stored.version, if_match)
            await _plan_delete(key)
            await AssistantStore(write.session).delete(AssistantKey(key))
            await write.log("assistant.deleted", write.target)
            return Done(object=await _view(write.session, stored), effects=[])

    def _assistant(self, key: AssistantKey, values: Mapping[str, object]) -> Assistant:
        fields = AssistantCreate.model_validate({"key": key, **values})
        unknown = sorted(set(fields.tool_names) - set(self._tools))
        if unknown:
            raise NovaInvalid(f"{len(unknown)} of the tools do not exist.", field="tool_names")
        on_cards = {
            name
            for name, tool in self._tools.items()
            if needs_confirmation(tool, every_change=fields.ask_before_changes)
        }
        if not on_cards.issuperset(fields.type_name_for):
            raise NovaInvalid("Not all of these tools wait on a card.", field="type_name_for")
        if fields.audience is AudienceKind.ROLES and not fields.audience_roles:
            raise NovaInvalid("An audience of roles needs at least one role.", field="audience_roles")
        if fields.audience is AudienceKind.GROUPS and not fields.audience_group_ids:
            raise NovaInvalid("An audience of groups needs at least one group.", field="audience_group_ids")
        try:
            return Assistant(
                key=key,
                names=fields.names,
                descriptions=fields.descriptions,
                prompt=fields.prompt,
                tools=ToolList(all_tools=fields.all_tools, names=frozenset(fields.tool_names)),
                audience=Audience(
                    kind=fields.audience,
                    roles=frozenset(fields.audience_roles),
                    group_ids=frozenset(fields.audience_group_ids),
                ),
                starters={language: tuple(texts) for language, texts in fields.starters.items()},
                model=fields.model,
                fall_back=None if fields.fall_back is None else tuple(dict.fromkeys(fields.fall_back)),
                button_only=fields.button_only,
                type_name_for=frozenset(fields.type_name_for),
                ask_before_changes=fields.ask_before_changes,
                enabled=fields.enabled,
                position=fields.position,
                icon=fields.icon,
                temperature=fields.temperature,
            )
        except AssistantRuleBroken as broken:
            raise _conflict(key, broken.rule, broken.reason) from None


async def _view(session: AsyncSession, stored: StoredAssistant) -> AssistantView:
    (view,) = await view_of(session, stored)
    return view


async def _check_groups(session: AsyncSession, wanted: Iterable[str]) -> None:
    """Let only groups be added that there are; one that was deleted later admits nobody, and may stay or go."""
    ids = frozenset(wanted)
    missing = len(ids) - len(await group_names(session, ids))
    if missing:
        raise NovaInvalid(f"{missing} of the groups do not exist.", field="audience_group_ids")


async def _found(session: AsyncSession, key: str) -> StoredAssistant:
    return await AssistantStore(session).get(AssistantKey(key))


async def _plan_delete(key: str) -> list[Planned]:
    if key == ADMIN_CHAT_KEY:
        raise _conflict(ADMIN_CHAT_KEY, "B4", "admin_chat_stays")
    return []


def _conflict(key: AssistantKey, rule: str, reason: str) -> NovaConflict:
    code = "protected_object" if key == ADMIN_CHAT_KEY else "conflict"
    return NovaConflict(_SENTENCES[reason], code=code, extra={"rule": rule})
