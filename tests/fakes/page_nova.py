"""Nova as a page sees it, answering by a script: for what a presenter makes of answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import NovaAnswer
from nova_ui.errors import NovaProblem
from tests.fakes.scripted_nova import Called, QueryValue

Answer = JsonObject | NovaProblem | Callable[[Called], JsonObject]


@dataclass
class PageNova:
    """Answers each endpoint as `answers` says, with the entity tag `etag`; a problem is raised."""

    answers: dict[str, Answer]
    etag: str | None = '"7"'
    called: list[Called] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> NovaAnswer:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        called = Called(endpoint=endpoint, path=path or {}, query=given, body=body, if_match=if_match)
        self.called.append(called)
        self.keys.append(idempotency_key)
        answer = self.answers[endpoint]
        if isinstance(answer, NovaProblem):
            raise answer
        return NovaAnswer(status=200, body=answer(called) if callable(answer) else answer, etag=self.etag)

    def calls_of(self, endpoint: str) -> list[Called]:
        """Return what was asked of one endpoint."""
        return [one for one in self.called if one.endpoint == endpoint]
