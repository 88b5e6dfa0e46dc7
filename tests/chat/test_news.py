from nova_ui.chat.news import News, NewsByOwner, PreviewClosed, TurnBegun
from nova_ui.domain.chat import PreviewId, ToolMessage
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.preview import CloseReason
from tests.chat.world import ADA, HELPDESK, ROOT, World
from tests.fakes.scripted_model import call, calls, says

_PREVIEW = PreviewId("prv_1")


async def test_g2_whoever_listens_hears_of_own_turns_and_cancelled_cards_only(world: World) -> None:
    heard: list[News] = []
    heard_by_ada: list[News] = []
    world.live.subscribe(ROOT.identity.id, heard.append)
    world.live.subscribe(ADA.identity.id, heard_by_ada.append)

    asked = await world.use("delete_group", group_id="grp_1")
    await world.live.cancel_preview(ROOT.identity.id, asked.preview_id)
    await world.live.cancel_preview(ROOT.identity.id, asked.preview_id)

    assert heard == [
        TurnBegun(
            turn_id=asked.started.turn_id,
            chat_id=asked.started.chat_id,
            assistant_key=HELPDESK,
            message=ToolMessage(tool_name="delete_group", arguments={"group_id": "grp_1"}),
        ),
        PreviewClosed(preview_id=asked.preview_id, reason=CloseReason.CANCELLED),
    ]
    assert heard_by_ada == []


def test_who_stops_listening_hears_nothing_more_and_stops_once_only() -> None:
    news = NewsByOwner()
    owner = IdentityId("idn_ada")
    first: list[News] = []
    second: list[News] = []
    stop = news.subscribe(owner, first.append)
    news.subscribe(owner, second.append)
    stop()
    stop()

    news.tell(owner, PreviewClosed(preview_id=_PREVIEW, reason=CloseReason.CANCELLED))

    assert (len(first), len(second)) == (0, 1)


def test_a_listener_that_fails_harms_nobody() -> None:
    news = NewsByOwner()
    owner = IdentityId("idn_ada")

    def fail(_news: News) -> None:
        raise RuntimeError

    news.subscribe(owner, fail)

    news.tell(owner, PreviewClosed(preview_id=_PREVIEW, reason=CloseReason.CANCELLED))


async def test_notices_keep_where_they_were_said_and_model_calls_are_counted(world: World) -> None:
    world.deeds.result = {"note": "x" * 11_000}
    made = [call("list_groups", call_id=f"c_{number}", group_id=f"grp_{number}") for number in range(8)]
    world.model.queue(calls(*made), says("Enough."))

    heard = await world.say("Everything")
    opened = await world.history.get_chat(ROOT.identity, heard.started.chat_id)

    (turn,) = opened.chat.turns
    (notice,) = turn.notices
    assert (notice.code, notice.step) == ("limit_tool_results", 0)
    assert 0 < notice.after_calls < len(made)
    assert turn.usage["model_calls"] == 2
