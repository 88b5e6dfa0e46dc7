"""Notifications on the screen: in the reader's words, counted, marked, and never a link out of Nova."""

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaUnavailable
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.notifications import NotificationsPresenter
from tests.fakes.scripted_nova import Answer, ScriptedNova

LIST = "GET /me/notifications"
READ = "POST /me/notifications/read"


def a_row(number: int = 1, **fields: JsonValue) -> JsonObject:
    values: JsonObject = {"identity": "Tim Vogt"}
    row: JsonObject = {
        "id": f"ntf_{number}",
        "kind": "new_report",
        "title": "in English",
        "values": values,
        "link": "/identities/idn_1",
        "read_at": None,
        "created_at": "2026-03-02T09:00:00Z",
    }
    return row | fields


def a_presenter(
    *rows: JsonObject, language: Language = Language.ENGLISH, **answers: Answer
) -> tuple[NotificationsPresenter, ScriptedNova]:
    listed: JsonObject = {"items": list(rows), "total": len(rows), "unread": len(rows), "next_cursor": None}
    nova = ScriptedNova({LIST: listed, READ: {"marked": 1, "unread": 0}, **answers})
    return NotificationsPresenter(nova, Translators().for_language(language), 0), nova


@pytest.mark.parametrize(
    ("language", "title"),
    [(Language.ENGLISH, "Tim Vogt reports to you"), (Language.GERMAN, "Tim Vogt berichtet an Sie")],
)
async def test_a_notification_is_told_in_the_readers_language(language: Language, title: str) -> None:
    presenter, _ = a_presenter(a_row(), language=language)

    await presenter.load()

    (shown,) = presenter.shown
    assert (shown.title, shown.is_unread, shown.link) == (title, True, "/identities/idn_1")


@pytest.mark.parametrize("link", ["https://evil.example", "//evil.example", "javascript:alert(1)", None])
async def test_a_link_leads_nowhere_but_into_nova(link: str | None) -> None:
    presenter, _ = a_presenter(a_row(link=link))

    await presenter.load()

    assert presenter.shown[0].link == ""


async def test_a_message_keeps_its_lines_and_shows_what_hides_in_it() -> None:
    presenter, _ = a_presenter(a_row(kind="message", values={"title": "A", "body": "one\ntwo\u202e"}))

    await presenter.load()

    first, second = presenter.shown[0].body.split("\n")
    assert first == "one"
    assert "\u202e" not in second


async def test_the_number_follows_what_is_marked() -> None:
    presenter, nova = a_presenter(a_row())
    heard: list[int] = []
    presenter.counted.subscribe(heard.append)

    await presenter.mark_read("ntf_1")
    await presenter.mark_all_read()

    assert [called.body for called in nova.called if called.endpoint == READ] == [{"ids": ["ntf_1"]}, {"all": True}]
    assert heard == [0, 1, 0, 1]


async def test_older_ones_are_added_below() -> None:
    presenter, nova = a_presenter(a_row(1))
    nova.answers = {**nova.answers, LIST: {"items": [a_row(1)], "unread": 2, "next_cursor": "more"}}
    await presenter.load()
    nova.answers = {**nova.answers, LIST: {"items": [a_row(2)], "unread": 2, "next_cursor": None}}

    await presenter.more()
    await presenter.more()

    assert [one.id for one in presenter.shown] == ["ntf_1", "ntf_2"]
    assert nova.called[-1].query["cursor"] == "more"
    assert not presenter.has_more


async def test_a_page_lives_without_the_number() -> None:
    presenter, nova = a_presenter()
    nova.answers = {LIST: NovaUnavailable("No."), READ: NovaUnavailable("No.")}

    await presenter.count_again()
    await presenter.load()

    assert presenter.problem is not None
    assert (presenter.unread, presenter.shown) == (0, ())
