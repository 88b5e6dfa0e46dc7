"""Try a model: `python -m nova_ui.evaluate --model PROFILE` plays requests and tasks on a throw-away organisation."""

import argparse
import asyncio
import json
import logging
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from nova_ui.domain.identity import Language
from nova_ui.errors import ConfigurationError
from nova_ui.evaluation.cases import SHIPPED, Case, read_cases
from nova_ui.evaluation.judge import Judged, Verdict
from nova_ui.evaluation.models import BUILT_IN, find_model
from nova_ui.evaluation.run import MAX_CONCURRENCY, Setup, evaluate
from nova_ui.evaluation.summary import Summary
from nova_ui.settings import Settings, load_settings
from nova_ui.tools.registry import ALL_TOOLS

GOOD_ENOUGH: Final = 0
NOT_GOOD_ENOUGH: Final = 1
UNUSABLE: Final = 2
LEAST_RIGHT: Final = 0.92


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate as the command line says; return 0 if the model is good enough, 1 if not, 2 if nothing can be done."""
    options = _parser().parse_args(arguments)
    logging.disable(logging.WARNING)  # what goes wrong with a request is part of the result
    try:
        given = {"data_dir": options.data_dir, "demo": options.demo or None}
        settings = load_settings({name: value for name, value in given.items() if value is not None})
        cases = _cases(options)
        summary = asyncio.run(_run(options, settings, cases))
    except ConfigurationError as error:
        sys.stderr.write(f"Nothing was evaluated: {error}\n")
        return UNUSABLE
    sys.stdout.write(
        json.dumps(summary.as_json(), ensure_ascii=False, indent=1) + "\n" if options.json else summary.as_text()
    )
    is_good = summary.passes(least_right=options.least_right, most_wrong_changes=options.most_wrong_changes)
    return GOOD_ENOUGH if is_good else NOT_GOOD_ENOUGH


async def _run(options: argparse.Namespace, settings: Settings, cases: Sequence[Case]) -> Summary:
    choice = await find_model(options.model, settings)
    concurrency = options.concurrency or (1 if choice == BUILT_IN else 4)
    setup = Setup(choice=choice, tools=options.tools, concurrency=concurrency, max_requests=options.max_requests)
    with tempfile.TemporaryDirectory(prefix="nova-evaluation-") as folder:
        found = await evaluate(cases, setup, Path(folder), _Progress(options.quiet or options.json).tell)
    return Summary(model=options.model, evaluation=found)


def _cases(options: argparse.Namespace) -> list[Case]:
    languages = [Language(one) for one in options.language or [language.value for language in Language]]
    cases = read_cases(options.sets or [SHIPPED], languages)
    known = frozenset(tool.name for tool in ALL_TOOLS)
    for case in cases:
        for name in case.tools - known:
            raise ConfigurationError(f"there is no tool {name}, which {case.text!r} should lead to")
    if options.tools is not None:
        for name in frozenset(options.tools) - known:
            raise ConfigurationError(f"there is no tool {name}")
        cases = [case for case in cases if case.tools <= frozenset(options.tools)]
    if not cases:
        raise ConfigurationError("no request fits these options")
    return cases[: options.first]


class _Progress:
    """Says what is not right as soon as it is known."""

    def __init__(self, is_quiet: bool) -> None:  # noqa: FBT001 - a fact, not a switch
        self._is_quiet = is_quiet
        self._count = 0

    def tell(self, judged: Judged, total: int) -> None:
        """Hear of one more case."""
        self._count += 1
        if not self._is_quiet and judged.verdict is not Verdict.RIGHT:
            sys.stderr.write(f"[{self._count}/{total}] {judged.verdict.value}: {judged.played.case.text}\n")


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError("must be from 0 to 1")
    return value


def _parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(
        prog="python -m nova_ui.evaluate",
        description="Play requests and tasks with a model on a throw-away organisation, and count what came out.",
        epilog="The files' format and how to read the figures: docs/operating.md.",
    )
    found.add_argument("sets", nargs="*", type=Path, help="files or folders of requests; default: those shipped")
    found.add_argument(
        "--model", default="built-in", help="built-in, environment (NOVA_AI_...), a profile's key, or profile/model"
    )
    found.add_argument("--language", action="append", choices=[one.value for one in Language], help="only these")
    found.add_argument("--tools", nargs="+", metavar="TOOL", help="ask an assistant that has just these tools")
    found.add_argument("--first", type=int, metavar="N", help="only the first N requests")
    found.add_argument("--max-requests", type=int, default=10_000, metavar="N", help="ask the model at most so often")
    found.add_argument(
        "--concurrency", type=int, choices=range(1, MAX_CONCURRENCY + 1), metavar=f"1..{MAX_CONCURRENCY}",
        help="requests at a time, each on an organisation of its own; default 4, built-in 1",
    )  # fmt: skip
    found.add_argument("--least-right", type=_share, default=LEAST_RIGHT, metavar="SHARE", help="from 0 to 1")
    found.add_argument("--most-wrong-changes", type=int, default=0, metavar="N", help="default 0")
    found.add_argument("--data-dir", type=Path, help="where the server's profiles are stored")
    found.add_argument("--demo", action="store_true", help="use the demo's profiles")
    found.add_argument("--json", action="store_true", help="print everything as JSON")
    found.add_argument("--quiet", action="store_true", help="say nothing on the way")
    return found


if __name__ == "__main__":
    sys.exit(main())
