"""A page that can't be built says what is the matter and what to do, and shows no traceback."""

import pytest

from nova_ui.errors import NovaUnsaved
from storage.chat.assistants import AssistantStore
from tests.pages.conftest import Visitor

SECRET = "the words of an exception"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("database_busy", "busy at the moment"),
        ("database_full", "no room left"),
        ("database_unavailable", "be used at the moment"),
    ],
)
async def test_a_database_that_can_not_be_read_is_told_in_words(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, code: str, words: str
) -> None:
    tim = await visitor("tim.vogt")

    async def fail(*_: object, **__: object) -> None:
        raise NovaUnsaved(SECRET, code=code)

    monkeypatch.setattr(AssistantStore, "list_all", fail)
    answer = await tim.http_client.get("/")

    assert answer.status_code == 503
    assert words in answer.text
    assert "Load again" in answer.text
    assert SECRET not in answer.text


async def test_of_any_other_failure_only_a_reference_is_shown(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tim = await visitor("tim.vogt")

    async def fail(*_: object, **__: object) -> None:
        raise ValueError(SECRET)

    monkeypatch.setattr(AssistantStore, "list_all", fail)
    answer = await tim.http_client.get("/")

    assert answer.status_code == 500
    [entry] = [record for record in caplog.records if record.message.startswith("page.failed")]
    assert str(entry.args[0] if isinstance(entry.args, tuple) else "") in answer.text
    assert SECRET not in answer.text
    assert "ValueError" not in answer.text
    assert SECRET not in caplog.text
    caplog.clear()
