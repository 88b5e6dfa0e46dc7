"""Cookies that only this host can have set, where TLS is certain and nothing stands before the path."""

from collections.abc import Iterator
from http.cookies import SimpleCookie

import httpx
import pytest

from nova_ui.auth.password import Passwords
from nova_ui.settings import SecureCookies, Settings
from storage.database import Database
from tests.auth.people import PASSWORD, AddPerson, SetClock
from tests.auth.plain_forms import submit
from tests.auth.site import Site, a_site

TLS = "https://nova.example"
OURS = {"nova_session", "nova_form", "nova_language"}


async def _nothing(_password: str) -> None:
    return


def _set_by(*answers: httpx.Response) -> Iterator[tuple[str, SimpleCookie]]:
    for answer in answers:
        for line in answer.headers.get_list("set-cookie"):
            yield line.partition("=")[0], SimpleCookie(line)


@pytest.fixture
def tls_site(database: Database, clock: SetClock, passwords: Passwords) -> Site:
    return a_site(database, clock, passwords, Settings(secure_cookies=SecureCookies.ALWAYS), _nothing)


async def test_where_tls_is_certain_every_cookie_is_the_hosts_alone(tls_site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor = tls_site.visitor(base_url=TLS)

    chosen = await visitor.get("/sign-in?lang=en")
    entered = await submit(visitor, "/sign-in", {"login": "ada", "password": PASSWORD}, headers={"origin": TLS})
    inside = await visitor.get("/")

    cookies = dict(_set_by(chosen, entered))
    assert set(cookies) == {f"__Host-{name}" for name in OURS}
    for line in (chosen, entered):
        for cookie in line.headers.get_list("set-cookie"):
            assert "Secure" in cookie
            assert "Path=/;" in cookie
            assert "Domain" not in cookie
    assert inside.status_code == 200


async def test_a_cookie_that_a_neighbouring_host_planted_is_not_looked_at(
    tls_site: Site, add_person: AddPerson
) -> None:
    """Abuse case 65."""
    await add_person("ada", nova_roles=["administrator"])
    visitor = tls_site.visitor(base_url=TLS)
    await submit(visitor, "/sign-in", {"login": "ada", "password": PASSWORD}, headers={"origin": TLS})
    token = visitor.cookies["__Host-nova_session"]

    planted = await tls_site.visitor(base_url=TLS, headers={"cookie": f"nova_session={token}"}).get("/")

    assert planted.status_code == 303


@pytest.mark.parametrize(
    "settings",
    [
        Settings(secure_cookies=SecureCookies.ALWAYS, path_prefix="/gui"),
        Settings(secure_cookies=SecureCookies.AUTO),
        Settings(secure_cookies=SecureCookies.NEVER),
    ],
)
async def test_elsewhere_cookies_work_without_the_prefix(
    database: Database, clock: SetClock, passwords: Passwords, settings: Settings
) -> None:
    site = a_site(database, clock, passwords, settings, _nothing)

    page = await site.visitor(base_url=TLS).get("/setup")

    assert {name for name, _ in _set_by(page)} == {"nova_form"}
