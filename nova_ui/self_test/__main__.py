"""Check the guardrails of assistants as they are configured: `python -m nova_ui.self_test --assistant KEY`.

Reads the stored assistants and changes nothing: attacks run on a stage of its own, in a folder that is thrown away.
Servers may run meanwhile. Exits with 0 if everything held, 1 if something did not, 2 if nothing could be checked, and 3
if an attack broke down and so proved nothing.
"""

import argparse
import asyncio
import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nova_ui.bootstrap import Parts, build_parts
from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.clock import SystemClock
from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import ConfigurationError
from nova_ui.i18n.translator import Translator, Translators
from nova_ui.presenters.fields import text_at
from nova_ui.presenters.self_test_words import NOT_HELD, UNCLEAR, as_text, number_at, rule_lines
from nova_ui.self_test.on_request import OnRequest
from nova_ui.settings import Settings, load_settings
from storage.chat.assistants import AssistantStore, RowAsWritten

HELD_ALL: Final = 0
BROKEN: Final = 1
UNUSABLE: Final = 2
UNPROVEN: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stored:
    assistant: Assistant
    row: RowAsWritten | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Check; return the exit code."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr)
    tr = Translators().for_language(Language(options.language))
    try:
        settings = load_settings({} if options.data_dir is None else {"data_dir": options.data_dir})
        reports = asyncio.run(_check(settings, options.assistant, tr, with_model=options.with_model))
    except ConfigurationError as error:
        sys.stderr.write(f"Nothing was checked: {error}\n")
        return UNUSABLE
    if options.json:
        sys.stdout.write(json.dumps(reports, ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write("\n".join(as_text(report, tr) for report in reports))
    outcomes = {line.outcome for report in reports for line in rule_lines(report, tr)}
    if NOT_HELD in outcomes:
        return BROKEN
    return UNPROVEN if UNCLEAR in outcomes else HELD_ALL


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m nova_ui.self_test",
        description="Attack assistants as they are configured, in a dry run, and say rule by rule what held.",
        epilog="All other settings come from the environment (NOVA_...), as for app.py.",
    )
    parser.add_argument("--assistant", metavar="KEY", action="append", help="whom to check; default: every assistant")
    parser.add_argument("--data-dir", type=Path, help=Settings.model_fields["data_dir"].description)
    parser.add_argument(
        "--with-model",
        action="store_true",
        help="also put hostile messages to the configured model; what that costs at most is told first",
    )
    parser.add_argument("--json", action="store_true", help="print the reports as JSON")
    parser.add_argument("--language", choices=[one.value for one in Language], default=Language.ENGLISH.value)
    return parser


async def _check(
    settings: Settings, keys: Sequence[str] | None, tr: Translator, *, with_model: bool
) -> list[JsonObject]:
    """Check the assistants called `keys`, or all.

    Raises:
        ConfigurationError: there is no such assistant, or no database with assistants in it.

    """
    if settings.database_url is None and not (settings.data_path / "nova.sqlite3").exists():
        raise ConfigurationError(f"there is no database in {settings.data_path}")
    if not settings.key_path.exists():
        raise ConfigurationError(f"there is no key file {settings.key_path}")
    clock = SystemClock()
    live = build_parts(settings, clock=clock)
    try:
        stored = await _stored(live, keys)
        await live.nova.ai_configuration.watch.refresh()
        tester = OnRequest(build_parts, live.services.tools, live.services.models, clock)
        return [await _check_one(tester, one, tr, with_model=with_model) for one in stored]
    finally:
        await live.services.models.aclose()
        await live.database.close()


async def _check_one(tester: OnRequest, one: _Stored, tr: Translator, *, with_model: bool) -> JsonObject:
    plan = tester.plan(one.assistant)
    sys.stderr.write(f"{one.assistant.key}: {plan['attacks']} attacks\n")
    if with_model:
        cost = tr(
            "At most {requests} requests with at most {tokens} tokens in all go to {model} ({mode}).",
            requests=number_at(plan, "max_requests", tr),
            tokens=number_at(plan, "max_input_tokens", tr),
            model=text_at(plan, "model"),
            mode=text_at(plan, "mode"),
        )
        sys.stderr.write(f"{cost}\n")

    async def progress(done: int, total: int) -> None:
        sys.stderr.write(f"\r{done}/{total}" + ("\n" if done == total else ""))
        sys.stderr.flush()

    return await tester.run(one.assistant, one.row, progress, with_model=with_model)


async def _stored(live: Parts, keys: Sequence[str] | None) -> list[_Stored]:
    async with live.database.reading() as session:
        store = AssistantStore(session)
        found = {one.assistant.key: one.assistant for one in await store.list_all()}
        unknown = [key for key in keys or () if key not in found]
        if unknown:
            raise ConfigurationError(f"there is no assistant {unknown[0]}; there are {', '.join(sorted(found))}")
        wanted = [AssistantKey(key) for key in keys] if keys else list(found)
        return [_Stored(assistant=found[key], row=await store.find_as_written(key)) for key in wanted]


if __name__ == "__main__":
    sys.exit(main())
