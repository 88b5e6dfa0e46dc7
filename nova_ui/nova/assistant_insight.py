"""What an assistant's tool list comes to: for one identity, and measured by its own prompt starters (rule B6)."""

from collections.abc import Mapping

from nova_ui.domain.assistant import Assistant, AssistantKey, AudienceKind
from nova_ui.domain.identity import Role
from nova_ui.domain.tool import AnyTool
from nova_ui.errors import NovaNotFound
from nova_ui.guardrails.audience import exists_for
from nova_ui.guardrails.forecast import forecast
from nova_ui.llm.builtin.needs import NeedsFinder
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.permissions import require_interface
from nova_ui.nova.views.assistant_insight import AssistantForecast, SmallestToolList, StarterNeeds, ToolForecast
from nova_ui.nova.views.common import Ref
from storage.chat.assistants import AssistantStore
from storage.chat.audience import knowing_groups
from storage.nova.membership import groups_among
from storage.nova.present_identities import find_active
from storage.nova.tables import IdentityRow


class AssistantInsight:
    """Tells what stored assistants could do; `tools` are all there are. Changes nothing."""

    def __init__(self, core: Core, tools: Mapping[str, AnyTool]) -> None:
        self._core = core
        self._tools = tools
        self._needs = NeedsFinder(tools)

    async def forecast(self, context: RequestContext, key: str, identity_id: str) -> AssistantForecast:
        """Return what would become of every tool if the identity called it through the assistant now.

        Raises:
            NovaNotFound: there is no such assistant or identity.

        """
        require_interface(context)
        async with self._core.database.reading() as session:
            assistant = (await AssistantStore(session).get(AssistantKey(key))).assistant
            row = await session.get(IdentityRow, identity_id)
            if row is None:
                raise NovaNotFound("There is no such identity.")
            identity = await find_active(session, identity_id)
            if identity is not None:
                identity = await knowing_groups(identity, [assistant], await session.connection(), groups_among)
        items = [
            ToolForecast(tool=one.tool, verdict=one.verdict, rule=one.rule, reason=one.reason)
            for one in forecast(self._tools, assistant, identity, self._core.clock.now())
        ]
        return AssistantForecast(
            identity=Ref(id=row.id, display_name=row.display_name),
            roles=[] if identity is None else sorted(identity.roles),
            is_active=identity is not None,
            is_open=identity is not None and exists_for(assistant, identity),
            items=items,
            total=len(items),
        )

    async def smallest_list(self, context: RequestContext, key: str) -> SmallestToolList:
        """Return the tools that the assistant's prompt starters need, as the built-in model understands them.

        Raises:
            NovaNotFound: there is no such assistant.

        """
        require_interface(context)
        async with self._core.database.reading() as session:
            assistant = (await AssistantStore(session).get(AssistantKey(key))).assistant
        today = self._core.clock.now().date()
        nearest = [tool for tool in self._tools.values() if tool.roles & _held_by_all(assistant)]
        items = []
        for language, texts in assistant.starters.items():
            for text in texts:
                needs = self._needs.needs_of(text, nearest, today)
                items.append(
                    StarterNeeds(text=text, language=language, is_clear=needs.is_clear, tools=list(needs.tools))
                )
        needed = {name for item in items if item.is_clear for name in item.tools}
        listed = {name for name in self._tools if assistant.tools.holds(name)}
        return SmallestToolList(
            tool_names=sorted(needed),
            missing=sorted(needed - listed),
            spare=sorted(listed - needed),
            items=items,
            total=len(items),
        )


def _held_by_all(assistant: Assistant) -> frozenset[Role]:
    """Return roles of which everybody in the audience has at least one: their tools are the likelier ones."""
    match assistant.audience.kind:
        case AudienceKind.ADMINISTRATORS:
            return frozenset({Role.ADMINISTRATOR, Role.USER})
        case AudienceKind.ROLES:
            return assistant.audience.roles | {Role.USER}
        case AudienceKind.GROUPS | AudienceKind.EVERYONE:
            return frozenset({Role.USER})
