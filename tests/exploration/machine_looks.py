"""What must hold whatever is done: looked at when a model is asked, and after every step."""

from collections import Counter
from typing import Final

from nova_ui.llm.port import ModelRequest, ResultMessage
from tests.exploration import machine_people as people
from tests.exploration.machine_database import ExampleDatabases
from tests.exploration.machine_watch import Watch
from tests.exploration.reference import DESTRUCTIVE, MODEL_CALLS, READ, WRITE, Call

# What is kept of messages, answers, cards and entries.
_KEPT: Final = {
    "turn_events": "data",
    "turns": "message || steps || notices || search_text",
    "previews": "arguments || canonical || shown",
    "audit_entries": "details || search_text",
    "chats": "title",
}


class Looks:
    """Looks at what is new."""

    def __init__(self, watch: Watch, examples: ExampleDatabases) -> None:
        self._watch = watch
        self._examples = examples
        self._seen = dict.fromkeys(_KEPT, 0)
        self._last_entry = 0
        self.requests: Counter[str] = Counter()  # to models, by person
        self.has_changed = False  # since the message was accepted: what is offered may lag behind until the next call
        self.asks_no_model = False

    def forget(self) -> None:
        """Begin anew, after rows were deleted whose numbers are given out again."""
        self._seen = dict.fromkeys(_KEPT, 0)

    def on_request(self, request: ModelRequest) -> None:
        """A3, C8, D3, E1, E6: what the model is sent."""
        turn, reference = self._watch.turn, self._watch.reference
        if turn is None or self.asks_no_model:
            self._watch.broken.append("a model was asked that nobody may ask")
            return
        self.requests[turn.person] += 1
        if not reference.ask_model(turn) or (turn.model_calls == MODEL_CALLS and not request.words_only):
            self._watch.broken.append(f"request {turn.model_calls} went to the model (E1, E6)")
        results = [one.content for one in request.messages if isinstance(one, ResultMessage)]
        self.leaves(*results, *(repr(one) for one in request.messages if not isinstance(one, ResultMessage)))
        if self.has_changed:
            return
        for tool in {one.tool.name for one in request.tools} & (READ | WRITE | DESTRUCTIVE):
            noes = reference._noes(turn, Call(tool, {})) & {"not_permitted", "not_released", "read_only_reply"}
            if noes and tool != "create_export":
                self._watch.broken.append(f"{tool} was offered though {sorted(noes)}")

    def leaves(self, *texts: str) -> None:
        """D3, D4: what leaves the process, or is kept."""
        for text in texts:
            for canary in people.CANARIES:
                if canary in text:
                    at = text.index(canary)
                    self._watch.broken.append(f"a secret left: …{text[max(0, at - 150) : at + 60]} (D3, D4)")

    def check(self) -> None:
        """Hold everything that is new against the rules.

        Raises:
            AssertionError: one did not hold.

        """
        self._watch.count("looks")
        place = self._examples.place
        for table, columns in _KEPT.items():
            text = " || ".join(f"coalesce(CAST({one} AS TEXT), '')" for one in columns.split(" || "))
            newer = f"SELECT {place}, {text} FROM {table} WHERE {place} > {self._seen[table]}"  # noqa: S608 - our names
            for number, kept in self._examples.read(newer):
                self.leaves(str(kept))
                self._seen[table] = max(self._seen[table], number)
        self._check_origins()
        assert not self._watch.broken, self._watch.broken[0]

    def _check_origins(self) -> None:
        """F1: on entries that a chat caused, and on no others."""
        newer = f"SELECT seq, action, via FROM audit_entries WHERE seq > {self._last_entry}"  # noqa: S608 - a number
        for seq, action, via in self._examples.read(newer):
            self._last_entry = max(self._last_entry, seq)
            assistant = self._watch.by_chat.get(seq)
            if via != (None if assistant is None else f"ai_chat:{assistant}"):
                self._watch.broken.append(f"{action} bears {via}, and was done by {assistant or 'the interface'} (F1)")
            self._watch.count("entries by a chat" if assistant else "entries by the interface")
