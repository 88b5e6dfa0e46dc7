"""Stands at the gate and before Nova, and holds each thing that passes against the reference."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from nova_ui.domain.preview import Preview
from nova_ui.domain.tool import RawCall
from nova_ui.guardrails.gate import Gate
from nova_ui.guardrails.outcome import Failed, Outcome, Previewed, Ran, Refused
from nova_ui.nova_client.origin import ASGIApp, Receive, Scope, Send, delegation_of
from tests.exploration.reference import (
    ASK,
    DESTRUCTIVE,
    READ,
    RESULT_CHARS,
    RUN,
    TURN_CHARS,
    Call,
    Card,
    Reference,
    Turn,
)

_DONE_TO_OBJECTS: Final = {
    "delete_group": {"DELETE /groups/{group_id}"},
    "disable_identity": {"POST /identities/{identity_id}/disable"},
    "end_my_session": {"DELETE /me/sessions/{session_id}"},
    "offboard_identity": {
        "DELETE /identities/{identity_id}/sessions",
        "DELETE /assignments/{assignment_id}",
        "DELETE /groups/{group_id}/members/{identity_id}",
        "POST /identities/{identity_id}/disable",
    },
}


@dataclass
class Watch:
    """What is being done right now, and what was found to be wrong."""

    reference: Reference
    turn: Turn | None = None
    permitted: tuple[str, Call] | None = None
    broken: list[str] = field(default_factory=list)
    by_chat: dict[int, str] = field(default_factory=dict)  # numbers of audit entries, and the assistant
    counts: dict[str, int] = field(default_factory=dict)
    last_update: dict[str, str] = field(default_factory=dict)  # the last words that changed a group: again is no change

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1


class WatchedNova:
    """The API as the chat's door reaches it: what no judgment permits must not arrive (A1, C2, F1)."""

    def __init__(
        self,
        api: ASGIApp,
        read: Callable[[str], Sequence[tuple[Any, ...]]],
        watch: Callable[[], Watch],
        settle: Callable[[], Awaitable[None]],
    ) -> None:
        self._api = api
        self._read = read
        self._watch = watch
        self._settle = settle

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        delegation, watch = delegation_of(scope), self._watch()
        assert delegation is not None
        self._check(watch, delegation.endpoint or "", scope["path"])
        before = self._last_entry()
        await self._api(scope, receive, send)
        await self._settle()  # what the request left to be done later bears the mark too
        for number in range(before + 1, self._last_entry() + 1):
            watch.by_chat[number] = str(delegation.origin.assistant_key)

    def _check(self, watch: Watch, endpoint: str, path: str) -> None:
        if watch.permitted is None:
            watch.broken.append(f"{endpoint} was called though no call may run")
            return
        verdict, call = watch.permitted
        changes = not endpoint.startswith("GET ")
        destroys = any(endpoint in endpoints for endpoints in _DONE_TO_OBJECTS.values())
        may_destroy = endpoint in _DONE_TO_OBJECTS.get(call.name, set()) and verdict == RUN
        if destroys and not (may_destroy and (call.about in path or call.name == "offboard_identity")):
            watch.broken.append(f"{path} was destroyed by {call}, which may only {verdict}")
        elif changes and not destroys and (verdict != RUN or call.name in READ | DESTRUCTIVE):
            watch.broken.append(f"{endpoint} was called by {call}, which may only {verdict}")

    def _last_entry(self) -> int:
        return int(self._read("SELECT coalesce(max(seq), 0) FROM audit_entries")[0][0])


class WatchedGate(Gate):
    """The real gate; each outcome is compared with what the reference judges, and then told to it."""

    def __init__(self, *args: Any, watch: Callable[[], Watch], meanings: Mapping[str, Call], **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self._watch = watch
        self._meanings = meanings

    async def pass_call(self, raw: RawCall, *args: Any, **kwargs: Any) -> Outcome:  # noqa: ANN401
        watch, call = self._watch(), self._meanings[f"{raw.name} {raw.arguments_text}"]
        assert watch.turn is not None
        verdicts = watch.reference.judge(watch.turn, call)
        by_person = bool(kwargs.get("by_person"))
        return await self._held(watch, call, verdicts, super().pass_call(raw, *args, **kwargs), by_person=by_person)

    async def run_confirmed(self, preview: Preview, *args: Any, **kwargs: Any) -> Outcome:  # noqa: ANN401
        watch = self._watch()
        assert watch.turn is not None
        assert watch.turn.pressed is not None
        card = watch.turn.pressed
        verdicts = watch.reference.judge_press(watch.turn)
        passing = super().run_confirmed(preview, *args, **kwargs)
        return await self._held(watch, card.call, verdicts, passing, by_person=card.by_person)

    async def _held(self, watch: Watch, call: Call, verdicts: set[str], passing: Any, *, by_person: bool) -> Outcome:  # noqa: ANN401
        turn = watch.turn
        assert turn is not None
        verdict = next(iter(verdicts)) if verdicts & {RUN, ASK} else None
        watch.permitted = None if verdict is None else (verdict, call)
        outcome: Outcome = await passing
        watch.permitted = None
        seen = _seen(outcome)
        may_fail = verdict is not None and call.name in DESTRUCTIVE | {"update_group"}  # the object may be gone
        if call.name == "list_groups" and not watch.reference.persons[turn.person].roles:
            may_fail = True  # for those who own none, Nova itself says no
        is_fit = seen in verdicts or (seen == "failed" and may_fail)
        if not is_fit:
            watch.broken.append(
                f"{call} in message {turn.number} became {seen}; right is {sorted(verdicts)}: {outcome.text[:200]}"
            )
        watch.count(f"{call.name if verdict else 'refused'}: {seen}")
        self._check_size(watch, turn, outcome)
        if verdict == RUN:
            turn.runs[call.digest] += 1
            self._note_run(watch, turn, call, seen)
        if isinstance(outcome, Previewed):
            self._note_card(watch, turn, call, outcome.preview, by_person=by_person)
        turn.has_crossed = turn.has_crossed or (outcome.truncated and TURN_CHARS - turn.chars < RESULT_CHARS)
        turn.chars += len(outcome.content)
        return outcome

    @staticmethod
    def _note_run(watch: Watch, turn: Turn, call: Call, seen: str) -> None:
        versions = watch.reference.versions
        if call.name in DESTRUCTIVE:
            turn.destructive += 1
            if turn.agreed is not None:
                turn.agreed.is_open = False
            versions[call.about] += seen != "failed" or call.name == "offboard_identity"
        elif call.name == "update_group" and seen == RUN and watch.last_update.get(call.about) != call.digest:
            versions[call.about] += 1
            watch.last_update[call.about] = call.digest

    @staticmethod
    def _note_card(watch: Watch, turn: Turn, call: Call, preview: Preview, *, by_person: bool) -> None:
        reference = watch.reference
        assistant = reference.assistants[turn.assistant]
        turn.previews += 1
        turn.shown.add(call.digest)
        for card in reference.cards.values():
            card.is_open = card.is_open and (card.owner, card.assistant) != (turn.person, turn.assistant)
        name = preview.shown.subject if call.name in assistant.named else None
        takes_words = not assistant.button_only and name is None
        reference.cards[preview.id] = Card(
            id=preview.id,
            owner=turn.person,
            assistant=turn.assistant,
            number=turn.number,
            call=call,
            shown_ms=reference.now_ms,
            version=reference.versions[call.about],
            takes_words=takes_words,
            name=name,
            by_person=by_person,
        )
        if json.loads(preview.call.canonical).get(_id_field(call)) != call.about:
            watch.broken.append(f"the card shows {preview.call.canonical} for {call} (C6)")

    @staticmethod
    def _check_size(watch: Watch, turn: Turn, outcome: Outcome) -> None:
        room = min(RESULT_CHARS, TURN_CHARS - turn.chars)
        if len(outcome.content) > max(0, room):
            watch.broken.append(f"a result of {len(outcome.content)} characters where {room} were left (E4, E5)")


def _seen(outcome: Outcome) -> str:
    match outcome:
        case Ran():
            return RUN
        case Previewed():
            return ASK
        case Failed():
            return "failed"
        case Refused(refusal=refusal):
            return refusal.code.value


def _id_field(call: Call) -> str:
    return next((name for name in call.arguments if name.endswith("_id")), "")
