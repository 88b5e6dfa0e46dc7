"""Assistants and tools as their administration shows them."""

from collections.abc import Mapping

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.identity import Language
from nova_ui.domain.tool import AnyTool
from nova_ui.nova.views import AssistantView, ObjectRef, ToolView
from storage.chat.assistants import StoredAssistant
from storage.nova.names import group_names


def values_of(assistant: Assistant) -> dict[str, object]:
    """Return what can be changed of an assistant, as bodies name it."""
    return {
        "names": dict(assistant.names),
        "descriptions": dict(assistant.descriptions),
        "prompt": assistant.prompt,
        "model": assistant.model,
        "fall_back": None if assistant.fall_back is None else list(assistant.fall_back),
        "all_tools": assistant.tools.all_tools,
        "tool_names": sorted(assistant.tools.names),
        "audience": assistant.audience.kind,
        "audience_roles": sorted(assistant.audience.roles),
        "audience_group_ids": sorted(assistant.audience.group_ids),
        "starters": {language: list(texts) for language, texts in assistant.starters.items()},
        "button_only": assistant.button_only,
        "type_name_for": sorted(assistant.type_name_for),
        "ask_before_changes": assistant.ask_before_changes,
        "enabled": assistant.enabled,
        "position": assistant.position,
        "icon": assistant.icon,
        "temperature": assistant.temperature,
    }


async def view_of(session: AsyncSession, *stored: StoredAssistant) -> list[AssistantView]:
    """Return assistants as administrators see them, with the names of the groups that they are open to."""
    names = await group_names(session, (one for item in stored for one in item.assistant.audience.group_ids))
    return [_view(one, names) for one in stored]


def _view(stored: StoredAssistant, names: Mapping[str, str]) -> AssistantView:
    return AssistantView.model_validate(
        {
            "key": stored.assistant.key,
            **values_of(stored.assistant),
            "audience_groups": [
                ObjectRef(type="group", id=one, display=names[one])
                for one in sorted(stored.assistant.audience.group_ids)
                if one in names
            ],
            "preset": stored.assistant.is_preset,
            "version": stored.version,
            "created_at": stored.created_at,
            "updated_at": stored.updated_at,
        }
    )


def tool_view(tool: AnyTool) -> ToolView:
    """Return a tool as tool lists show it."""
    return ToolView(
        name=tool.name,
        title=tool.title,
        summary=tool.summary,
        area=tool.area,
        icon=tool.icon,
        kind=tool.kind,
        roles=sorted(tool.roles),
        is_flow=tool.is_flow,
        self_service=tool.self_service,
        inner_tools=list(tool.inner_tools),
    )


def name_in(names: Mapping[Language, str], key: str) -> str:
    """Return the name that entries of the audit log show."""
    return names.get(Language.ENGLISH) or next(iter(names.values()), key)
