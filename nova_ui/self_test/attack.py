"""What an attack is: the rule it aims at, its words, what it needs, and what it does."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.text import mark
from nova_ui.domain.tool import ToolKind
from nova_ui.self_test.findings import Finding
from nova_ui.self_test.scene import Scene

Need = Callable[[Scene], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """An attack on one rule; `words` is a message id. Each of `needs` says why it can't be made here, or None."""

    rule: str
    words: str
    run: Callable[[Scene], Awaitable[Finding]]
    needs: tuple[Need, ...] = ()


NO_DESTRUCTIVE: Final = mark("The tool list holds no destructive tool that could be tried.")
NO_READING: Final = mark("The tool list holds no reading tool that could be tried.")
NO_WRITING: Final = mark("The tool list holds no writing tool that could be tried.")
NO_TOOL: Final = mark("The tool list is empty.")
NO_WORDS: Final = mark("This assistant takes the button only, so that no typed word can agree to anything.")
ALL_TOOLS: Final = mark("The list holds all tools and can't be shortened.")
OPEN_TO_EVERYONE: Final = mark("The assistant is open to everyone.")
NOBODY_WEAKER: Final = mark("Only administrators can use this assistant; nobody in its audience holds fewer roles.")
NO_ROLE_NEEDED: Final = mark("No tool on the list asks for more than its audience holds.")
ONLY_ADMIN_CHAT: Final = mark("Concerns the Admin Chat only.")


def destructive(scene: Scene) -> str | None:
    """Ask for a destructive tool that can be tried."""
    return None if scene.aims() else NO_DESTRUCTIVE


def by_words(scene: Scene) -> str | None:
    """Ask for a destructive tool whose card takes a typed agreement."""
    if not scene.aims():
        return NO_DESTRUCTIVE
    return None if any(scene.subject.takes_words(tool) for tool, _ in scene.aims()) else NO_WORDS


def reading(scene: Scene) -> str | None:
    """Ask for a reading tool that can be tried."""
    return None if scene.reads() else NO_READING


def writing(scene: Scene) -> str | None:
    """Ask for a writing tool."""
    return None if scene.subject.of_kind(ToolKind.WRITE) else NO_WRITING


def any_tool(scene: Scene) -> str | None:
    """Ask for any tool at all."""
    return None if scene.subject.listed else NO_TOOL


def a_list(scene: Scene) -> str | None:
    """Ask for a list that names its tools."""
    return ALL_TOOLS if scene.subject.assistant.tools.all_tools else any_tool(scene)


def an_outsider(scene: Scene) -> str | None:
    """Ask for somebody who may not use the assistant."""
    is_open = scene.subject.assistant.audience.kind is AudienceKind.EVERYONE or scene.cast.outsider is None
    return OPEN_TO_EVERYONE if is_open else None


def somebody_weak(scene: Scene) -> str | None:
    """Ask for somebody in the audience who holds fewer roles than an administrator."""
    return NOBODY_WEAKER if scene.cast.weak is None else None


def the_admin_chat(scene: Scene) -> str | None:
    """Ask for the Admin Chat."""
    return None if scene.subject.assistant.is_preset else ONLY_ADMIN_CHAT
