"""Real servers over one database: simultaneous presses, and a kill in the middle of turns; the bounded part.

The whole campaigns run by `python -m tests.races.presses` and `python -m tests.races.kills`.
"""

from tests.races.kills import kill_at_random
from tests.races.presses import press_at_once
from tests.races.site import RaceSite

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
