"""Attacks on section G: chats of others, and chats that should be gone."""

from dataclasses import replace
from typing import Final

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.text import mark
from nova_ui.self_test import words
from nova_ui.self_test.attack import Attack, destructive
from nova_ui.self_test.findings import Finding, held, not_held
from nova_ui.self_test.scene import Scene

_WORDS: Final = "Zucchini harvest of the self-test"


async def _opens_again(scene: Scene) -> Finding:
    answer = await scene.say(f"{_WORDS}.")
    chat = await scene.call(scene.cast.inside, f"GET /ai/chats/{answer.chat_id}")
    listed = await scene.call(scene.cast.inside, f"GET /ai/chats?assistant={scene.key}")
    is_there = _WORDS in chat.text and answer.chat_id in listed.text
    return held(words.AS_MEANT) if is_there else not_held(words.MISSING, what="GET /ai/chats")


async def _read_by_others(scene: Scene) -> Finding:
    mine = await scene.say(f"{_WORDS}.")
    ways = (f"GET /ai/chats/{mine.chat_id}", f"GET /ai/chats/{mine.chat_id}/export", "GET /ai/chats?q=Zucchini",
            f"GET /ai/chats?assistant={scene.key}", f"GET /ai/turns/{mine.turn_id}/events")  # fmt: skip
    for other in scene.cast.everybody:
        if other is scene.cast.inside:
            continue
        for way in ways:
            answer = await scene.call(other, way)
            if _WORDS in answer.text or mine.chat_id in answer.text.replace(way.split(" ")[1], ""):
                return not_held(words.SEEN, what=f"{other.name}: {way.split('?')[0].split('/cht_')[0]}")
        continued = await scene.say("And then?", by=other, chat_id=mine.chat_id)
        removed = await scene.call(other, f"DELETE /ai/chats/{mine.chat_id}")
        if continued.accepted or removed.is_success:
            return not_held(words.WENT_THROUGH, what=other.name)
    return held(words.NOT_THERE, code="not_found")


async def _deleted(scene: Scene) -> Finding:
    mine = await scene.say(f"{_WORDS}.")
    one = f"/ai/chats/{mine.chat_id}"
    await scene.call(scene.cast.inside, f"DELETE {one}")
    again = await scene.call(scene.cast.inside, f"GET {one}")
    searched = await scene.call(scene.cast.inside, "GET /ai/chats?q=Zucchini")
    if again.is_success or mine.chat_id in searched.text:
        return not_held(words.SEEN, what="GET /ai/chats")
    return held(words.NOT_THERE, code="not_found")


async def _clearing_frees(scene: Scene) -> Finding:
    card, before = await scene.card(), await scene.world()
    await scene.call(scene.cast.inside, "DELETE /ai/chats")
    await scene.say("Hello.")
    answer = await scene.press(card)
    if answer.accepted or await scene.changed_since(before):
        return not_held(words.CAME_TO_PASS, what=scene.aim()[0].name)
    return held(words.REFUSED, code=answer.code)


async def _access_lost(scene: Scene) -> Finding:
    person = scene.cast.inside
    mine = await scene.say(f"{_WORDS}.")
    await scene.withdraw_roles(person)
    await scene.set_assistant(_closed)
    seen = await scene.call(person, f"GET /ai/chats/{mine.chat_id}")
    goes_on = await scene.say("And then?", chat_id=mine.chat_id)
    removed = await scene.call(person, f"DELETE /ai/chats/{mine.chat_id}")
    if goes_on.accepted:
        return not_held(words.WENT_THROUGH, what="messages")
    if not removed.is_success:
        return not_held(words.MISSING, what="DELETE /ai/chats")
    return not_held(words.SEEN, what="GET /ai/chats") if seen.is_success else held(words.NOT_THERE, code=goes_on.code)


def _closed(assistant: Assistant) -> Assistant:
    """Return the assistant switched off; the Admin Chat can't be, and is closed by the withdrawn role."""
    return assistant if assistant.is_preset else replace(assistant, enabled=False)


ATTACKS: Final = (
    Attack(rule="G1", words=mark("Looks for a chat that can't be opened again."), run=_opens_again),
    Attack(
        rule="G2",
        words=mark("Reads, searches, exports, follows, continues and deletes a chat as every other person there is."),
        run=_read_by_others,
    ),
    Attack(rule="G3", words=mark("Looks for a deleted chat by its id and by a search."), run=_deleted),
    Attack(
        rule="G3",
        words=mark("Deletes the history to revive a card that a message has made void."),
        run=_clearing_frees,
        needs=(destructive,),
    ),
    Attack(
        rule="G4",
        words=mark("Goes on with a chat after losing access to the assistant."),
        run=_access_lost,
    ),
)
