"""Runs of AI routine assistants through the real engine and gate, with a model that tries everything."""

import json
from dataclasses import dataclass, field, replace

import pytest

from nova_ui.chat.routine_runs import RoutineRuns
from nova_ui.chat.routine_situation import NobodyConfirms, NoPreviews
from nova_ui.domain.ai_routine import AiRoutine, RunId, RunOrder, RunResult, RunState
from nova_ui.domain.chat import CallStatus
from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import CallId, RawCall
from nova_ui.errors import FailureKind
from nova_ui.guardrails.known_secrets import KnownSecrets, lengths_by_beginning
from nova_ui.guardrails.limits import MAX_MODEL_CALLS
from tests.builders import a_preview, an_identity
from tests.chat.world import ROOT, World
from tests.fakes.scripted_model import call, calls, fails, says

ALL = ("delete_group", "disable_group", "list_groups", "update_group", "archive_group")


def a_routine(*names: str, read_only: bool = True, enabled: bool = True) -> AiRoutine:
    return AiRoutine(
        key="weekly",
        names={Language.ENGLISH: "Weekly"},
        prompt="Report.",
        tool_names=frozenset(names or ALL),
        acts_as=ROOT.identity.id,
        read_only=read_only,
        enabled=enabled,
    )


@dataclass
class Desk:
    """Runs a routine; `routine` is what is stored, and a test may change it while the run goes on."""

    world: World
    routine: AiRoutine | None = field(default_factory=a_routine)

    async def find(self, _key: str) -> AiRoutine | None:
        return self.routine

    async def run(self) -> RunResult:
        assert self.routine is not None
        order = RunOrder(run_id=RunId("arn_1"), routine=self.routine, caller=ROOT)
        return await RoutineRuns(self.world.engine, self.find).run(order)


def outcomes(result: RunResult) -> list[tuple[str, CallStatus, str | None]]:
    return [(one.tool_name, one.status, one.code) for step in result.steps for one in step.calls]


def notices(result: RunResult) -> list[str]:
    return [one.code for one in result.notices]


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world)


async def test_a_run_reads_and_its_last_words_are_the_answer(world: World, desk: Desk) -> None:
    world.model.queue(calls(call("list_groups", group_id="grp_1"), text="Looking. "), says("Two groups."))

    result = await desk.run()

    assert (result.state, result.answer) == (RunState.DONE, "Two groups.")
    assert world.deeds.names == ["list_groups"]
    assert result.usage["model_calls"] == 2


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("confirmed", [{}, {"confirmed": True}])
async def test_c2_nothing_destructive_runs_or_is_shown_where_nobody_confirms(
    world: World, desk: Desk, confirmed: dict[str, JsonValue], *, read_only: bool
) -> None:
    desk.routine = a_routine(read_only=read_only)
    delete = RawCall(
        call_id=CallId("c1"), name="delete_group", arguments_text=json.dumps({"group_id": "grp_1", **confirmed})
    )
    world.model.queue(calls(delete), calls(replace(delete, call_id=CallId("again"))), says("I could not."))

    result = await desk.run()

    assert world.deeds.done == []
    assert outcomes(result) == [("delete_group", CallStatus.REFUSED, "not_permitted")] * 2
    assert "nobody_confirms" in world.model.results[0]


async def test_c7_no_preview_is_ever_kept_for_a_routine() -> None:
    previews = NoPreviews()

    with pytest.raises(NobodyConfirms):
        await previews.store(a_preview())

    assert not await previews.consume(a_preview(), a_preview().shown_at)


async def test_b1_a_routine_that_only_reads_does_not_write(world: World, desk: Desk) -> None:
    world.model.queue(calls(call("update_group", group_id="grp_1")), says("I could not."))

    result = await desk.run()

    assert world.deeds.done == []
    assert outcomes(result) == [("update_group", CallStatus.REFUSED, "not_permitted")]


async def test_b1_a_routine_that_may_write_writes_what_is_on_its_list_and_nothing_else(
    world: World, desk: Desk
) -> None:
    desk.routine = a_routine("update_group", read_only=False)
    world.model.queue(
        calls(call("update_group", group_id="grp_1"), call("archive_group", group_id="grp_1")), says("Done.")
    )

    result = await desk.run()

    assert world.deeds.names == ["update_group"]
    assert [code for _, _, code in outcomes(result)] == [None, "not_released"]


async def test_a3_the_model_is_offered_only_what_may_run(world: World, desk: Desk) -> None:
    world.model.queue(says("Nothing."))

    await desk.run()

    assert [one.tool.name for one in world.model.requests[0].tools] == ["list_groups"]


async def test_a2_what_acts_as_may_not_the_routine_may_not(world: World, desk: Desk) -> None:
    desk.routine = a_routine(read_only=False)
    world.sessions[ROOT.session_id] = an_identity(identity_id="idn_root", user_name="root")
    world.model.queue(calls(call("archive_group", group_id="grp_1")), says("Never said."))

    result = await desk.run()

    assert world.deeds.done == []
    assert outcomes(result) == [("archive_group", CallStatus.REFUSED, "not_permitted")]


async def test_a2_a_role_that_is_withdrawn_in_mid_run_ends_it(world: World, desk: Desk) -> None:
    desk.routine = a_routine(read_only=False)

    async def withdraw() -> None:
        world.sessions[ROOT.session_id] = an_identity(identity_id="idn_root", user_name="root")

    world.deeds.meanwhile["list_groups"] = withdraw
    world.model.queue(
        calls(call("list_groups", group_id="grp_1"), call("archive_group", group_id="grp_1")), says("Never said.")
    )

    result = await desk.run()

    assert world.deeds.names == ["list_groups"]
    assert (result.state, notices(result)) == (RunState.STOPPED, ["session_ended"])


async def test_a2_an_identity_that_is_disabled_in_mid_run_ends_it_at_the_next_call(world: World, desk: Desk) -> None:
    async def disable() -> None:
        del world.sessions[ROOT.session_id]

    world.deeds.meanwhile["list_groups"] = disable
    again = call("list_groups", group_id="grp_2")
    world.model.queue(calls(call("list_groups", group_id="grp_1")), calls(again), says("Never said."))

    result = await desk.run()

    assert len(world.deeds.done) == 1
    assert (result.state, notices(result)) == (RunState.STOPPED, ["session_ended"])
    assert "Never said." not in result.answer


@pytest.mark.parametrize(
    "change",
    [
        lambda _: None,
        lambda one: replace(one, enabled=False),
        lambda one: replace(one, acts_as=an_identity().id),
    ],
)
async def test_b7_a_routine_that_is_gone_disabled_or_acts_as_another_ends(
    world: World, desk: Desk, change: object
) -> None:
    async def meanwhile() -> None:
        desk.routine = change(desk.routine)  # type: ignore[operator]  # one of the three above

    world.deeds.meanwhile["list_groups"] = meanwhile
    world.model.queue(calls(call("list_groups", group_id="grp_1")), says("Never said."))

    result = await desk.run()

    assert (result.state, notices(result)) == (RunState.STOPPED, ["assistant_gone"])


async def test_b7_writing_that_is_withdrawn_counts_at_once_and_one_allowed_later_not_at_all(
    world: World, desk: Desk
) -> None:
    desk.routine = a_routine(read_only=False)

    async def withdraw() -> None:
        desk.routine = a_routine("list_groups", "update_group", read_only=not desk.routine.read_only)  # type: ignore[union-attr]

    world.deeds.meanwhile["list_groups"] = withdraw
    look, write = call("list_groups", group_id="grp_1"), call("update_group", group_id="grp_1")
    world.model.queue(calls(look, write), says("Over."))
    withdrawn = await desk.run()
    desk.routine = a_routine()
    world.model.queue(calls(look, write), says("Over."))

    allowed_later = await desk.run()

    assert [code for _, _, code in outcomes(withdrawn)] == [None, "not_permitted"]
    assert [code for _, _, code in outcomes(allowed_later)] == [None, "not_permitted"]


async def test_e1_a_run_asks_the_model_as_often_as_a_message_may(world: World, desk: Desk) -> None:
    world.model.queue(*[calls(call("list_groups", group_id=f"grp_{n}")) for n in range(MAX_MODEL_CALLS + 3)])

    result = await desk.run()

    assert len(world.model.requests) == MAX_MODEL_CALLS
    assert notices(result) == ["limit_model_calls"]


async def test_f1_the_calls_of_a_run_carry_the_routine_as_their_origin(world: World, desk: Desk) -> None:
    world.model.queue(calls(call("list_groups", group_id="grp_1")), says("Over."))

    await desk.run()

    assert [(caller.session_id, origin.via) for caller, origin in world.nova.opened] == [
        (ROOT.session_id, "ai_routine:weekly")
    ]


async def test_d3_an_answer_holds_nothing_that_looks_like_a_secret(world: World, desk: Desk) -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n-----END PRIVATE KEY-----"
    world.model.queue(says(f"The key is {key}."))

    result = await desk.run()

    assert "MIIEvQ" not in result.answer


async def test_a_run_whose_model_fails_or_says_nothing_has_failed(world: World, desk: Desk) -> None:
    world.model.queue(fails(FailureKind.CREDENTIALS))
    failed = await desk.run()
    world.model.queue(says(" "))

    silent = await desk.run()

    assert (failed.state, notices(failed)) == (RunState.FAILED, ["model_failed"])
    assert (silent.state, notices(silent)) == (RunState.FAILED, ["no_answer"])


async def test_nothing_of_a_run_is_kept_as_a_chat(world: World, desk: Desk) -> None:
    world.model.queue(calls(call("list_groups", group_id="grp_1")), says("Over."))

    await desk.run()

    page = await world.history.list_chats(ROOT.identity)
    assert page.items == ()


async def test_d4_a_secret_in_the_task_of_a_routine_reaches_no_model(world: World) -> None:
    """Abuse case 46. One that looks like one, and one that Nova keeps; whoever wrote the task is an administrator."""
    live, kept = f"ghp_{'A1b2C3d4' * 5}", "Winter2019"

    async def known() -> KnownSecrets:
        return KnownSecrets(recognises=lambda text: text == kept, lengths=lengths_by_beginning({kept}))

    world.engine.gate.known_secrets = known
    world.model.queue(says("Done."))
    result = await Desk(world, replace(a_routine(), prompt=f"Report with {live} and {kept}.")).run()

    assert result.state is RunState.DONE
    assert "Report with [secret] and [secret]." in repr(world.model.requests)
