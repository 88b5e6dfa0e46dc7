"""Checking the guardrails of the assistant in the form: what it costs, how far it is, what it found."""

from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter
from nova_ui.presenters.fields import text_at, value_at
from nova_ui.presenters.self_test_words import HELD, NOT_HELD, UNCLEAR, RuleLine, as_text, rule_lines
from nova_ui.reactive import Event

_ONE: Final = "/administration/assistants/{key}/self-test"
_OPEN: Final = frozenset({"queued", "running"})


class SelfTestPresenter:
    """Asks about the assistant as it is stored; the newest check is shown again when the page is opened anew."""

    def __init__(self, admin: AssistantsAdminPresenter) -> None:
        self.admin = admin
        self.key = "" if admin.draft is None or admin.draft.is_new else admin.draft.key
        self.plan: JsonObject | None = None
        self.job: JsonObject | None = None
        self.problem: NovaProblem | None = None
        self.with_model = False
        self.shows_all = False
        self.changed: Event[None] = Event()

    @property
    def is_running(self) -> bool:
        """Whether a check of this assistant waits or runs."""
        return self.job is not None and text_at(self.job, "status") in _OPEN

    @property
    def report(self) -> JsonObject | None:
        """What the newest check found, if it came to its end."""
        found = None if self.job is None else self.job.get("result")
        return found if isinstance(found, dict) else None

    @property
    def asks_model(self) -> bool:
        """Whether a language model answers for this assistant, which costs time or money to ask."""
        return self.plan is not None and self.plan.get("asks_model") is True

    async def look(self) -> None:
        """Read the plan and the newest check."""
        if not self.key:
            return
        was_running = self.is_running
        try:
            found = (await self.admin.nova.call(f"GET {_ONE}", path={"key": self.key})).object
        except NovaProblem as problem:
            self.problem = problem
        else:
            plan, newest = found.get("plan"), found.get("newest")
            self.plan = plan if isinstance(plan, dict) else None
            self.job = newest if isinstance(newest, dict) else None
            self.problem = None if was_running and not self.is_running else self.problem
        self.changed.emit(None)

    async def start(self) -> None:
        """Begin a check of what is stored."""
        if self.is_running:
            return  # a double click is one check
        self.problem = None
        try:
            answer = await self.admin.nova.call(
                f"POST {_ONE}", path={"key": self.key}, body={"with_model": self.with_model}
            )
            self.job = answer.object
        except NovaProblem as problem:
            self.problem = problem
        self.changed.emit(None)

    async def cancel(self) -> None:
        """End the check that runs; what it found so far is not kept."""
        if self.job is None:
            return
        try:
            await self.admin.nova.call("POST /jobs/{job_id}/cancel", path={"job_id": text_at(self.job, "id")})
        except NovaProblem as problem:
            self.problem = problem
        await self.look()

    def show_all(self, *, shown: bool) -> None:
        """Show every rule, or only those that want to be looked at."""
        self.shows_all = shown
        self.changed.emit(None)

    def lines(self, tr: Translator) -> tuple[RuleLine, ...]:
        """Return every rule of the newest report."""
        return () if self.report is None else rule_lines(self.report, tr)

    def shown_lines(self, tr: Translator) -> tuple[RuleLine, ...]:
        """Return the rules to be shown: those that did not hold first, and the others where that is wished."""
        order = (NOT_HELD, UNCLEAR, HELD)
        lines = [one for one in self.lines(tr) if self.shows_all or one.outcome in {NOT_HELD, UNCLEAR}]
        return tuple(sorted(lines, key=lambda one: order.index(one.outcome) if one.outcome in order else len(order)))

    def progress(self) -> tuple[int, int]:
        """Return how many attacks are made, and of how many; 0 of 0 as long as nobody knows."""
        done, total = (value_at(self.job or {}, f"progress.{name}") for name in ("done", "total"))
        return (done if isinstance(done, int) else 0, total if isinstance(total, int) else 0)

    def file(self, tr: Translator) -> tuple[str, str]:
        """Return name and content of the report as a file."""
        return f"guardrails-{self.key}.txt", as_text(self.report or {}, tr)
