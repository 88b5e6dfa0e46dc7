"""Attacks on section F: traces that are missing or forged."""

from typing import Final

from sqlalchemy import text as sql

from nova_ui.domain.text import mark
from nova_ui.domain.tool import ToolKind
from nova_ui.self_test import words
from nova_ui.self_test.arguments import arguments_for
from nova_ui.self_test.attack import Attack, reading
from nova_ui.self_test.findings import Finding, held, not_applicable, not_held
from nova_ui.self_test.organisation import GROUPS
from nova_ui.self_test.scene import Scene, Unclear
from nova_ui.self_test.scripted import Call
from storage.nova.audit_chain import verify
from storage.nova.tables import AuditEntryRow

NOTHING_WRITES: Final = mark("No tool on the list left an entry in the log.")
ALL_MARKED: Final = mark("{count} entries came from the chat; each says so.")
UNMARKED: Final = mark("An entry does not say that it came from the chat: {what}.")
NO_ENTRY: Final = mark("Messages, reading and refusals left no entry of their own.")
OWN_ENTRY: Final = mark("The chat left an entry of its own: {what}.")
WHOLE: Final = mark("{count} entries verified; one that was altered was found.")
NOT_FOUND: Final = mark("An altered entry was not found.")


async def _through_chat(scene: Scene) -> tuple[AuditEntryRow, ...]:
    """Have something changed through the chat, and return the entries that this wrote."""
    before = len(await scene.entries())
    if scene.aims():
        await scene.press(await scene.card())
    for tool in scene.subject.of_kind(ToolKind.WRITE):
        arguments = arguments_for(tool)
        if arguments is not None:
            answer = await scene.say("Do it.", [Call(name=tool.name, arguments=arguments)])
            for card in answer.cards:  # where every change is asked about
                await scene.press(card)
    return tuple((await scene.entries())[before:])


async def _marked_entries(scene: Scene) -> Finding:
    entries = await _through_chat(scene)
    wanted = f"ai_chat:{scene.key}"
    wrong = [entry.action for entry in entries if entry.via != wanted]
    if wrong:
        return not_held(UNMARKED, what=wrong[0])
    return held(ALL_MARKED, count=len(entries)) if entries else not_applicable(NOTHING_WRITES)


async def _filtered(scene: Scene) -> Finding:
    await scene.call(scene.cast.admin, f"PATCH /groups/{GROUPS[1]}", {"description": "By a page"})
    entries = await _through_chat(scene)
    if not entries:
        return not_applicable(NOTHING_WRITES)
    answer = await scene.call(scene.cast.admin, "GET /audit-log?origin=ai_chat&limit=200")
    by_page = await scene.call(scene.cast.admin, "GET /audit-log?origin=interface&limit=200")
    if not (answer.is_success and by_page.is_success):
        raise Unclear(words.MISSING, what=answer.text[:80])
    shown = {str(one["id"]) for one in answer.json()["items"]}
    if shown != {entry.id for entry in entries} or any(one["id"] in shown for one in by_page.json()["items"]):
        return not_held(words.SEEN, what="origin=ai_chat")
    return held(ALL_MARKED, count=len(shown))


async def _no_own_entries(scene: Scene) -> Finding:
    before = len(await scene.entries())
    await scene.say("Read it.", [*scene.reads()[:3], Call(name="delete_everything")], [Call(name="nothing")])
    if scene.aims():
        await scene.card()
    later = (await scene.entries())[before:]
    return not_held(OWN_ENTRY, what=later[0].action) if later else held(NO_ENTRY)


async def _forged(scene: Scene) -> Finding:
    headers = {"x-nova-origin": f"ai_chat:{scene.key}", "via": f"ai_chat:{scene.key}", "nova.delegation": "ai_chat"}
    before = len(await scene.entries())
    answer = await scene.call(
        scene.cast.admin, f"PATCH /groups/{GROUPS[0]}?via=ai_chat", {"description": "By a page"}, headers=headers
    )
    plain = await scene.call(
        scene.cast.admin, f"PATCH /groups/{GROUPS[0]}", {"description": "By a page too"}, headers=headers
    )
    if not plain.is_success and not answer.is_success:
        raise Unclear(words.MISSING, what=plain.text[:80])
    by_page = (await scene.entries())[before:]
    if any(entry.via is not None for entry in by_page):
        return not_held(words.WENT_THROUGH, what="x-nova-origin")
    after = len(await scene.entries())
    hidden = await scene.call(
        scene.cast.admin, f"PATCH /groups/{GROUPS[0]}", {"description": "By a chat"},
        chat=True, headers={"x-nova-origin": "interface", "via": "interface"},
    )  # fmt: skip
    by_chat = (await scene.entries())[after:]
    if hidden.is_success and not all(entry.via == f"ai_chat:{scene.key}" for entry in by_chat):
        return not_held(UNMARKED, what=by_chat[0].action)
    return held(words.NOTHING_CAME)


async def _altered(scene: Scene) -> Finding:
    for number in range(3):
        await scene.call(scene.cast.admin, f"PATCH /groups/{GROUPS[0]}", {"description": f"Change {number}"})
    async with scene.reading() as session:
        whole = await verify(session)
    if whole.broken_seq is not None or whole.checked < 3:  # noqa: PLR2004 - the three that were just written
        return not_held(words.MISSING, what=whole.reason or str(whole.checked))
    async with scene.stage.parts.database.transaction() as session:
        change = sql(
            "UPDATE audit_entries SET actor_display = 'Nobody' WHERE seq = (SELECT max(seq) - 1 FROM audit_entries)"
        )
        await (await session.connection()).execute(change)
    async with scene.reading() as session:
        found = await verify(session)
    return held(WHOLE, count=whole.checked) if found.broken_seq is not None else not_held(NOT_FOUND)


ATTACKS: Final = (
    Attack(
        rule="F1",
        words=mark("Changes things through the chat and looks for entries that do not say so."),
        run=_marked_entries,
    ),
    Attack(
        rule="F2",
        words=mark("Changes things by page and by chat and filters the log by origin."),
        run=_filtered,
    ),
    Attack(
        rule="F3",
        words=mark("Looks for log entries of messages, reading calls and refusals."),
        run=_no_own_entries,
        needs=(reading,),
    ),
    Attack(
        rule="F4",
        words=mark("Forges the origin by headers and parameters, in both directions."),
        run=_forged,
    ),
    Attack(rule="F5", words=mark("Alters an entry in the copy of the log and verifies it."), run=_altered),
)
