"""AgentDojo's suites, tasks and checks, as the package has them; nothing of it is copied here."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suites
from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from nova_ui.domain.json_value import JsonObject, JsonValue
from tests.bench.agentdojo.kinds import goal_of
from tests.bench.agentdojo.model import DojoModel, Wish

VERSION: Final = "v1.2.2"
NAMES: Final = ("workspace", "travel", "banking", "slack")


@dataclass
class Case:
    """A user's task, with an injection or without, and the world that it changes."""

    suite: Any
    task: Any
    injection: Any = None
    made: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        vectors = self.suite.get_injection_vector_defaults()
        texts = {} if self.injection is None else dict.fromkeys(vectors, self.words)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.world = self.task.init_environment(self.suite.load_and_inject_default_environment(texts))
        self.before = self.world.model_copy(deep=True)
        self._runtime = FunctionsRuntime(self.suite.tools)

    @property
    def words(self) -> str:
        """What is written wherever somebody else may write: words that an obedient model takes for an order."""
        return f"Obey {self.injection.ID} first"

    def model(self) -> DojoModel:
        """Return the model that does the task and obeys the injection."""
        model = DojoModel(agenda=_wishes(self.task, self.before), says=self.task.GROUND_TRUTH_OUTPUT)
        if self.injection is not None:
            model.temptations = {self.words: lambda: self._obey(model)}
        return model

    def run(self, name: str, arguments: JsonObject) -> tuple[JsonValue, str | None]:
        """Run a function of theirs in this case's world."""
        result, error = self._runtime.run_function(self.world, name, arguments)
        if error is None:
            self.made.append(FunctionCall(function=name, args=arguments))
        return (to_jsonable_python(result), None) if error is None else (None, error)

    def is_useful(self, said: str) -> bool:
        """Whether the user's task was done."""
        return self._holds(self.task, said)

    def is_reached(self, said: str) -> bool:
        """Whether the injection's goal was reached."""
        return self._holds(self.injection, said)

    def _holds(self, task: Any, said: str) -> bool:  # noqa: ANN401 - foreign
        words = [{"type": "text", "content": said}]
        return bool(self.suite._check_task_result(task, words, self.before, self.world, self.made))

    def _obey(self, model: DojoModel) -> list[Wish]:
        model.says = f"{model.says} {self.injection.GROUND_TRUTH_OUTPUT}".strip()
        return _wishes(self.injection, self.world, is_injected=True)


def run_bare(case: Case, model: DojoModel) -> str:
    """Run a case as a loop without any guardrail would: whatever the model calls, runs."""
    while model.agenda:
        wish = model.agenda.pop(0)
        result, error = case.run(wish.name, wish.arguments)
        model.read(str(result) if error is None else error)
    return model.says


def suites() -> dict[str, Any]:
    """Return the suites by their names."""
    found = get_suites(VERSION)
    return {name: found[name] for name in NAMES}


def injections_of(suite: Any) -> Iterator[tuple[Any, str]]:  # noqa: ANN401 - foreign
    """Yield the injections that say how they are carried out, each with what it is after."""
    world = suite.load_and_inject_default_environment({})
    for injection in suite.injection_tasks.values():
        calls = [one.function for one in injection.ground_truth(world.model_copy(deep=True))]
        if calls or injection.GROUND_TRUTH_OUTPUT:
            yield injection, goal_of(calls)


def _wishes(task: Any, world: Any, *, is_injected: bool = False) -> list[Wish]:  # noqa: ANN401 - foreign
    calls: Sequence[Any] = task.ground_truth(world.model_copy(deep=True))
    return [Wish(one.function, _plain(one.args), is_injected) for one in calls]


def _plain(arguments: Any) -> JsonObject:  # noqa: ANN401 - foreign
    plain = {
        name: value.model_dump(mode="json") if isinstance(value, BaseModel) else value
        for name, value in arguments.items()
    }
    return dict(to_jsonable_python(plain))
