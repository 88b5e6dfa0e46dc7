from collections.abc import Mapping
from typing import Final

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import NovaAnswer
from nova_ui.errors import NovaForbidden
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.own_settings import OwnSettingsPresenter, browser_name
from nova_ui.presenters.problem_words import Told
from tests.builders import an_identity

TR: Final = Translators().for_language(Language.ENGLISH)
FIREFOX: Final = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


class OwnNova:
    def __init__(self) -> None:
        self.calls: list[tuple[str, JsonObject | None, Mapping[str, str] | None]] = []
        self.refuses = False

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | int | bool | None] | None = None,
        body: JsonObject | None = None,
    ) -> NovaAnswer:
        assert query is None or query == {"status": "active"}
        if self.refuses:
            raise NovaForbidden("no")
        self.calls.append((endpoint, body, path))
        row: JsonObject = {
            "id": "ses_1",
            "ip": "10.0.0.1",
            "user_agent": FIREFOX,
            "last_seen_at": "2026-03-02T09:00:00Z",
            "current": True,
            "more": "that this page does not read",
        }
        return NovaAnswer(status=200, body={"items": [row]})


def a_presenter(nova: OwnNova) -> OwnSettingsPresenter:
    return OwnSettingsPresenter(nova, an_identity(), TR, theme="system")


async def test_language_and_theme_are_stored_and_the_page_reloads() -> None:
    nova = OwnNova()
    presenter = a_presenter(nova)
    saved: list[None] = []
    presenter.saved.subscribe(saved.append)

    await presenter.choose_language("de")
    await presenter.choose_theme("dark")

    assert [call[:2] for call in nova.calls] == [
        ("PATCH /me", {"preferred_language": "de"}),
        ("PATCH /me", {"theme": "dark"}),
    ]
    assert len(saved) == 2


@pytest.mark.parametrize("value", ["fr", "", None, {"x": 1}, ["de"], "en"])
async def test_what_is_no_other_language_changes_nothing(value: object) -> None:
    nova = OwnNova()

    await a_presenter(nova).choose_language(value)

    assert nova.calls == []


async def test_sessions_are_shown_in_words() -> None:
    presenter = a_presenter(OwnNova())

    await presenter.load()

    assert [(one.where, one.is_current) for one in presenter.sessions] == [("Firefox · 10.0.0.1", True)]


async def test_a_session_ends_by_its_id() -> None:
    nova = OwnNova()
    presenter = a_presenter(nova)
    await presenter.load()

    await presenter.end_session(presenter.sessions[0])

    assert ("DELETE /me/sessions/{session_id}", None, {"session_id": "ses_1"}) in nova.calls


async def test_a_refusal_is_told_and_nothing_reloads() -> None:
    nova = OwnNova()
    presenter = a_presenter(nova)
    told: list[Told] = []
    saved: list[None] = []
    presenter.told.subscribe(told.append)
    presenter.saved.subscribe(saved.append)
    nova.refuses = True

    await presenter.choose_theme("dark")

    assert told[0].text == "You are not permitted to do this."
    assert saved == []


@pytest.mark.parametrize(
    ("agent", "name"),
    [(FIREFOX, "Firefox"), ("x Chrome/1 Safari/1", "Chrome"), ("x Chrome/1 Edg/1", "Edge"), ("curl/8", "curl/8")],
)
def test_browsers_are_called_by_their_names(agent: str, name: str) -> None:
    assert browser_name(agent) == name
