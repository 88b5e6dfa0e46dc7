"""Servers are killed in the middle of turns; nothing runs twice, and nothing is lost unseen (rule C10).

    python -m tests.races.kills --turns 200
    python -m tests.races.kills --turns 200 --database postgresql://nova@127.0.0.1/postgres
    python -m tests.races.kills --turns 60 --fault "unknown outcomes are forgotten" --seed 7

Without an address two processes share an SQLite file; with one, three share a PostgreSQL database that is made for
the run. In each round several people press a button, agree in words, have the model write, or call a tool by
themselves, at slightly different moments; one server gets SIGKILL in the middle, the others go on, and it is started
again. About half of the kills fall at a random moment, the others at a named point of the protocol that the seed
chooses: see `kill_points.py`. Then Nova's audit log says what happened, and every chat has to say the same: see
`kill_checks.py`.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from tests.journeys.person import Person
from tests.races.kill_checks import find_faults, read_story
from tests.races.kill_points import Point, take_back, write_order
from tests.races.lanes import Doing, Lane
from tests.races.site import RaceSite, site_of_command
from tests.races.tabs import Tab

LANES: Final = 9
STAGGER_S: Final = 0.3
A_BIT_LATER_S: Final = 0.03
RECOVERY_S: Final = 180.0
SHARE_AT_POINTS: Final = 0.5
PASSES: Final = 3  # how many lanes may pass a point before the server dies at it: so it is not always the quickest


@dataclass(slots=True)
class Killed:
    """What a campaign saw; `stages` counts where the kills met the turns, `points` those that fell at one."""

    turns: int = 0
    kills: int = 0
    stages: Counter[str] = field(default_factory=Counter)
    points: Counter[Point] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    recovery_s: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        stages = ", ".join(f"{count} {stage}" for stage, count in self.stages.most_common())
        points = ", ".join(f"{count} {point}" for point, count in self.points.most_common())
        slowest = max(self.recovery_s, default=0.0)
        return (
            f"{self.turns} turns, {self.kills} kills (at points: {points or 'none'}); {stages}; "
            f"recovered within {slowest:.1f} s; {len(self.faults)} faults"
        )


class Killing:
    """One campaign over one site."""

    def __init__(self, site: RaceSite, mara: Person, chance: random.Random, *, lanes: int = LANES) -> None:
        self._site = site
        self._mara = mara
        self._chance = chance
        self._keys = site.make_assistants(lanes)
        self._events_in_all = 1
        self._at: Point | None = None
        self._points: list[Point] = []
        self.seen = Killed()

    def round(self, *, is_killed: bool = True) -> None:
        """Start a turn in each lane, kill a server in the middle, start it again, and look at what is left."""
        victim = self._chance.randrange(len(self._site.servers)) if is_killed else 0
        lanes = [self._lane(key) for key in self._keys]
        for lane in lanes:
            lane.prepare(self._mara)
        if is_killed:
            self._order(victim)
        asyncio.run(self._run(lanes, victim, is_killed=is_killed))
        if not is_killed:
            self._events_in_all = _count_events(lanes)
        else:
            began = time.monotonic()
            self._site.servers[victim].start()
            self._mara.client.base_url = self._site.servers[0].url  # a server that was started again has a new port
            self.seen.kills += 1
            self.seen.recovery_s.append(self._wait_for_the_end(began))
        self._check(lanes)

    def _lane(self, key: str) -> Lane:
        return Lane(
            assistant=key, doing=self._chance.choice(list(Doing)), name=f"lane-{self._chance.getrandbits(48):x}"
        )

    def _order(self, victim: int) -> None:
        """Choose for some rounds at which point the server is to die."""
        self._at = None
        if self._chance.random() < SHARE_AT_POINTS:
            self._points = self._points or self._chance.sample(list(Point), len(Point))  # each before any comes again
            self._at, passes = self._points.pop(), self._chance.randrange(PASSES)
            write_order(self._site.order_file(victim), self._at, passes=passes)

    async def _run(self, lanes: list[Lane], victim: int, *, is_killed: bool) -> None:
        """Run most lanes at the server that is to be killed, and the last one at another."""
        tabs = [Tab(server.url, self._mara) for server in self._site.servers]
        elsewhere = (victim + 1) % len(tabs)
        turns = [
            asyncio.create_task(self._turn(lane, tabs[elsewhere if lane is lanes[-1] else victim])) for lane in lanes
        ]
        if is_killed:
            await self._wait_for_the_death(lanes, turns, victim)
        await asyncio.gather(*turns)
        await asyncio.gather(*(tab.close() for tab in tabs))

    async def _wait_for_the_death(self, lanes: list[Lane], turns: list[asyncio.Task[None]], victim: int) -> None:
        """Wait until the server is dead at its point, or kill it at some moment."""
        server = self._site.servers[victim]
        if self._at is None:
            await self._wait_for_the_moment(lanes, turns)
        else:
            while server.is_running and not all(turn.done() for turn in turns):  # noqa: ASYNC110 - a process
                await asyncio.sleep(0.001)
            if not take_back(self._site.order_file(victim)):
                self.seen.points[self._at] += 1
        server.kill()

    async def _wait_for_the_moment(self, lanes: list[Lane], turns: list[asyncio.Task[None]]) -> None:
        """Wait until some number of events was heard, and a bit longer: however slow the computer is."""
        moment = self._chance.randrange(self._events_in_all * 3 // 4 + 1)  # later most turns are over
        while _count_events(lanes) < moment and not all(turn.done() for turn in turns):  # noqa: ASYNC110 - many streams
            await asyncio.sleep(0.001)
        await asyncio.sleep(self._chance.uniform(0.0, A_BIT_LATER_S))

    async def _turn(self, lane: Lane, tab: Tab) -> None:
        await asyncio.sleep(self._chance.uniform(0.0, STAGGER_S))
        await tab.send(lane.assistant, lane.body, lane.answered)

    def _wait_for_the_end(self, began: float) -> float:
        """Wait until no turn runs any more; return how many seconds after the new start that was."""
        while any(read_story(self._mara, key).is_running for key in self._keys):
            assert time.monotonic() - began < RECOVERY_S, "a turn of a dead process still counts as running"
            time.sleep(0.1)
        return time.monotonic() - began

    def _check(self, lanes: list[Lane]) -> None:
        for lane in lanes:
            story = read_story(self._mara, lane.assistant, known=lane.known_chats)
            self.seen.turns += 1
            self.seen.stages[story.stage_of(lane)] += 1
            self.seen.faults += [f"{lane.doing}: {fault}" for fault in find_faults(self._mara, lane, story)]
            again = self._mara.say(lane.assistant, "!say Back again.", chat_id=story.chat_id or None)
            if again.text != "Back again.":
                self.seen.faults.append(f"{lane.doing}: the chat does not go on")


def _count_events(lanes: list[Lane]) -> int:
    return sum(len(lane.answered.events) for lane in lanes)


def kill_at_random(
    site: RaceSite, mara: Person, *, turns: int, seed: int, lanes: int = LANES, until_noticed: bool = False
) -> Killed:
    """Run rounds until so many turns were met by a kill, or until something was at fault."""
    killing = Killing(site, mara, random.Random(seed), lanes=lanes)  # noqa: S311 - not for secrets
    killing.round(is_killed=False)  # how long a round takes; nothing may be at fault here either
    killing.seen.turns = 0
    killing.seen.stages.clear()
    while killing.seen.turns < turns and not (until_noticed and killing.seen.faults):
        known = len(killing.seen.faults)
        killing.round()
        for fault in killing.seen.faults[known:]:
            print(f"seed {seed}: {fault}", flush=True)  # noqa: T201
        print(killing.seen, flush=True)  # noqa: T201
    return killing.seen


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(10_000))  # noqa: S311 - printed, to run it again
    parser.add_argument("--database", default="", help="address of a PostgreSQL server; SQLite without one")
    parser.add_argument("--fault", default="", help="what is planted in the servers: see planted.py")
    parser.add_argument("--lanes", type=int, default=LANES, help="turns at once, in each round")
    parser.add_argument("--until-noticed", action="store_true", help="end after the first round with a fault")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)  # noqa: T201
    with site_of_command(options.database, fault=options.fault) as site, site.sign_in() as mara:
        killed = kill_at_random(
            site,
            mara,
            turns=options.turns,
            seed=options.seed,
            lanes=options.lanes,
            until_noticed=options.until_noticed,
        )
    return 1 if killed.faults else 0


if __name__ == "__main__":
    sys.exit(_main())
