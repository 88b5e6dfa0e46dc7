"""A hundred presses of *Confirm and execute* at the same moment, over tabs and processes: one execution (rule C10).

    python -m tests.races.presses --rounds 5
    python -m tests.races.presses --rounds 5 --database postgresql://nova@127.0.0.1/postgres
    python -m tests.races.presses --fault "read, then write"

Without an address two processes share an SQLite file; with one, three share a PostgreSQL database that is made for
the run. Each round shows a card, presses its button from several tabs at each process, and then asks Nova's audit log,
the chat and the card how often the action ran.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.journeys.person import JsonObject, Person, order
from tests.races.kill_checks import Story, objects
from tests.races.site import RaceSite, site_of_command
from tests.races.tabs import Answered, Tab

TABS_PER_PROCESS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed:
    """What came of one round; `faults` are sentences, none if the rule held."""

    answers: Counter[str]
    seconds: float
    executions: int
    faults: tuple[str, ...] = field(default=())


def press_at_once(site: RaceSite, mara: Person, assistant: str, *, presses: int) -> Pressed:
    """Show a card, press it `presses` times at once, and find out what came of it."""
    doomed = mara.make_group(f"pressed-{time.monotonic_ns()}")
    shown = mara.say(assistant, order("delete_group", group_id=doomed))
    answers, seconds = asyncio.run(_press(site, assistant, shown.preview_id, presses))
    chat = mara.get(f"/ai/chats/{shown.chat_id}")
    entries = mara.items("/audit-log", action="group.deleted", target_id=doomed)
    runs = Story(turns=tuple(objects(chat["turns"]))).calls_of("delete_group")
    won = [answer for answer in answers if answer.status == 200]
    found = {
        f"{len(won)} presses were accepted": len(won) != 1,
        f"the chat shows {len(runs)} executions": len(runs) != 1,
        f"the audit log holds {len(entries)} deletions": len(entries) != 1,
        "the group is still there": mara.has_group(doomed),
        f"the card says {_card(chat, shown.preview_id)}": _card(chat, shown.preview_id) != ("executed", "done"),
        "a press got neither an answer nor a problem": any(not one.is_whole and not one.code for one in answers),
        "a press was refused for another reason": any(one.code and one.code not in _REFUSED for one in answers),
    }
    return Pressed(
        answers=Counter(_kind(one) for one in answers),
        seconds=seconds,
        executions=max(len(runs), len(entries)),
        faults=tuple(sentence for sentence, is_so in found.items() if is_so),
    )


_REFUSED = frozenset({"confirmation_invalid", "turn_running"})


async def _press(site: RaceSite, assistant: str, preview_id: str, presses: int) -> tuple[list[Answered], float]:
    tabs = [Tab(server.url) for server in site.servers for _ in range(TABS_PER_PROCESS)]
    try:
        for tab in tabs:  # one after the other: many at once count as guessing
            await tab.sign_in()
        began = time.monotonic()
        pressing = (tabs[number % len(tabs)].send(assistant, {"confirm": preview_id}) for number in range(presses))
        return await asyncio.gather(*pressing), time.monotonic() - began
    finally:
        await asyncio.gather(*(tab.close() for tab in tabs))


def _kind(answer: Answered) -> str:
    reason = answer.problem.get("reason")
    return f"{answer.status} {answer.code or 'events'}{f' {reason}' if reason else ''}"


def _card(chat: JsonObject, preview_id: str) -> tuple[str, str]:
    [card] = [card for card in objects(chat["previews"]) if card["preview_id"] == preview_id]
    return str(card["closed"]), str(card["outcome"])


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--presses", type=int, default=100, help="in each round")
    parser.add_argument("--database", default="", help="address of a PostgreSQL server; SQLite without one")
    parser.add_argument("--fault", default="", help="what is planted in the servers: see planted.py")
    options = parser.parse_args()
    faults = 0
    with site_of_command(options.database, fault=options.fault) as site, site.sign_in() as mara:
        [assistant] = site.make_assistants(1)
        for number in range(options.rounds):
            pressed = press_at_once(site, mara, assistant, presses=options.presses)
            faults += len(pressed.faults)
            answers = ", ".join(f"{count} × {kind}" for kind, count in pressed.answers.most_common())
            said = "; ".join(pressed.faults) or "held"
            print(f"round {number + 1}: {pressed.seconds:.2f} s; {answers}; {pressed.executions} executed: {said}")  # noqa: T201
    print("all held" if not faults else f"{faults} did not hold")  # noqa: T201
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(_main())
