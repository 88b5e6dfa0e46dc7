"""What one person does while servers are killed: one message, and what it would change in Nova."""

from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import JsonValue

from tests.journeys.person import Person, order
from tests.races.obedient_model import AGREED
from tests.races.tabs import Answered


class Doing(StrEnum):
    """The message."""

    PRESS = "press"
    AGREE = "agree in words"
    WRITE = "have the model write"
    OWN_WRITE = "own call"
    READ = "have the model read"


CONFIRMING = frozenset({Doing.PRESS, Doing.AGREE})
WRITING = frozenset({Doing.WRITE, Doing.OWN_WRITE})


@dataclass(slots=True, kw_only=True)
class Lane:
    """One message to an assistant of its own; `name` is that of the group which it makes or deletes."""

    assistant: str
    doing: Doing
    name: str
    group_id: str = ""
    preview_id: str = ""
    chat_id: str = ""
    known_chats: frozenset[str] = frozenset()
    body: dict[str, JsonValue] = field(default_factory=dict)
    answered: Answered = field(default_factory=Answered)

    @property
    def tool(self) -> str:
        return "delete_group" if self.doing in CONFIRMING else "create_group"

    def prepare(self, person: Person) -> None:
        """Have the card shown that is to be confirmed, if there is one."""
        if self.doing in CONFIRMING:
            self.group_id = person.make_group(self.name)
            shown = person.say(self.assistant, order("delete_group", group_id=self.group_id))
            self.preview_id, self.chat_id = shown.preview_id, shown.chat_id
        chats = person.items("/ai/chats", assistant=self.assistant)
        self.known_chats = frozenset(str(chat["id"]) for chat in chats) - {self.chat_id}
        self.body = self._body()

    def _body(self) -> dict[str, JsonValue]:
        match self.doing:
            case Doing.PRESS:
                return {"confirm": self.preview_id}
            case Doing.AGREE:
                return {"chat_id": self.chat_id, "text": AGREED}
            case Doing.WRITE:
                look, write = order("list_groups", q=self.name), order("create_group", display_name=self.name)
                return {"text": f"!say I look first.\n{look}\n!then\n{write}\n!then\n!say It is done."}
            case Doing.OWN_WRITE:
                return {"tool": {"name": "create_group", "arguments": {"display_name": self.name}}}
            case Doing.READ:
                return {"text": f"{order('list_groups', q='a')}\n!then\n!say {'A long answer. ' * 40}"}
