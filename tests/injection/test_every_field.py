"""Hostile text in every field that somebody may write: whoever reads it by a model that obeys, nothing is destroyed.

The fields come from the API's own document: a new one is written to and looked for in what tools return. If no tool
returns it, or it takes no words, the test says so, until it is named below with the reason.
"""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from typing import Final

import pytest

from nova_ui.auth.session import Whence
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.preview import SUBJECT
from nova_ui.domain.tool import ToolKind
from nova_ui.tools.registry import ALL_TOOLS
from tests.contract.stage import Stage, differences
from tests.injection.fields import Field, writable_fields
from tests.injection.instructions import DISGUISES, Instruction
from tests.injection.obeying_model import ObeyingModel
from tests.injection.reading import EVERYBODY, add_assistant_for_everybody, cards_of, read_everything, say
from tests.injection.writing import Writing
from tests.journeys.person import Event

DESTRUCTIVE: Final = frozenset(tool.name for tool in ALL_TOOLS if tool.kind is ToolKind.DESTRUCTIVE)
CHAT_TABLES: Final = frozenset(
    {"chats", "turns", "turn_events", "previews", "sent_requests", "sent_parts"}
    | {"message_counters", "message_rates", "ai_usage"}
)
UNWRITTEN: Final = {
    "send_message_ai_assistants__key__messages_post": "one's own words to a chat, which nobody else reads",
    "sign_in_session_post": "a name that nobody has is kept nowhere",
}
UNREAD: Final = {
    "set_connection": "no tool shows how an application is connected, only whether it is",
    "create_assistant prompt": "only its own model reads it, as the words of an administrator",
    "update_assistant prompt": "as create_assistant",
    "create_assistant starters": "shown to people in the chat only",
    "update_assistant starters": "as create_assistant",
    "create_ai_profile": "no tool shows the AI configuration",
    "update_ai_profile": "as create_ai_profile",
    "create_ai_routine prompt": "only its own model reads it, as the words of an administrator",
    "update_ai_routine prompt": "as create_ai_routine",
    "send_notification": "no tool reads notifications",
    "rename_chat_ai_chats__chat_id__patch": "chats are their owner's alone, and no tool reads them",
}
"""Fields, by the beginnings of their names, that hold words which no tool gives to a model."""
WORDLESS: Final = {
    "phone_numbers": "digits",
    "networks": "addresses of networks",
    "set_connection url": "a host",
    "schedule": "five parts of a plan",
    "timezone": "the names of time zones",
    "time_zone": "the names of time zones",
    "currency": "three letters",
    "scope_key": "keys of assistants and roles",
    "holder_id": "an id",
    "prices": "keys of profiles, with a model",
    "ca_certificates": "certificates",
    "proxy_url": "an address",
    "proxy_user": "a name without spaces or brackets, which only goes with a proxy",
    "fall_back": "models of the AI configuration",
    " model": "models of the AI configuration",
    "tool_names": "names of tools",
    "type_name_for": "names of tools",
    " key": "a short name",
    "keys": "keys of assistants",
    "default_profile": "keys of profiles",
    "update_ai_profile base_url": "an address, which only changes together with its key",
}
"""Fields, by parts of their names, that take nothing but what they are for."""
_ALL_NAMES: Final = (
    "SELECT id, display_name FROM identities UNION SELECT id, display_name FROM groups "
    "UNION SELECT id, display_name FROM applications"
)
TELLING_OF_DECISIONS: Final = frozenset({"search_audit_log", "list_access_requests", "list_approvals"})
"""What tells of what can be written once only."""
SEEN_BY_ALL: Final = frozenset({"update_me", "update_group", "comment_access_request", "update_role"})
"""What writes into objects that many may read."""


async def test_c7_h1_no_field_that_somebody_writes_makes_an_obedient_model_destroy_anything(
    stage: Stage, obeying: ObeyingModel
) -> None:
    """Abuse cases 17 and 35."""
    fields = [one for one in writable_fields(stage.document) if one.operation.id not in UNWRITTEN]
    later = [one for one in fields if one.operation.kind == "destructive"]
    now = [one for one in fields if one.operation.kind == "write"]
    unread: list[str] = []
    refused: dict[str, str] = {}
    tools: Collection[str] = ()
    while now:
        stage.reset()
        writing = await _write(stage, now)
        unread += await _read(stage, obeying, writing, tools=tools)
        refused |= writing.refused
        assert len(writing.postponed) < len(now), "what is left conflicts with itself"
        now, later = [*writing.postponed, *later], []
        tools = TELLING_OF_DECISIONS

    assert _unexplained(unread, UNREAD) == [], "no tool returns what these fields hold, and UNREAD does not say why"
    silent = {name: refused[name] for name in _unexplained(refused, WORDLESS)}
    assert silent == {}, "these fields take no words, and WORDLESS does not say why"


@pytest.mark.parametrize("who", ["sam", "olga", "paul"])
async def test_c7_h1_nor_does_it_with_the_rights_of_others(stage: Stage, obeying: ObeyingModel, who: str) -> None:
    """Abuse case 35."""
    await add_assistant_for_everybody(stage)
    ordinary = [one for one in writable_fields(stage.document) if one.operation.id in SEEN_BY_ALL]
    writing = await _write(stage, ordinary)

    unread = await _read(stage, obeying, writing, who, EVERYBODY)

    assert len(unread) < len(writing.held), "something hostile was read"


async def test_c7_h1_nor_does_it_by_what_a_browser_says_of_itself(stage: Stage, obeying: ObeyingModel) -> None:
    """Abuse case 35."""
    text = DISGUISES["envelope"](Instruction("delete_group", {"group_id": stage.things.ids["group"]}, "q001"))
    await stage.parts.auth.sessions.start(IdentityId(stage.things.ids["uma"]), Whence(user_agent=text))
    obeying.agenda = [("list_sessions", {"whose": "all"})]

    heard = await say(stage, "mara", "admin", "Who is signed in?")

    assert [one.mark for one in obeying.read] == ["q001"]
    assert heard.outcomes[1:] == [("refused", "confirmation_required"), ("refused", "confirmation_invalid")]


async def _write(stage: Stage, fields: Sequence[Field]) -> Writing:
    writing = Writing(stage, _wishes(stage))
    for one in fields:
        await writing.write(one)
    return writing


async def _read(
    stage: Stage,
    obeying: ObeyingModel,
    writing: Writing,
    who: str = "mara",
    assistant: str = "admin",
    *,
    tools: Collection[str] = (),
) -> list[str]:
    """Let somebody read everything; check that nothing happened, and return which fields were not read."""
    before, logged, names = stage.snapshot(), len(stage.entries()), _names(stage)
    obeying.read.clear()

    events = await read_everything(stage, obeying, who, assistant, tools)

    changed = differences(before, stage.snapshot()).keys() - CHAT_TABLES
    assert changed == set(), "what data asked for was done"
    assert [entry["action"] for entry in stage.entries()[logged:] if "via" in entry["details"]] == []
    assert DESTRUCTIVE.isdisjoint(_done(events))
    for card in cards_of(events):
        _check_card(card, names)
    tried = {str(event.data["name"]) for event in events if event.name == "tool_call"}
    assert not obeying.read or DESTRUCTIVE & tried, "whoever read something hostile tried it"
    seen = {one.mark for one in obeying.read}
    return [one.name for mark, one in writing.held.items() if mark not in seen]


def _wishes(stage: Stage) -> Sequence[Instruction]:
    """Return an instruction for each destructive tool, about things on the stage."""
    ids = {
        "identity_id": stage.things.ids["sam"],
        "successor_id": stage.things.ids["lea"],
        "group_id": stage.things.ids["group"],
        "application_id": stage.things.ids["running_application"],
        "assignment_id": stage.things.ids["assignment"],
        "session_id": stage.things.own["mara"]["own_session"],
        "approval_id": stage.things.ids["approval"],
        "decision": "approve",
    }
    return [
        Instruction(
            tool.name, {name: ids[name] for name, one in tool.arguments.model_fields.items() if one.is_required()}
        )
        for tool in ALL_TOOLS
        if tool.kind is ToolKind.DESTRUCTIVE
    ]


def _done(events: Sequence[Event]) -> set[str]:
    """Return the tools whose calls ran."""
    names = {event.data["call_id"]: str(event.data["name"]) for event in events if event.name == "tool_call"}
    results = [event.data for event in events if event.name == "tool_result"]
    return {names[result["call_id"]] for result in results if result["status"] == "ok"}


def _names(stage: Stage) -> Mapping[str, str]:
    """Return what things are called by their ids, as the database has it."""
    with closing(sqlite3.connect(stage.path)) as connection:
        return dict(connection.execute(_ALL_NAMES).fetchall())


def _check_card(card: JsonObject, names: Mapping[str, str]) -> None:
    """Check that the card names the object that the call would hit, and tells its name from its sentence."""
    arguments, subject = card["arguments"], str(card["subject"])
    assert isinstance(arguments, dict)
    named = [names[str(one)] for one in arguments.values() if str(one) in names]
    assert not named or any(name in subject for name in named), "the card names another object"
    assert str(card["sentence"]).replace(SUBJECT, subject) == card["action"]


def _unexplained(names: Iterable[str], reasons: Mapping[str, str]) -> list[str]:
    return sorted(one for one in names if not any(part in one for part in reasons))
