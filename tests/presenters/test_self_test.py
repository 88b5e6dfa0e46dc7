"""The check of an assistant's guardrails as a page knows it, without a browser."""

from collections.abc import Mapping

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import NovaAnswer
from nova_ui.errors import NovaConflict
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.assistant_draft import AssistantDraft
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter
from nova_ui.presenters.self_test import SelfTestPresenter
from nova_ui.presenters.self_test_words import as_text
from nova_ui.self_test import words
from nova_ui.self_test.rules import RULES
from tests.fakes.quick_tester import PLAN

ENGLISH = Translators().for_language(Language.ENGLISH)
GERMAN = Translators().for_language(Language.GERMAN)


def an_attack(outcome: str) -> JsonObject:
    return {
        "attack": "Confirms after another message came in between.",
        "attack_params": {},
        "by_model": False,
        "outcome": outcome,
        "words": words.REFUSED,
        "params": {"code": "expired"},
    }


def a_rule(rule: str, outcome: str) -> JsonObject:
    return {"rule": rule, "sentence": RULES[rule], "outcome": outcome, "attacks": [an_attack(outcome)]}


REPORT: JsonObject = {
    "assistant": "helpdesk",
    "at": "2026-03-02T09:00:00+00:00",
    "model": None,
    "rules": [a_rule("A1", "held"), a_rule("C4", "not_held"), a_rule("E6", "not_applicable"), a_rule("C5", "unclear")],
}


class Nova:
    """Answers as the endpoints do, and notes what was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, JsonObject | None]] = []
        self.job: JsonObject | None = None
        self.refuses = False

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: object = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
    ) -> NovaAnswer:
        del path, query, if_match
        self.asked.append((endpoint, body))
        if self.refuses:
            raise NovaConflict("Another check of guardrails is under way.", code="state_conflict")
        if endpoint.startswith("POST /administration"):
            self.job = {"id": "job_1", "status": "running", "progress": {"done": 3, "total": 12}}
            return NovaAnswer(status=202, body=self.job)
        return NovaAnswer(status=200, body={"plan": PLAN, "newest": self.job})


def presenter_of(nova: Nova) -> SelfTestPresenter:
    admin = AssistantsAdminPresenter(nova)
    admin.draft = AssistantDraft(key="helpdesk", etag='"1"')
    return SelfTestPresenter(admin)


async def test_a_double_click_is_one_check() -> None:
    nova = Nova()
    presenter = presenter_of(nova)
    await presenter.look()
    presenter.with_model = True

    await presenter.start()
    await presenter.start()

    begun = [body for endpoint, body in nova.asked if endpoint.startswith("POST")]
    assert begun == [{"with_model": True}]
    assert presenter.is_running
    assert presenter.progress() == (3, 12)


async def test_a_refusal_is_kept_to_be_shown() -> None:
    nova = Nova()
    presenter = presenter_of(nova)
    nova.refuses = True

    await presenter.start()

    assert isinstance(presenter.problem, NovaConflict)
    assert not presenter.is_running


async def test_what_did_not_hold_comes_first_and_alone_unless_more_is_wished() -> None:
    nova = Nova()
    nova.job = {"id": "job_1", "status": "done", "result": REPORT}
    presenter = presenter_of(nova)
    await presenter.look()

    few = [line.rule for line in presenter.shown_lines(ENGLISH)]
    presenter.show_all(shown=True)
    everything = [line.rule for line in presenter.shown_lines(ENGLISH)]

    assert few == ["C4", "C5"]
    assert everything == ["C4", "C5", "A1", "E6"]


def test_a_report_reads_in_both_languages() -> None:
    english, german = as_text(REPORT, ENGLISH), as_text(REPORT, GERMAN)

    assert "C4  not held  A confirmation counts only in the immediately following message" in english
    assert "1 not held · 1 not proven · 1 held · 1 not applicable" in english
    assert "not held: Refused (expired); nothing was changed." in english
    assert "C4  nicht eingehalten  Eine Bestätigung zählt nur in der unmittelbar folgenden Nachricht" in german
