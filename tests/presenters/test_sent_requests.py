"""What the model saw, in words: why there were more requests than one, how each ended, where it went."""

from datetime import UTC, datetime

import pytest

from nova_ui.domain.ai_profile import DeclaredMode
from nova_ui.domain.chat import ChatId, TurnId
from nova_ui.domain.identity import Language
from nova_ui.domain.sent_request import SentBody, SentRequest
from nova_ui.i18n.translator import Translators
from nova_ui.llm.fallback import ModelPlace, widest
from nova_ui.llm.port import Mode
from nova_ui.presenters.data_places import judged_text, sent_lines, summary_text
from nova_ui.presenters.sent_requests import SentRequestsPresenter, has_failed, outcome_words, where_to
from tests.builders import an_identity
from tests.fakes.chat_doors import FakeSent

TR = Translators().for_language(Language.ENGLISH)


def a_request(number: int, **fields: object) -> SentRequest:
    given = {
        "turn_id": TurnId("trn_1"),
        "chat_id": ChatId("cht_1"),
        "step": 1,
        "sent_at": datetime(2026, 3, 2, tzinfo=UTC),
        "profile": "house",
        "wire": "openai-compatible",
        "model": "m",
        "mode": "local",
        "host": "127.0.0.1:1234",
        "path": "/chat/completions",
        "words_only": False,
        "left_out": 0,
        "size_bytes": 2,
        "sha256": "0",
        "is_kept": True,
        "outcome": "answered",
        **fields,
    }
    return SentRequest(number=number, **given)  # type: ignore[arg-type]  # a test names only what it is about


async def test_each_request_after_the_first_says_why_it_was_made() -> None:
    door = FakeSent()
    for one in (
        a_request(1, outcome="too_long"),
        a_request(2, left_out=3, outcome="rate_limit"),
        a_request(3, left_out=3, outcome="server"),
        a_request(4, left_out=3, profile="cloud"),
        a_request(5, left_out=3, profile="cloud", step=2),
    ):
        door.bodies.append(SentBody(request=one, body=b'{"messages": []}'))
    presenter = SentRequestsPresenter(door, an_identity(), TurnId("trn_1"))

    await presenter.load()

    assert presenter.reasons(TR) == {
        2: "again, with less of the chat",
        3: "again",
        4: "another model, in its place",
        5: "with the results of the calls",
    }
    opened = await presenter.open(1)
    assert opened is not None
    assert opened.body == b'{"messages": []}'


async def test_a_body_that_was_not_kept_opens_as_none() -> None:
    door = FakeSent()
    door.bodies.append(SentBody(request=a_request(1, is_kept=False), body=None))

    assert await SentRequestsPresenter(door, an_identity(), TurnId("trn_1")).open(1) is None


@pytest.mark.parametrize(
    ("outcome", "words", "failed"),
    [
        ("answered", "answered", False),
        ("stopped", "stopped", False),
        ("rate_limit", "failed: busy", True),
        ("something_new", "failed", True),
        (None, "no end known", False),
    ],
)
def test_how_a_request_ended_is_said_in_words(outcome: str | None, words: str, *, failed: bool) -> None:
    sent = a_request(1, outcome=outcome)

    assert (outcome_words(sent, TR), has_failed(sent)) == (words, failed)


def test_where_a_request_went() -> None:
    assert where_to(a_request(1), TR) == "127.0.0.1:1234/chat/completions"
    assert where_to(a_request(1, profile="built-in", host="", path=""), TR) == "nowhere: it is part of this server"


@pytest.mark.parametrize(
    ("modes", "far", "words"),
    [
        ((Mode.BUILT_IN,), Mode.BUILT_IN, "stays on this server"),
        ((Mode.LOCAL, Mode.BUILT_IN), Mode.LOCAL, "in your own network"),
        ((Mode.EXTERNAL, Mode.LOCAL), Mode.EXTERNAL, "leaves your network and goes"),
        ((Mode.LOCAL, Mode.EXTERNAL, Mode.LOCAL), Mode.EXTERNAL, "If that does not answer, it leaves your network"),
    ],
)
def test_the_furthest_place_says_how_far_data_may_go(modes: tuple[Mode, ...], far: Mode, words: str) -> None:
    places = [ModelPlace(name="p", model="m", mode=mode, host="h") for mode in modes]

    assert widest(places) is far
    assert words in summary_text(places, TR)


def test_what_is_sent_names_the_limits_that_hold() -> None:
    assert any("12,000" in line and "60,000" in line for line in sent_lines(TR))


@pytest.mark.parametrize(
    ("mode", "by_address", "declared", "words"),
    [
        (Mode.BUILT_IN, None, None, "stays in this server"),
        (Mode.LOCAL, Mode.LOCAL, None, "stays in your network, by its address"),
        (Mode.EXTERNAL, Mode.EXTERNAL, None, "leaves your network"),
        (Mode.EXTERNAL, Mode.LOCAL, "external", "its address is local, but administrators say"),
        (Mode.EXTERNAL, Mode.EXTERNAL, "local", "though administrators say that it is local"),
        (Mode.EXTERNAL, Mode.EXTERNAL, "external", "leaves your network"),
    ],
)
def test_address_and_declaration_are_both_told_where_they_differ(
    mode: Mode, by_address: Mode | None, declared: DeclaredMode | None, words: str
) -> None:
    assert words in judged_text(mode, by_address, declared, TR)
