"""Runs the attacks one after the other, each on the renewed stage, and says rule by rule what held."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from nova_ui.domain.clock import Clock
from nova_ui.domain.json_value import JsonObject
from nova_ui.llm.port import Mode, Model
from nova_ui.self_test import words
from nova_ui.self_test.attack import Attack
from nova_ui.self_test.attacks import (
    cards,
    chats,
    confirming,
    keeping,
    limits,
    lists,
    pressing,
    requests,
    results,
    rights,
    secrets,
    traces,
)
from nova_ui.self_test.bounded_model import BoundedModel
from nova_ui.self_test.by_model import Prompt, attack_by_model, prompts_for
from nova_ui.self_test.findings import Finding, Outcome, Tried, as_json, not_applicable, outcome_of
from nova_ui.self_test.quiet_log import quiet_log
from nova_ui.self_test.rules import RULES
from nova_ui.self_test.scene import Scene, Unclear
from nova_ui.self_test.stage import BuildStage, Stage, open_stage
from nova_ui.self_test.subject import Subject

_log = logging.getLogger(__name__)

ATTACKS: Final[tuple[Attack, ...]] = tuple(
    attack
    for room in (rights, lists, keeping, cards, confirming, pressing, secrets, limits, traces, chats, results, requests)
    for attack in room.ATTACKS
)
LOOK_S: Final = 2.0
Progress = Callable[[int, int], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse:
    """What the configured model was asked: so many requests with so many tokens, as far as the provider says."""

    name: str
    mode: Mode
    requests: int
    input_tokens: int
    output_tokens: int

    def as_json(self) -> JsonObject:
        """Return it as it is stored and sent."""
        return {
            "name": self.name,
            "mode": self.mode.value,
            "requests": self.requests,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was tried and found, in the order of the rules."""

    assistant_key: str
    at: datetime
    tried: tuple[Tried, ...]
    model: ModelUse | None = None

    def of_rule(self, rule: str) -> tuple[Tried, ...]:
        """Return what was tried on one rule."""
        return tuple(one for one in self.tried if one.rule == rule)

    @property
    def outcomes(self) -> Mapping[str, Outcome]:
        """What became of each rule that was put to the test."""
        tested = {one.rule for one in self.tried}
        return {rule: outcome_of(self.of_rule(rule)) for rule in RULES if rule in tested}

    @property
    def not_held(self) -> tuple[str, ...]:
        """The rules that did not hold."""
        return tuple(rule for rule, outcome in self.outcomes.items() if outcome is Outcome.NOT_HELD)

    def count(self, outcome: Outcome) -> int:
        """Return of how many rules something became."""
        return sum(one is outcome for one in self.outcomes.values())

    def as_json(self) -> JsonObject:
        """Return the report as it is stored and sent: message ids and numbers, no data and no prompt."""
        return {
            "assistant": self.assistant_key,
            "at": self.at.isoformat(),
            "model": None if self.model is None else self.model.as_json(),
            "counts": {outcome.value: self.count(outcome) for outcome in Outcome},
            "rules": [
                {
                    "rule": rule,
                    "sentence": RULES[rule],
                    "outcome": outcome.value,
                    "attacks": [as_json(one) for one in self.of_rule(rule)],
                }
                for rule, outcome in self.outcomes.items()
            ],
        }


class SelfTest:
    """Tests assistants; what it is given are values, a clock, and the way to build a stage."""

    def __init__(self, build: BuildStage, clock: Clock) -> None:
        self._build = build
        self._clock = clock

    async def run(
        self,
        subject: Subject,
        progress: Progress,
        *,
        model: Model | None = None,
        rules: Collection[str] = RULES,
    ) -> Report:
        """Attack `subject`, with `model` also by its own answers; `progress` may raise to end it early."""
        at, chosen, asked = self._clock.now(), _chosen(rules), None if model is None else BoundedModel(model)
        tried: list[Tried] = []
        async with quiet_log(), open_stage(subject, self._build, self._clock.now) as stage:
            prompts = [] if asked is None else prompts_for(Scene(stage))
            total = len(chosen) + len(prompts)

            async def look() -> None:
                await progress(len(tried), total)

            for attack in chosen:
                await look()
                tried.append(await _watched(try_attack(stage, attack), look))
            for prompt in prompts:
                await look()
                tried.append(await _watched(_put(stage, prompt, asked), look))
            await look()
        return Report(
            assistant_key=subject.assistant.key,
            at=at,
            tried=tuple(tried),
            model=None if asked is None else _use_of(asked),
        )


async def _watched(attack: Coroutine[object, object, Tried], look: Callable[[], Awaitable[None]]) -> Tried:
    """Wait for an attack, and look every few seconds whether it is still wanted; what `look` raises ends it."""
    task = asyncio.create_task(attack)
    try:
        while not (await asyncio.wait({task}, timeout=LOOK_S))[0]:
            await look()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
    return task.result()


async def _put(stage: Stage, prompt: Prompt, model: BoundedModel | None) -> Tried:
    await stage.renew()
    if model is None:
        raise TypeError("there is no model to be asked")
    return await attack_by_model(Scene(stage), prompt, model)


def _use_of(model: BoundedModel) -> ModelUse:
    return ModelUse(
        name=model.name,
        mode=model.mode,
        requests=model.requests,
        input_tokens=model.input_tokens,
        output_tokens=model.output_tokens,
    )


def _chosen(rules: Collection[str]) -> Sequence[Attack]:
    return [attack for attack in ATTACKS if attack.rule in rules]


async def try_attack(stage: Stage, attack: Attack) -> Tried:
    """Renew the stage and make one attack; whatever happens is a finding."""
    await stage.renew()
    scene = Scene(stage)
    why_not = next((no for need in attack.needs if (no := need(scene)) is not None), None)
    found = not_applicable(why_not) if why_not is not None else await _found(scene, attack)
    return Tried(rule=attack.rule, attack=attack.words, finding=found)


async def _found(scene: Scene, attack: Attack) -> Finding:
    try:
        return await attack.run(scene)
    except Unclear as unclear:
        return Finding(outcome=Outcome.UNCLEAR, words=unclear.words, params=unclear.params)
    except Exception as error:  # noqa: BLE001 - an attack that breaks down must not hide what the others find
        _log.exception("self_test.attack_broke", extra={"rule": attack.rule})
        return Finding(outcome=Outcome.UNCLEAR, words=words.FOUND_BROKEN, params={"what": type(error).__name__})
