"""After a kill: what Nova says was done, and what the chat tells of it, have to be the same."""

from collections import Counter
from dataclasses import dataclass

from tests.journeys.person import API, Event, JsonObject, Person
from tests.races.lanes import CONFIRMING, WRITING, Doing, Lane

_UNKNOWN = "outcome_unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A chat as its person finds it; empty if the message never came to be one."""

    chat_id: str = ""
    turns: tuple[JsonObject, ...] = ()
    cards: tuple[JsonObject, ...] = ()

    @property
    def is_running(self) -> bool:
        return any(turn["state"] == "running" for turn in self.turns)

    @property
    def turn_ids(self) -> list[str]:
        return [str(turn["id"]) for turn in self.turns]

    @property
    def notices(self) -> list[str]:
        return [str(notice["code"]) for turn in self.turns for notice in objects(turn["notices"])]

    def calls_of(self, tool: str) -> list[JsonObject]:
        """Return the calls of a tool that did more than show a card."""
        steps = [step for turn in self.turns for step in objects(turn["steps"])]
        calls = [call for step in steps for call in objects(step["calls"])]
        return [call for call in calls if call["tool_name"] == tool and call["status"] != "previewed"]

    def card(self, preview_id: str) -> tuple[str | None, str | None]:
        """Return by what a card was closed, and with what outcome."""
        [card] = [card for card in self.cards if card["preview_id"] == preview_id]
        return _text(card["closed"]), _text(card["outcome"])

    def turn_of(self, lane: Lane) -> JsonObject | None:
        """Return the turn of the lane's message, if it was accepted."""
        own = self.turns[1:] if lane.doing in CONFIRMING else self.turns
        return own[0] if own else None

    def stage_of(self, lane: Lane) -> str:
        """Say how far the lane's turn had come."""
        turn = self.turn_of(lane)
        if turn is None:
            return "not accepted"
        if turn["state"] == "done":
            return "done"
        calls = self.calls_of(lane.tool)
        if not calls:
            return "cut before the call"
        return "cut within the call" if _is_unknown(calls[-1]) else "cut after the call"


def read_story(person: Person, assistant: str, *, known: frozenset[str] = frozenset()) -> Story:
    """Return the newest chat with an assistant that is not `known`."""
    chats = [str(chat["id"]) for chat in person.items("/ai/chats", assistant=assistant)]
    new = [chat_id for chat_id in chats if chat_id not in known]
    if not new:
        return Story()
    chat = person.get(f"/ai/chats/{new[0]}")
    return Story(chat_id=new[0], turns=tuple(objects(chat["turns"])), cards=tuple(objects(chat["previews"])))


def find_faults(person: Person, lane: Lane, story: Story) -> list[str]:
    """Return a sentence for each promise that does not hold."""
    done = _done(person, lane)
    found = {
        **_call_faults(lane, story, done),
        **(_card_faults(lane, story, done) if lane.doing in CONFIRMING else {}),
        **_turn_faults(person, lane, story),
    }
    return [f"{sentence}: {lane} {story}" for sentence, is_so in found.items() if is_so]


def find_card_faults(person: Person, lane: Lane, story: Story) -> list[str]:
    """Return what does not hold of a card, also while nobody has closed the turn of the dead process yet."""
    found = _card_faults(lane, story, _done(person, lane))
    return [sentence for sentence, is_so in found.items() if is_so]


def _done(person: Person, lane: Lane) -> int:
    """Return how often Nova did it."""
    if lane.doing in CONFIRMING:
        entries = person.items("/audit-log", action="group.deleted", target_id=lane.group_id)
        assert person.has_group(lane.group_id) is not bool(entries), "log and group differ"
        return len(entries)
    made = [group for group in person.items("/groups", q=lane.name) if group["display_name"] == lane.name]
    logged = [person.items("/audit-log", action="group.created", target_id=str(group["id"])) for group in made]
    assert all(len(entries) == 1 for entries in logged), "log and groups differ"
    return len(made)


def _call_faults(lane: Lane, story: Story, done: int) -> dict[str, bool]:
    calls = story.calls_of(lane.tool)
    told_done = [call for call in calls if call["status"] == "ok"]
    told_unknown = [call for call in calls if _is_unknown(call)]
    return {
        "it was done twice": done > 1,
        "it was called twice": len(calls) > 1,
        "it was done and the chat does not tell": done == 1 and not told_done and not told_unknown,
        "the chat tells it was done": done == 0 and bool(told_done),
        "it was done though nobody wished so": done > 0 and lane.doing not in CONFIRMING | WRITING,
    }


def _card_faults(lane: Lane, story: Story, done: int) -> dict[str, bool]:
    closed, outcome = story.card(lane.preview_id)
    is_accepted = story.turn_of(lane) is not None
    return {
        "it was done and the card can be pressed again": done == 1 and closed != "executed",
        "the card says done": outcome == "done" and done == 0,
        "the card says nothing was done": outcome in {"refused", "failed"} and done == 1,
        "the card was used up without an outcome": closed == "executed" and outcome is None,
        "the outcome is unknown and nothing says so": outcome == "unknown" and _UNKNOWN not in story.notices,
        "the press was accepted and the card still waits": is_accepted and closed is None,
        "the press was never accepted and the card is gone": not is_accepted and closed is not None,
    }


def _turn_faults(person: Person, lane: Lane, story: Story) -> dict[str, bool]:
    turn = story.turn_of(lane)
    accepted = lane.answered.turn_id
    if turn is None:
        return {"a message that was accepted is gone": bool(accepted)}
    told = person.follow(str(turn["id"])).events
    export = person.client.get(f"{API}/ai/chats/{story.chat_id}/export", params={"format": "md"})
    return {
        "a message that was accepted is gone": bool(accepted) and accepted not in story.turn_ids,
        "a message counts twice": len(story.turns) > (2 if lane.doing in CONFIRMING else 1),
        "the turn broke off and nothing says so": turn["state"] != "done" and not turn["notices"],
        "the events are not one after the other": [one.id for one in told] != list(range(1, len(told) + 1)),
        "the events have no end": not told or told[-1].name not in {"done", "error"},
        "what was heard is not what is kept": not _is_beginning(lane.answered.events, told),
        "an event is told twice": any(count > 1 for count in Counter(one.id for one in told).values()),
        "the chat can't be exported": export.status_code != 200,
        "the answer of a read was lost": lane.doing is Doing.READ and turn["state"] == "done" and not turn["steps"],
    }


def _is_beginning(heard: list[Event], told: list[Event]) -> bool:
    return heard == told[: len(heard)]


def _is_unknown(call: JsonObject) -> bool:
    return call["status"] == "unknown" or call["code"] == _UNKNOWN


def objects(value: object) -> list[JsonObject]:
    """Return the objects of a list."""
    assert isinstance(value, list)
    return [item for item in value if isinstance(item, dict)]


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
