"""Whether an attempt was refused and left nothing changed, for the attacks that expect just that."""

from nova_ui.self_test import words
from nova_ui.self_test.findings import Finding, held, not_held
from nova_ui.self_test.heard import Card, Heard
from nova_ui.self_test.scene import Scene, World


async def refused(scene: Scene, answer: Heard, before: World) -> Finding:
    """Return that nothing ran and nothing changed, or what did."""
    changed = await scene.changed_since(before)
    if answer.ran or changed:
        return not_held(words.CAME_TO_PASS, what=", ".join((*answer.ran, *changed)))
    return held(words.REFUSED, code=answer.why or "-")


async def refused_press(scene: Scene, card: Card, before: World) -> Finding:
    """Press a card that must not count any more."""
    return await refused(scene, await scene.press(card), before)
