"""The check of the guardrails below an assistant's form, as an administrator sees it."""

import pytest
from nicegui.testing import User

from nova_ui.self_test import tester
from tests.pages.conftest import Visitor

PAGE = "/administration/assistants?key=helpdesk"


async def start(mara: User) -> None:
    await mara.open(PAGE)
    await mara.should_see(marker="start-self-test", retries=100)
    mara.find(marker="start-self-test").click()


async def test_an_administrator_checks_an_assistant(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    few = tuple(one for one in tester.ATTACKS if one.rule in {"B3", "B4"})
    monkeypatch.setattr(tester, "ATTACKS", few)
    mara = await visitor("mara.koenig")

    await start(mara)

    await mara.should_see("Everything that could be tried held.", retries=300)
    await mara.should_see("1 held", retries=50)
    mara.find(marker="show-all").click()
    await mara.should_see("B3 · All tools are possible only for an assistant open to administrators only.", retries=50)
