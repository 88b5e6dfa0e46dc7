"""What the gate needs around it in tests: a situation, a door to Nova, a place for previews."""

import dataclasses
import itertools
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.chat import PreviewId, Turn
from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.preview import Preview, PreviewOutcome
from nova_ui.domain.tool import AnyTool, Nova, NovaAnswer, RawCall
from nova_ui.guardrails.gate import Gate
from nova_ui.guardrails.known_secrets import NOTHING_KNOWN, KnownSecrets
from nova_ui.guardrails.limits import TurnLedger
from nova_ui.guardrails.marks import EndpointMarks
from nova_ui.guardrails.outcome import Outcome
from nova_ui.guardrails.situation import Situation
from tests.builders import NOW, a_reading_tool, a_tool, a_turn, a_writing_tool, an_administrator, an_assistant

RunTool = Callable[[str, JsonObject], Awaitable[JsonValue]]


@dataclass(frozen=True, kw_only=True)
class FakeNova:
    """Nova as one call sees it; it knows no endpoints, the tools of these tests answer by themselves."""

    identity: Identity
    if_match: str | None
    run_inner: RunTool

    async def run_tool(self, name: str, arguments: JsonObject) -> JsonValue:
        return await self.run_inner(name, arguments)

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | int | bool | None] | None = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
    ) -> NovaAnswer:
        del path, query, body, if_match
        raise AssertionError(endpoint)


@dataclass(kw_only=True)
class Door:
    """Opens the fake Nova and remembers for what."""

    identity: Identity = field(default_factory=an_administrator)
    opened: list[tuple[str, str | None]] = field(default_factory=list)

    def for_tool(self, tool: AnyTool, *, if_match: str | None, run_tool: RunTool) -> Nova:
        self.opened.append((tool.name, if_match))
        return FakeNova(identity=self.identity, if_match=if_match, run_inner=run_tool)


@dataclass(kw_only=True)
class KeptPreviews:
    """Previews in memory; `consumable` says for how many more presses a preview is good."""

    stored: list[Preview] = field(default_factory=list)
    consumed: list[PreviewId] = field(default_factory=list)
    outcomes: list[tuple[PreviewId, PreviewOutcome]] = field(default_factory=list)
    consumable: int = 1
    is_over: bool = False

    async def store(self, preview: Preview) -> bool:
        if self.is_over:
            return False
        self.stored.append(preview)
        return True

    async def consume(self, preview: Preview, now: datetime) -> bool:
        del now
        if self.consumable == 0:
            return False
        self.consumable -= 1
        self.consumed.append(preview.id)
        return True

    async def record_outcome(self, preview: Preview, outcome: PreviewOutcome) -> None:
        self.outcomes.append((preview.id, outcome))


def a_situation(
    *,
    turn: Turn | None = None,
    identity: Identity | None = None,
    assistant: Assistant | None = None,
    released_at_start: Iterable[str] | None = None,
    read_only: bool = False,
    agreed: Preview | None = None,
    voided: Preview | None = None,
    now: datetime = NOW,
) -> Situation:
    """Return how things stand: an administrator asks the helpdesk, all of whose tools are released."""
    who = identity or an_administrator()
    where = assistant or an_assistant("delete_group", "list_groups", "update_group")
    return Situation(
        turn=turn or a_turn(identity=who, assistant_key=where.key),
        identity=who,
        assistant=where,
        released_at_start=where.tools.names if released_at_start is None else frozenset(released_at_start),
        read_only=read_only,
        agreed=agreed,
        voided=voided,
        now=now,
    )


@dataclass(kw_only=True)
class Turnstile:
    """A gate with everything around it for one turn."""

    tools: Mapping[str, AnyTool]
    situation: Situation
    marks: Mapping[str, EndpointMarks] = field(default_factory=dict)
    ledger: TurnLedger = field(default_factory=TurnLedger)
    door: Door = field(default_factory=Door)
    previews: KeptPreviews = field(default_factory=KeptPreviews)
    known: KnownSecrets = NOTHING_KNOWN
    loads: int = 0

    def __post_init__(self) -> None:
        ids = itertools.count(1)
        self._gate = Gate(
            self.tools,
            new_preview_id=lambda: PreviewId(f"prv_new_{next(ids)}"),
            marks=self.marks,
            known_secrets=self.known_secrets,
        )

    async def known_secrets(self) -> KnownSecrets:
        return self.known

    async def load(self) -> Situation:
        self.loads += 1
        return self.situation

    async def pass_call(self, raw: RawCall, *, by_person: bool = False) -> Outcome:
        return await self._gate.pass_call(raw, self.load, self.ledger, self.door, self.previews, by_person=by_person)

    async def press(self, preview: Preview) -> Outcome:
        return await self._gate.run_confirmed(preview, self.load, self.ledger, self.door, self.previews)

    def change(self, **changes: object) -> None:
        self.situation = dataclasses.replace(self.situation, **changes)  # type: ignore[arg-type]  # by name in tests


def a_turnstile(
    *tools: AnyTool, situation: Situation | None = None, marks: Mapping[str, EndpointMarks] | None = None
) -> Turnstile:
    """Return a turnstile; without `tools` with one of each kind."""
    known = tools or (a_tool(), a_reading_tool(), a_writing_tool())
    names = [tool.name for tool in known]
    return Turnstile(
        tools={tool.name: tool for tool in known},
        situation=situation or a_situation(assistant=an_assistant(*names)),
        marks=marks or {},
    )


@dataclass(kw_only=True)
class Counted:
    """A tool's run that counts, answers or fails."""

    answer: JsonValue = "done"
    error: BaseException | None = None
    runs: int = 0
    if_matches: list[str | None] = field(default_factory=list)

    async def __call__(self, _arguments: object, nova: Nova) -> JsonValue:
        self.runs += 1
        self.if_matches.append(nova.if_match)
        if self.error is not None:
            raise self.error
        return self.answer
