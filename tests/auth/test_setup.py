"""The first start leads to the setup, which one person can do once."""

import asyncio
import re

import pytest
from sqlmodel import select

from nova_ui.auth.setup import NewAdministrator, SetupClosed
from nova_ui.domain.identity import Language
from storage.database import Database
from storage.nova.tables import IdentityRow
from tests.auth.people import PASSWORD, ReadLog
from tests.auth.plain_forms import ELSEWHERE, FROM_US, live_session, submit, token_in
from tests.auth.site import BASE, Site

ADMINISTRATOR = {
    "choice": "administrator",
    "display_name": "Ada  Lovelace",
    "user_name": "Ada",
    "password": PASSWORD,
    "repeated": PASSWORD,
}


async def test_the_first_start_leads_to_the_setup_and_creates_one_administrator(
    site: Site, database: Database, audit_log: ReadLog
) -> None:
    visitor, late = site.visitor(), site.visitor()
    assert (await visitor.get("/")).headers["location"] == "/setup"
    assert (await visitor.get("/sign-in")).headers["location"] == "/setup"
    late_token = token_in(await late.get("/setup"))

    entered = await submit(visitor, "/setup", ADMINISTRATOR)
    again = await late.post(
        "/setup", data={**ADMINISTRATOR, "user_name": "eve", "form_token": late_token}, headers=FROM_US
    )

    live = await live_session(site, visitor)
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    assert live is not None
    assert (live.identity.user_name, live.identity.is_administrator) == ("Ada", True)
    assert (again.status_code, again.headers["location"]) == (303, "/sign-in")
    assert (await late.get("/setup")).headers["location"] == "/sign-in"
    async with database.reading() as session:
        (row,) = (await session.exec(select(IdentityRow))).all()
    assert (row.display_name, row.user_name_key, row.nova_roles) == ("Ada Lovelace", "ada", ["administrator"])
    assert [entry.action for entry in await audit_log()] == ["identity.created", "session.started"]
    assert (await submit(late, "/sign-in", {"login": "ada", "password": PASSWORD})).status_code == 303


async def test_of_many_who_set_up_at_once_one_becomes_administrator(site: Site) -> None:
    rivals = [
        NewAdministrator(user_name=f"rival{number}", display_name="Rival", password=PASSWORD, language=Language.ENGLISH)
        for number in range(5)
    ]

    outcomes = await asyncio.gather(
        *(site.auth.setup.create_administrator(rival) for rival in rivals), return_exceptions=True
    )

    assert sum(isinstance(outcome, str) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, SetupClosed) for outcome in outcomes) == 4


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"display_name": " "}, "display_name", "Please enter your name"),
        ({"display_name": "x" * 121}, "display_name", "Please enter your name"),
        ({"user_name": "a"}, "user_name", "A user name has 2 to 64"),
        ({"user_name": "ada lovelace"}, "user_name", "A user name has 2 to 64"),
        ({"user_name": "../ada"}, "user_name", "A user name has 2 to 64"),
        ({"password": "short", "repeated": "short"}, "password", "A password has at least 12 characters."),
        ({"repeated": "another password"}, "repeated", "The two passwords differ."),
    ],
)
async def test_a_faulty_setup_says_what_is_wrong_and_creates_nobody(
    site: Site, change: dict[str, str], field: str, words: str
) -> None:
    visitor = site.visitor()

    refused = await submit(visitor, "/setup", {**ADMINISTRATOR, **change})

    assert refused.status_code == 422
    assert words in refused.text
    assert re.search(rf'<input id="administrator-{field}"[^>]* autofocus aria-invalid="true"', refused.text)
    assert refused.text.count(" autofocus ") == 1
    assert PASSWORD not in refused.text
    assert await site.auth.setup.is_open()


async def test_the_sample_organisation_is_loaded_once_with_the_chosen_password(site: Site) -> None:
    visitor = site.visitor()

    weak = await submit(visitor, "/setup", {"choice": "sample", "password": "short"})
    loaded = await submit(visitor, "/setup", {"choice": "sample", "password": PASSWORD})

    assert (weak.status_code, loaded.status_code) == (422, 200)
    assert "tim.vogt" in loaded.text
    assert PASSWORD not in loaded.text
    assert site.samples == [PASSWORD]
    assert (await visitor.get("/setup")).headers["location"] == "/sign-in"
    entered = await submit(visitor, "/sign-in", {"login": "mara.koenig", "password": PASSWORD})
    assert entered.status_code == 303


async def test_a_setup_form_from_elsewhere_does_nothing(site: Site) -> None:
    visitor = site.visitor()
    token = token_in(await visitor.get("/setup"))

    without = await visitor.post("/setup", data=ADMINISTRATOR, headers=FROM_US)
    foreign = await visitor.post("/setup", data={**ADMINISTRATOR, "form_token": token}, headers=ELSEWHERE)

    assert without.status_code == foreign.status_code == 403
    assert await site.auth.setup.is_open()


@pytest.mark.parametrize(
    ("ip", "base_url", "headers"),
    [
        ("192.0.2.9", BASE, {}),
        ("127.0.0.1", "http://nova.example", {}),
        ("127.0.0.1", BASE, {"x-forwarded-for": "192.0.2.9"}),
    ],
)
async def test_from_another_machine_the_setup_needs_the_code(
    site: Site, ip: str, base_url: str, headers: dict[str, str]
) -> None:
    visitor = site.visitor(ip=ip, base_url=base_url, headers=headers)
    from_us = {"origin": base_url}

    missing = await submit(visitor, "/setup", ADMINISTRATOR, from_us)
    wrong = await submit(visitor, "/setup", {**ADMINISTRATOR, "code": "AAAA-AAAA-AAAA-AAAA"}, from_us)
    right = await submit(visitor, "/setup", {**ADMINISTRATOR, "code": site.auth.setup.code.lower()}, from_us)

    assert missing.status_code == wrong.status_code == 403
    assert "The setup code is not correct." in wrong.text
    assert site.auth.setup.code not in wrong.text
    assert right.status_code == 303
