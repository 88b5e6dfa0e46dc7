"""Nova as one tool call sees it, answering by a script: for what a tool makes of answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import NovaAnswer
from nova_ui.errors import NovaUiError
from tests.builders import an_administrator

QueryValue = str | int | bool | None


@dataclass(frozen=True, kw_only=True)
class Called:
    """One call of an endpoint."""

    endpoint: str
    path: Mapping[str, str]
    query: Mapping[str, QueryValue]
    body: JsonObject | None
    if_match: str | None


Answer = JsonValue | NovaAnswer | NovaUiError | Callable[[Called], JsonValue]


@dataclass
class ScriptedNova:
    """Answers each endpoint, and each inner tool by its name, as `answers` says; an error is raised."""

    answers: Mapping[str, Answer]
    identity: Identity = field(default_factory=an_administrator)
    if_match: str | None = None
    called: list[Called] = field(default_factory=list)
    ran: list[tuple[str, JsonObject]] = field(default_factory=list)

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
    ) -> NovaAnswer:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        called = Called(endpoint=endpoint, path=path or {}, query=given, body=body, if_match=if_match)
        self.called.append(called)
        answer = self.answers[endpoint]
        if isinstance(answer, NovaUiError):
            raise answer
        if isinstance(answer, NovaAnswer):
            return answer
        return NovaAnswer(status=200, body=answer(called) if callable(answer) else answer)

    async def run_tool(self, name: str, arguments: JsonObject) -> JsonValue:
        self.ran.append((name, arguments))
        answer = self.answers.get(name)
        if isinstance(answer, NovaUiError):
            raise answer
        assert not isinstance(answer, NovaAnswer)
        assert not callable(answer)
        return answer
