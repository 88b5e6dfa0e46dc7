"""What a tool is: a named action over Nova's endpoints, with everything a guardrail needs declared on it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Generic, NewType, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from nova_ui.domain.identity import EVERYONE, Identity, Role
from nova_ui.domain.json_value import JsonObject, JsonValue

CallId = NewType("CallId", str)

CONFIRMED_ARGUMENT: Final = "confirmed"
ONESELF: Final = "@me"  # in a phrase's fixed arguments: the id of whoever asks


class ToolKind(StrEnum):
    """What a tool does to Nova."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"


class ToolArguments(BaseModel):
    """Base of every tool's arguments: nothing undeclared, nothing changed later."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class NovaAnswer:
    """What an endpoint answered: its JSON and its entity tag, if it has one."""

    status: int
    body: JsonValue
    etag: str | None = None

    @property
    def object(self) -> JsonObject:
        """The body as an object.

        Raises:
            TypeError: the endpoint answered with something else.

        """
        if not isinstance(self.body, dict):
            raise TypeError("the endpoint did not answer with an object")
        return self.body


class Nova(Protocol):
    """Nova as one tool call sees it: bound to session, origin and the tool's own endpoints."""

    @property
    def identity(self) -> Identity:
        """The identity on whose behalf the call runs."""

    @property
    def if_match(self) -> str | None:
        """The entity tag that the confirmed preview showed; the tool's changing request carries it (rule C14)."""

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | int | bool | None] | None = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
    ) -> NovaAnswer:
        """Call one of the tool's declared endpoints, such as `"DELETE /groups/{group_id}"`.

        Query values of None are left out. A path value is one segment; see rule I1.

        Raises:
            NovaProblem: the endpoint refused or failed.
            ValueError: the endpoint is not among those the tool declares.

        """

    async def run_tool(self, name: str, arguments: JsonObject) -> JsonValue:
        """Run an inner call of a flow through the whole gate (rule B2) and return its redacted result.

        Raises:
            InnerCallRefused: the gate refused it.
            NovaProblem: the endpoint refused or failed.

        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One field that an action changes, before and after (rule C13)."""

    field: str
    before: JsonValue
    after: JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """Something that goes with an action: `count` objects of `type`, some of them named, and what becomes of them.

    `result` is a word of Nova's such as `ended` or `revoked`; empty where it is not known.
    """

    type: str
    count: int
    names: tuple[str, ...] = ()
    result: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a destructive tool shows before it runs: the object as it is now and what will happen to it.

    `subject` names the object in words; `current_state` is None when there is no such object or no right to
    read it; `etag` is the version that was shown, for `If-Match`.
    """

    subject: str
    current_state: JsonObject | None = None
    changes: tuple[Change, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    etag: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A request a person may type for this tool, with the arguments that the words give."""

    text: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """How the built-in model turns a name into an id: the reading tool, its search argument, the fields to show.

    `fixed` are further arguments of the search, `narrowed_by` such arguments whose ids other slots give. What is found
    counts where one of `match_fields` is what the words say; without words (`search_argument` and `match_fields`
    empty) everything found counts. `otherwise` is asked where `tool` is not offered.
    """

    tool: str
    search_argument: str = "q"
    id_field: str = "id"
    name_fields: tuple[str, ...] = ("display_name",)
    match_fields: tuple[str, ...] = ("display_name",)
    fixed: Mapping[str, JsonValue] = field(default_factory=dict)
    narrowed_by: Mapping[str, str] = field(default_factory=dict)
    otherwise: "Reference | None" = None


class SlotKind(StrEnum):
    """What kind of words a slot takes."""

    NAME = "name"
    NAMES = "names"
    PERSON = "person"
    DAY = "day"
    PERIOD = "period"
    COUNT = "count"
    E_MAIL = "e_mail"
    PHONE = "phone"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """What a slot takes and which arguments it fills; without `arguments` the one it is named after.

    `PERSON` fills first and last name, `PERIOD` first and last day. `filter.status` is `status` within `filter`.
    `usual_words` is how many words a name has where two names stand side by side, and nothing parts them.
    """

    kind: SlotKind = SlotKind.NAME
    arguments: tuple[str, ...] = ()
    usual_words: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrasing:
    """Phrases by language, together with arguments that their words alone give, such as `status` by "suspended".

    With `is_shared` they are another tool's on purpose as well, and the person is asked which is meant. With
    `is_second_best` they count only where no other tool is offered that they mean as well.
    """

    english: tuple[str, ...] = ()
    german: tuple[str, ...] = ()
    sets: Mapping[str, JsonValue] = field(default_factory=dict)
    is_shared: bool = False
    is_second_best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Phrases with slots in `{braces}` that mean this tool, by language, for the built-in model.

    `|` parts pieces of a phrase that may stand in any order, `[brackets]` hold a word that may be missing. A slot is an
    argument's name, or one of `slots`; one that is neither an argument nor fills one only helps a reference.
    `variants` are further phrases with fixed arguments, `details` are pieces that may stand beside any phrase.
    `references` says for which slots the words hold a name, not an id.
    """

    english: tuple[str, ...] = ()
    german: tuple[str, ...] = ()
    variants: tuple[Phrasing, ...] = ()
    details: tuple[Phrasing, ...] = ()
    slots: Mapping[str, Slot] = field(default_factory=dict)
    references: Mapping[str, Reference] = field(default_factory=dict)


A = TypeVar("A", bound=ToolArguments)


@dataclass(frozen=True, kw_only=True)
class Tool(Generic[A]):
    """A named action. It declares what guardrails decide on and contains no guardrail.

    `summary` (English) is for the model and the administrator; `title` is a verb phrase such as "Delete group";
    `action` is a sentence with `{subject}`, such as "Delete the group {subject}". All three are message ids.
    `roles` is the widest release. `inner_tools` are the tools a flow, an export or a batch runs indirectly.
    """

    name: str
    title: str
    summary: str
    area: str
    icon: str
    kind: ToolKind
    endpoints: tuple[str, ...]
    arguments: type[A]
    run: Callable[[A, Nova], Awaitable[JsonValue]]
    roles: frozenset[Role] = EVERYONE
    action: str = ""
    show: Callable[[A, Nova], Awaitable[Shown]] | None = None
    is_flow: bool = False
    self_service: bool = False
    inner_tools: tuple[str, ...] = ()
    inner_tools_of: Callable[[A], tuple[str, ...]] | None = None
    phrases: Phrases = field(default_factory=Phrases)
    examples: Mapping[str, Sequence[Example]] = field(default_factory=dict)


AnyTool = Tool[ToolArguments]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool and arguments in canonical form (rule C6); `digest` is equal exactly for equal calls."""

    tool_name: str
    arguments: JsonObject
    canonical: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCall:
    """A call as a model or a person asked for it: nothing parsed, nothing believed.

    `signature` is what a provider wants back with the call, for the model `made_by` alone.
    """

    call_id: CallId
    name: str
    arguments_text: str
    signature: str | None = None
    made_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOffer:
    """A tool as a model is offered it: with the schema it must fill, `confirmed` included where its calls wait."""

    tool: AnyTool
    description: str
    schema: JsonObject
