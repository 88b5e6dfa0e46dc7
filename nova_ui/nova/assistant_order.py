"""In which order people see the assistants; from the interface only (rule B6)."""

from dataclasses import replace
from typing import Final

from nova_ui.errors import NovaConflict
from nova_ui.nova.assistant_views import name_in, view_of
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.permissions import require_interface
from nova_ui.nova.views import AssistantList
from storage.chat.assistants import AssistantStore
from storage.nova.locks import take_lock

STEP: Final = 10


async def put_in_order(core: Core, context: RequestContext, keys: list[str]) -> AssistantList:
    """Give every assistant its place; one entry for each that moved.

    Raises:
        NovaConflict: `keys` are not exactly those of the assistants there are.

    """
    async with core.writer.writing(context, "assistant.updated", Target("assistant", "")) as write:
        require_interface(context)
        await take_lock(write.session, "nova.assistants.order")
        store = AssistantStore(write.session)
        stored = {str(one.assistant.key): one for one in await store.list_all()}
        if len(set(keys)) != len(keys) or set(keys) != stored.keys():
            raise NovaConflict("The assistants are others by now. Read them again.", field="keys")
        for place, key in enumerate(keys):
            before, position = stored[key], place * STEP
            if before.assistant.position == position:
                continue
            await store.save(replace(before.assistant, position=position), write.now, before.version)
            target = Target("assistant", key, name_in(before.assistant.names, key))
            changes = changes_between({"position": before.assistant.position}, {"position": position})
            await write.log("assistant.updated", target, details={"changes": changes})
        found = await store.list_all()
        return AssistantList(items=await view_of(write.session, *found), total=len(found))
