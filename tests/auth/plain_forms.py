"""Forms of the plain pages, filled in as a browser would."""

import re

import httpx

from nova_ui.auth.session import SignedIn
from tests.auth.site import BASE, Site

FROM_US = {"origin": BASE, "sec-fetch-site": "same-origin"}
ELSEWHERE = {"origin": "http://evil.example", "sec-fetch-site": "cross-site"}


def token_in(page: httpx.Response) -> str:
    found = re.search(r'name="form_token" value="([0-9a-f]{64})"', page.text)
    assert found is not None
    return found[1]


async def submit(
    visitor: httpx.AsyncClient, path: str, fields: dict[str, str], headers: dict[str, str] | None = None
) -> httpx.Response:
    """Open the page, fill its form in and send it."""
    page = await visitor.get(path)
    return await visitor.post(path, data={"form_token": token_in(page), **fields}, headers=headers or FROM_US)


async def live_session(site: Site, visitor: httpx.AsyncClient) -> SignedIn | None:
    return await site.auth.sessions.by_token(visitor.cookies.get("nova_session") or "")
