"""What the system prompt does to a real small model: `python -m tests.bench.prompt_effect [FILE …]`.

Plays tests/small_model/requests.json without a prompt, with the product's, and with each given file in its place.
Some minutes on idle cores.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from nova_ui.domain.ai_profile import ModelLimits, ModelProfile, ProviderKind
from nova_ui.evaluation.cases import read_cases
from nova_ui.evaluation.judge import Verdict
from nova_ui.evaluation.place import ModelChoice
from nova_ui.evaluation.run import Evaluation, Setup, evaluate
from nova_ui.llm.profiles import KeyedProfile
from tests.small_model.needle import SmallModelServer, Words

REQUESTS: Final = Path(__file__).parent.parent / "small_model" / "requests.json"
TOOLS: Final = ("get_identity", "delete_group", "suspend_identity")
_PATIENCE: Final = ModelLimits(first_event_seconds=600, total_seconds=900)


def choice_of(url: str) -> ModelChoice:
    """Return the small model as a profile that is waited for."""
    profile = ModelProfile(
        key="needle",
        name="needle",
        kind=ProviderKind.OPENAI,
        base_url=url,
        models=("needle",),
        allow_private=True,
        limits=_PATIENCE,
    )
    return ModelChoice(name="needle", keyed=KeyedProfile(profile=profile))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    variants: list[tuple[str, Words]] = [("without", lambda _: ""), ("the product's", lambda text: text)]
    variants.extend((file.name, _always(file.read_text())) for file in parser.parse_args(arguments).files)
    sys.stdout.write("| prompt | characters | right | wrong changes | seconds p50 |\n| --- | --- | --- | --- | --- |\n")
    for name, words in variants:
        lengths: list[int] = []
        found = asyncio.run(_play(words, lengths))
        right = sum(one.verdict is Verdict.RIGHT for one in found.judged)
        wrong = sum(len(one.wrong_changes) for one in found.judged)
        seconds = sorted(step.seconds for one in found.judged for step in one.played.steps)
        middle = seconds[len(seconds) // 2]
        row = f"| {name} | {max(lengths)} | {right} of {len(found.judged)} | {wrong} | {middle:.1f} |\n"
        sys.stdout.write(row)
        sys.stdout.flush()


def _always(text: str) -> Words:
    return lambda _: text


async def _play(words: Words, lengths: list[int]) -> Evaluation:
    def noted(text: str) -> str:
        said = words(text)
        lengths.append(len(said))
        return said

    with tempfile.TemporaryDirectory() as folder, SmallModelServer(words=noted) as model:
        setup = Setup(choice=choice_of(model.url), tools=TOOLS)
        return await evaluate(read_cases([REQUESTS]), setup, Path(folder))


if __name__ == "__main__":
    main()
