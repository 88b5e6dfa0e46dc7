"""Entering the password again gives the session a new token, and only with that one it counts (ASVS 7.2.4)."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import httpx
import pytest
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.auth import confirmation
from nova_ui.auth.confirmation import RENEWED_WITHIN
from nova_ui.auth.session import SignedIn
from nova_ui.nova_client.origin import INTERFACE, Delegation, marked
from tests.auth.people import HOME, PASSWORD, AddPerson, SetClock
from tests.auth.plain_forms import ELSEWHERE, FROM_US
from tests.auth.site import Site

REFRESH = "/api/v1/session/refresh"
RENEWAL = "/session-renewal"


@dataclass
class Ada:
    """Who is signed in, in a browser."""

    site: Site
    token: str
    signed_in: SignedIn

    def browser(self, token: str | None = None) -> httpx.AsyncClient:
        cookie = {"cookie": f"nova_session={token or self.token}", "x-csrf-token": self.signed_in.csrf_token}
        return self.site.visitor(headers=cookie)

    async def ticket(self, password: str = PASSWORD) -> httpx.Response:
        """Enter the password on a page, whose calls come from inside the process."""
        delegation = Delegation(session_id=self.signed_in.session_id, origin=INTERFACE)
        transport = httpx.ASGITransport(marked(self.site.api, delegation))
        async with httpx.AsyncClient(transport=transport, base_url="http://nova") as page:
            return await page.post("/session/refresh", json={"password": password})

    async def redeem(self, ticket: str, *, token: str | None = None, headers: dict[str, str] = FROM_US) -> str | None:
        """Bring a ticket as the page's browser does; return the new token."""
        answer = await self.browser(token).post(RENEWAL, data={"renewal": ticket}, headers=headers)
        assert answer.status_code == (204 if "set-cookie" in answer.headers else 403)
        return answer.headers.get("set-cookie", "").partition(";")[0].partition("=")[2] or None

    async def is_fresh(self) -> bool:
        found = await self.site.auth.sessions.by_id(self.signed_in.session_id)
        return found is not None and found.confirmed_at is not None

    async def counts(self, token: str) -> bool:
        return await self.site.auth.sessions.by_token(token) is not None


@pytest.fixture
async def ada(site: Site, add_person: AddPerson) -> Ada:
    await add_person("ada", nova_roles=["administrator"])
    token, signed_in = await site.auth.password_sign_in.sign_in("ada", PASSWORD, HOME)
    return Ada(site, token, signed_in)


async def test_a_browser_gets_the_new_token_as_its_cookie_and_the_old_one_is_over(ada: Ada) -> None:
    answer = await ada.browser().post(REFRESH, json={"password": PASSWORD})

    new = answer.headers["set-cookie"].partition(";")[0].partition("=")[2]
    assert answer.status_code == 200
    assert answer.json()["confirmed_at"] is not None
    assert not {"token", "renewal"} & set(answer.json())
    assert (await ada.counts(new), await ada.counts(ada.token)) == (True, False)
    assert (await ada.browser(new).get("/")).status_code == 200
    assert (await ada.browser().get("/")).headers["location"] == "/sign-in"


async def test_a_script_gets_the_new_token_in_the_answer(ada: Ada) -> None:
    script = ada.site.visitor(headers={"authorization": f"Bearer {ada.token}"})

    answer = await script.post(REFRESH, json={"password": PASSWORD})

    assert "set-cookie" not in answer.headers
    assert (await ada.counts(answer.json()["token"]), await ada.counts(ada.token)) == (True, False)


async def test_a_wrong_password_changes_nothing(ada: Ada) -> None:
    answer = await ada.browser().post(REFRESH, json={"password": "wrong"})
    on_the_page = await ada.ticket("wrong")

    assert answer.status_code == on_the_page.status_code == 403
    assert "set-cookie" not in answer.headers
    assert "renewal" not in on_the_page.text
    assert (await ada.counts(ada.token), await ada.is_fresh()) == (True, False)


async def test_a_page_gets_a_ticket_and_only_its_browser_makes_the_session_fresh(ada: Ada) -> None:
    ticket = (await ada.ticket()).json()["renewal"]
    fresh_before = await ada.is_fresh()

    new = await ada.redeem(ticket)

    assert new is not None
    assert (fresh_before, await ada.is_fresh()) == (False, True)
    assert (await ada.counts(new), await ada.counts(ada.token)) == (True, False)


async def test_a_ticket_counts_once_and_for_its_session_alone(ada: Ada, site: Site, add_person: AddPerson) -> None:
    await add_person("ben", nova_roles=["administrator"])
    bens, _ = await site.auth.password_sign_in.sign_in("ben", PASSWORD, HOME)
    adas_other, _ = await site.auth.password_sign_in.sign_in("ada", PASSWORD, HOME)
    ticket = (await ada.ticket()).json()["renewal"]

    assert await ada.redeem(ticket, token=bens) is None
    assert await ada.redeem(ticket, token=adas_other) is None
    new = await ada.redeem(ticket)
    assert new is not None
    assert await ada.redeem(ticket, token=new) is None
    assert await ada.counts(new)


async def test_a_ticket_that_comes_five_times_at_once_counts_once(ada: Ada, site: Site) -> None:
    ticket = (await ada.ticket()).json()["renewal"]

    tokens = await asyncio.gather(*(site.auth.confirmation.redeem(ada.signed_in, ticket) for _ in range(5)))

    (new,) = [one for one in tokens if one is not None]
    assert await ada.counts(new)


async def test_of_two_who_bring_a_ticket_before_either_has_used_it_one_gets_a_token(
    ada: Ada, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have found the ticket good: only the write itself can still tell them apart."""
    ticket = (await ada.ticket()).json()["renewal"]
    both_have_read, read = asyncio.Barrier(2), confirmation._token_hash

    async def read_and_meet(session: AsyncSession, signed_in: SignedIn) -> bytes | None:
        found = await read(session, signed_in)
        await both_have_read.wait()
        return found

    monkeypatch.setattr(confirmation, "_token_hash", read_and_meet)
    async with asyncio.timeout(10):
        tokens = await asyncio.gather(*(site.auth.confirmation.redeem(ada.signed_in, ticket) for _ in range(2)))

    (new,) = [one for one in tokens if one is not None]
    assert await ada.counts(new)


async def test_a_ticket_does_not_wait(ada: Ada, clock: SetClock) -> None:
    ticket = (await ada.ticket()).json()["renewal"]
    clock.advance(seconds=RENEWED_WITHIN.total_seconds())

    assert await ada.redeem(ticket) is None
    assert timedelta(minutes=1) == RENEWED_WITHIN


@pytest.mark.parametrize("headers", [ELSEWHERE, {}])
async def test_no_page_of_another_site_brings_a_ticket(ada: Ada, headers: dict[str, str]) -> None:
    ticket = (await ada.ticket()).json()["renewal"]

    assert await ada.redeem(ticket, headers=headers) is None
    assert not await ada.is_fresh()


@pytest.mark.parametrize("made_up", ["{ticket}0", "9{ticket}", " {ticket}", "", "1", "{until}.{zeros}", "{ticket}\n"])
async def test_a_ticket_that_was_made_up_does_not_count(ada: Ada, made_up: str) -> None:
    ticket = (await ada.ticket()).json()["renewal"]
    until = ticket.partition(".")[0]

    assert await ada.redeem(made_up.format(ticket=ticket, until=until, zeros="0" * 64)) is None
    assert await ada.redeem(ticket) is not None


async def test_without_a_session_a_ticket_is_nothing(ada: Ada, site: Site) -> None:
    ticket = (await ada.ticket()).json()["renewal"]

    answer = await site.visitor().post(RENEWAL, data={"renewal": ticket}, headers=FROM_US)

    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
