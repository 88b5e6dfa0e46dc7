"""Real servers over one database: simultaneous presses, and a kill in the middle of turns; the bounded part.

The whole campaigns run by `python -m tests.races.presses` and `python -m tests.races.kills`.
"""

import asyncio

import pytest

from tests.journeys.person import Person
from tests.races.kill_checks import find_card_faults, read_story
from tests.races.kill_points import Point, take_back, write_order
from tests.races.kills import kill_at_random
from tests.races.lanes import Doing, Lane
from tests.races.planted import USED_UP_LATE
from tests.races.presses import press_at_once
from tests.races.site import RaceSite
from tests.races.tabs import Tab

PRESSES = 100
TURNS = 9
SEED = 20


def test_c10_of_a_hundred_simultaneous_presses_over_tabs_and_processes_one_executes(site: RaceSite) -> None:
    """Abuse case 24."""
    [assistant] = site.make_assistants(1)
    with site.sign_in() as mara:
        pressed = press_at_once(site, mara, assistant, presses=PRESSES)

    assert pressed.faults == ()
    assert pressed.answers.total() == PRESSES


def test_c10_killed_in_the_middle_of_turns_nothing_runs_twice_and_nothing_is_lost_unseen(site: RaceSite) -> None:
    """Abuse case 25."""
    with site.sign_in() as mara:
        killed = kill_at_random(site, mara, turns=TURNS, seed=SEED)

    assert killed.faults == []
    assert killed.turns >= TURNS
    assert "Traceback" not in site.log_text


@pytest.mark.parametrize("site", ["sqlite"], indirect=True, scope="session")
def test_c10_a_card_that_is_used_up_only_after_its_call_is_noticed_by_a_kill(site: RaceSite) -> None:
    """Abuse case 25: in a server where that is so, a death between Nova's answer and the note leaves an open card."""
    lane = Lane(assistant=site.make_assistants(1)[0], doing=Doing.PRESS, name="used-up-late")
    with site.sign_in() as mara, site.one_more(USED_UP_LATE) as broken:
        lane.prepare(mara)
        order = site.order_file(len(site.servers))
        write_order(order, Point.ANSWERED)
        asyncio.run(_press(broken.url, mara, lane))
        was_alive = take_back(order)
        faults = find_card_faults(mara, lane, read_story(mara, lane.assistant))

    assert not was_alive
    assert "it was done and the card can be pressed again" in faults


async def _press(url: str, person: Person, lane: Lane) -> None:
    tab = Tab(url, person)
    await tab.send(lane.assistant, lane.body, lane.answered)
    await tab.close()
