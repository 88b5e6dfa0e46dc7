"""AI routine assistants over HTTP, and who carries their runs out as a test wants."""

import asyncio
from typing import cast

from httpx import Response
from sqlmodel import select

from nova_ui.auth.session import Sessions
from nova_ui.domain.ai_routine import RunOrder, RunResult, RunState
from nova_ui.domain.chat import CallStatus, RecordedCall, Step
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import CallId, ToolKind
from storage.nova.notification_tables import NotificationRow
from tests.api.site import Site

BASE = "/administration/ai-routines"
ONE = f"{BASE}/weekly"
DONE = RunResult(
    state=RunState.DONE,
    answer="**Two** rights end.",
    steps=(
        Step(
            calls=(
                RecordedCall(
                    call_id=CallId("c1"),
                    tool_name="list_groups",
                    kind=ToolKind.READ,
                    arguments={"q": "x"},
                    status=CallStatus.OK,
                    code=None,
                    content="what was read",
                ),
            )
        ),
    ),
    model="scripted",
    usage={"model_calls": 2, "tool_calls": 1},
)


class Carrier:
    """Carries runs out as a test wants; remembers the orders."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.orders: list[RunOrder] = []
        self.result: RunResult | Exception = DONE
        self.hold: asyncio.Event | None = None
        self.was_live: list[bool] = []
        self.begun = asyncio.Event()

    async def carry(self, order: RunOrder) -> RunResult:
        self.orders.append(order)
        sessions = cast("Sessions", self.site.api.state.sessions)
        self.was_live.append(await sessions.by_id(order.caller.session_id) is not None)
        self.begun.set()
        if self.hold is not None:
            await self.hold.wait()
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


async def a_routine(site: Site, **fields: object) -> Response:
    body = {
        "key": "weekly",
        "names": {"en": "Weekly report", "de": "Wochenbericht"},
        "prompt": "Report the access that ends soon.",
        "tool_names": ["list_groups"],
        "schedule": "0 7 * * 1",
        "acts_as": site.people["paul"].id,
        "deliver_to": [site.people["paul"].id],
        **fields,
    }
    return await site.call("mara", f"POST {BASE}", body=body)


async def do(site: Site, what: str) -> Response:
    return await site.call("mara", f"POST {ONE}/{what}")


async def runs_of(site: Site, who: str = "mara") -> list[JsonObject]:
    items: list[JsonObject] = (await site.call(who, "GET /ai-routine-runs")).json()["items"]
    return items


async def notifications(site: Site) -> list[NotificationRow]:
    async with site.database.reading() as session:
        return list((await session.exec(select(NotificationRow))).all())


async def look(site: Site) -> int:
    begun = await site.nova.ai_routine_runs.look()
    await site.nova.ai_routine_runs.settle()
    return begun
