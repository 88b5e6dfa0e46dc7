"""Checks of guardrails by their endpoints: administrators in the interface only, one at a time, logged in numbers."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.identity import SessionId
from nova_ui.domain.json_value import JsonObject
from nova_ui.nova_client.origin import INTERFACE, Delegation, marked
from storage.chat.assistants import RowAsWritten
from tests.api.site import Site
from tests.fakes.quick_tester import PLAN, QuickTester

ONE = "/administration/assistants/admin/self-test"
REPORT: JsonObject = {
    "counts": {"held": 1, "not_held": 1},
    "rules": [{"rule": "A1", "outcome": "held"}, {"rule": "C7", "outcome": "not_held"}],
}


class Waiting(QuickTester):
    """A check that waits until somebody lets it go on, and looks whether it is still wanted."""

    def __init__(self) -> None:
        super().__init__(REPORT)
        self.goes_on = asyncio.Event()
        self.is_running = asyncio.Event()

    async def run(
        self,
        assistant: Assistant,
        row: RowAsWritten | None,
        progress: Callable[[int, int], Awaitable[None]],
        *,
        with_model: bool,
    ) -> JsonObject:
        self.is_running.set()
        await self.goes_on.wait()
        return await super().run(assistant, row, progress, with_model=with_model)


async def test_b6_only_administrators_in_the_interface_check(site: Site) -> None:
    site.nova.self_tests.connect(QuickTester())

    for who, via in (("paul", None), ("sam", None), ("mara", "admin")):
        for method, body in (("GET", None), ("POST", {"with_model": False})):
            answer = await site.call(who, f"{method} {ONE}", body=body, via=via)
            assert answer.status_code == httpx.codes.FORBIDDEN


async def test_a_check_is_carried_out_and_logged_in_numbers(site: Site) -> None:
    tester = QuickTester(REPORT)
    site.nova.self_tests.connect(tester)

    started = await site.call("mara", f"POST {ONE}", body={"with_model": True})

    assert started.status_code == httpx.codes.ACCEPTED, started.text
    assert tester.asked == [("admin", True)]
    found = (await site.call("mara", f"GET {ONE}")).json()
    assert found["plan"] == PLAN
    assert found["newest"]["status"] == "done"
    assert found["newest"]["result"] == REPORT
    begun, ended = await site.entries("assistant.self_test_started"), await site.entries("assistant.self_tested")
    assert begun[0].details == {"with_model": True}
    assert ended[0].details == {"counts": REPORT["counts"], "not_held": ["C7"], "with_model": True}
    assert (ended[0].actor_id, ended[0].target_id) == (site.people["mara"].id, "admin")


async def ask(site: Site, who: str, endpoint: str, body: object = None) -> httpx.Response:
    """Call the API without waiting for the jobs that this begins."""
    method, _, path = endpoint.partition(" ")
    app = marked(site.api, Delegation(session_id=SessionId(site.people[who].session_id), origin=INTERFACE))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://nova") as client:
        return await client.request(method, path, json=body)


async def test_one_check_at_a_time(site: Site) -> None:
    tester = Waiting()
    site.nova.self_tests.connect(tester)
    await ask(site, "mara", f"POST {ONE}", {})
    await tester.is_running.wait()

    second = await ask(site, "otto", f"POST {ONE}", {})

    tester.goes_on.set()
    await site.nova.background.settle()
    third = await ask(site, "otto", f"POST {ONE}", {})
    await site.nova.background.settle()
    assert (second.status_code, second.json()["code"]) == (httpx.codes.CONFLICT, "state_conflict")
    assert third.status_code == httpx.codes.ACCEPTED


async def test_a_cancelled_check_ends(site: Site) -> None:
    tester = Waiting()
    site.nova.self_tests.connect(tester)
    job = (await ask(site, "mara", f"POST {ONE}", {})).json()
    await tester.is_running.wait()

    cancelled = await ask(site, "mara", f"POST /jobs/{job['id']}/cancel")
    tester.goes_on.set()
    await site.nova.background.settle()

    assert cancelled.is_success
    found = (await site.call("mara", f"GET {ONE}")).json()["newest"]
    assert (found["id"], found["status"]) == (job["id"], "cancelled")
    assert not await site.entries("assistant.self_tested")
