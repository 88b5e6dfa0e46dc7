"""C15: where every change waits on a card, each writing tool shows one, changes nothing, and runs once by the press."""

import dataclasses
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from sqlmodel import SQLModel, select

from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.canonical import validated_arguments
from nova_ui.domain.chat import ConfirmMessage, PreviewId
from nova_ui.domain.clock import SystemClock
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.preview import Preview
from nova_ui.domain.tool import AnyTool, Nova, ToolArguments, ToolKind
from nova_ui.guardrails.gate import Gate
from nova_ui.guardrails.limits import TurnLedger
from nova_ui.guardrails.marks import read_marks
from nova_ui.guardrails.outcome import Outcome, Previewed, Ran
from nova_ui.guardrails.situation import Situation
from nova_ui.nova.sample_organisation import sample_id
from storage.nova.tables import IdentityRow
from tests.builders import a_raw_call, a_turn, an_assistant
from tests.guardrails.doors import KeptPreviews
from tests.tools.conftest import TOOLS, Person, Site

WRITING: Final = sorted(name for name, tool in TOOLS.items() if tool.kind is ToolKind.WRITE)
TIM: Final = sample_id("idn", "tim.vogt")
LEA: Final = sample_id("idn", "lea.brandt")
JUSTIFICATION: Final = "Needed for the yearly closing"

Arguments = Callable[[Site, Person], Awaitable[JsonObject]]


def _fixed(**arguments: JsonValue) -> Arguments:
    async def given(_site: Site, _mara: Person) -> JsonObject:
        return arguments

    return given


async def _a_role(mara: Person) -> JsonValue:
    return _rows(await mara.run("list_roles", risk="low", privileged=False, status="active"))[0]["id"]


async def _a_group(mara: Person) -> JsonValue:
    return (await mara.run("create_group", display_name="Project Apollo"))["id"]


async def _somebody(mara: Person, **more: JsonValue) -> JsonValue:
    return (await mara.run("create_identity", user_name="nora.test", given_name="Nora", family_name="Test", **more))[
        "id"
    ]


async def _an_assignment(mara: Person) -> JsonValue:
    given = await mara.run("assign_role", identity_id=await _somebody(mara), role_id=await _a_role(mara))
    return given["id"]


async def _locked(site: Site) -> str:
    async with site.database.transaction() as session:
        row = await session.get(IdentityRow, TIM)
        assert row is not None
        row.locked_until = SystemClock().now() + timedelta(hours=1)
        session.add(row)
    return TIM


async def _requestable(person: Person) -> JsonValue:
    rows = _rows(await person.run("search_catalog"))
    return next(
        row["role_id"] for row in rows if row.get("role_id") and not row.get("held") and not row.get("open_request_id")
    )


async def _a_request(site: Site) -> JsonValue:
    tim = await site.sign_in("tim.vogt")
    filed = await tim.run("request_access", role_ids=[await _requestable(tim)], justification=JUSTIFICATION)
    return filed["id"]


async def _for_tim(site: Site, _mara: Person) -> JsonObject:
    tim = await site.sign_in("tim.vogt")
    return {"role_ids": [await _requestable(tim)], "justification": JUSTIFICATION}


async def _for_report(site: Site, mara: Person) -> JsonObject:
    return {"beneficiary_id": TIM, **await _for_tim(site, mara)}


async def _assignment(_site: Site, mara: Person) -> JsonObject:
    return {"identity_id": await _somebody(mara), "role_id": await _a_role(mara)}


async def _assignment_end(_site: Site, mara: Person) -> JsonObject:
    return {"assignment_id": await _an_assignment(mara), "valid_until": "2027-12-31"}


async def _group(_site: Site, mara: Person) -> JsonObject:
    return {"group_id": await _a_group(mara), "display_name": "Project Artemis", "owner_ids": [LEA]}


async def _members(_site: Site, mara: Person) -> JsonObject:
    return {"group_id": await _a_group(mara), "identity_ids": [TIM, LEA]}


async def _role(_site: Site, mara: Person) -> JsonObject:
    return {"role_id": await _a_role(mara), "description": "Renewed"}


async def _onboarding(_site: Site, mara: Person) -> JsonObject:
    person: JsonObject = {"user_name": "nora.test", "given_name": "Nora", "family_name": "Test", "manager_id": LEA}
    return {**person, "group_ids": [await _a_group(mara)]}


async def _copying(_site: Site, mara: Person) -> JsonObject:
    await mara.run("assign_role", identity_id=TIM, role_id=await _a_role(mara))
    return {"from_id": TIM, "to_id": await _somebody(mara)}


async def _staged(_site: Site, mara: Person) -> JsonObject:
    return {"identity_id": await _somebody(mara, status="staged")}


async def _unlocking(site: Site, _mara: Person) -> JsonObject:
    return {"identity_id": await _locked(site)}


async def _cancelling(site: Site, _mara: Person) -> JsonObject:
    return {"request_id": await _a_request(site)}


# Who calls the tool, with what. A writing tool that is new needs its line here.
CALLS: Final[dict[str, tuple[str, Arguments]]] = {
    "create_identity": ("mara.koenig", _fixed(user_name="nora.test", given_name="Nora", family_name="Test")),
    "update_identity": (
        "mara.koenig",
        _fixed(identity_id=TIM, department="Finance", email="tim@example.com", manager_id=LEA, clear=["title"]),
    ),
    "activate_identity": ("mara.koenig", _staged),
    "unlock_identity": ("mara.koenig", _unlocking),
    "onboard_identity": ("mara.koenig", _onboarding),
    "create_group": ("mara.koenig", _fixed(display_name="Sellers", rule='department eq "Sales"')),
    "update_group": ("mara.koenig", _group),
    "add_group_members": ("mara.koenig", _members),
    "update_role": ("mara.koenig", _role),
    "assign_role": ("mara.koenig", _assignment),
    "change_assignment_end": ("mara.koenig", _assignment_end),
    "copy_access": ("mara.koenig", _copying),
    "request_same_access_as": ("lea.brandt", _fixed(colleague_id=TIM, justification=JUSTIFICATION)),
    "request_access": ("tim.vogt", _for_tim),
    "request_access_for": ("lea.brandt", _for_report),
    "cancel_my_request": ("tim.vogt", _cancelling),
    "update_my_profile": ("tim.vogt", _fixed(theme="dark", phone_numbers=["+49 30 1234567"])),
    "create_export": ("mara.koenig", _fixed(resource="identities", filter={"department": "Sales"})),
}


@dataclasses.dataclass
class Chat:
    """One person before the gate, with an assistant that holds all tools and asks before every change."""

    site: Site
    person: Person
    ran: list[tuple[str, JsonObject]] = dataclasses.field(default_factory=list)
    previews: KeptPreviews = dataclasses.field(default_factory=KeptPreviews)

    def gate(self) -> Gate:
        tools = {name: self._counted(tool) for name, tool in TOOLS.items()}
        return Gate(tools, new_preview_id=lambda: PreviewId("prv_1"), marks=read_marks(self.site.openapi))

    async def ask(self, name: str, arguments: JsonObject) -> Outcome:
        call = a_raw_call(name, arguments)
        return await self.gate().pass_call(
            call, self._now(1), TurnLedger(), self.person.client, self.previews, by_person=False
        )

    async def press(self, preview: Preview) -> Outcome:
        message = self._now(2, ConfirmMessage(preview_id=preview.id))
        return await self.gate().run_confirmed(preview, message, TurnLedger(), self.person.client, self.previews)

    async def world(self) -> dict[str, list[str]]:
        async with self.site.database.reading() as session:
            tables = [table for table in SQLModel.metadata.sorted_tables if table.name != "sessions"]
            return {one.name: sorted(map(repr, (await session.exec(select(*one.columns))).all())) for one in tables}

    def _now(self, number: int, message: ConfirmMessage | None = None) -> Callable[[], Awaitable[Situation]]:
        identity, now = self.person.client.identity, SystemClock().now()
        assistant = dataclasses.replace(an_assistant(*TOOLS, audience=AudienceKind.EVERYONE), ask_before_changes=True)
        turn = a_turn(number, identity=identity, message=message, text="Please do it.", started_at=now)

        async def source() -> Situation:
            return Situation(
                turn=turn,
                identity=identity,
                assistant=assistant,
                released_at_start=frozenset(TOOLS),
                read_only=message is not None,
                agreed=None,
                now=now,
            )

        return source

    def _counted(self, tool: AnyTool) -> AnyTool:
        async def run(arguments: ToolArguments, nova: Nova) -> JsonValue:
            self.ran.append((tool.name, arguments.model_dump(exclude_unset=True)))
            return await tool.run(arguments, nova)

        return dataclasses.replace(tool, run=run)


def test_c15_every_writing_tool_is_tried() -> None:
    assert sorted(CALLS) == WRITING


@pytest.mark.parametrize("name", WRITING)
async def test_c15_each_writing_tool_shows_a_card_changes_nothing_and_runs_once(
    site: Site, mara: Person, name: str
) -> None:
    """Abuse case 35: what an instruction in data brings about is a card at most, also where it would only write."""
    who, arguments_of = CALLS[name]
    arguments = await arguments_of(site, mara)
    chat = Chat(site, await site.sign_in(who))
    before = await chat.world()

    shown = await chat.ask(name, arguments)
    after_card, ran_before = await chat.world(), list(chat.ran)
    assert isinstance(shown, Previewed), shown
    done = await chat.press(shown.preview)

    assert after_card == before
    assert ran_before == []
    assert isinstance(done, Ran), done
    outer = [one for one in chat.ran if one[0] == name]
    assert outer == [(name, validated_arguments(TOOLS[name], shown.preview.call).model_dump(exclude_unset=True))]
    assert await chat.world() != before
    _check_card(TOOLS[name], shown.preview)


def _check_card(tool: AnyTool, preview: Preview) -> None:
    """A card names its object; what exists is shown as it is, with its fields before and after where they change."""
    shown: Any = preview.shown
    assert shown.subject
    assert not shown.subject.startswith(("idn_", "grp_", "rol_", "asg_", "req_"))
    creates = {"create_identity", "create_group", "onboard_identity", "create_export"}
    asks = {"request_access", "request_same_access_as"}
    assert (shown.current_state is None) is (tool.name in creates | asks)
    changing = {"update_identity", "update_group", "update_role", "change_assignment_end", "update_my_profile"}
    states = {"activate_identity", "unlock_identity", "cancel_my_request"}
    assert bool(shown.changes) is (tool.name in changing | states)
    for change in shown.changes:
        assert change.before != change.after


def _rows(result: JsonObject) -> list[JsonObject]:
    items = result["items"]
    assert isinstance(items, list)
    return [item for item in items if isinstance(item, dict)]
