"""What a guardrail looks like with its condition taken away: stand-ins that faults are planted with."""

import dataclasses
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from nova_ui.api.caller import _delegated
from nova_ui.auth.session import Sessions
from nova_ui.chat.accept import Acceptance
from nova_ui.chat.history import ChatHistory
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.canonical import parse_arguments
from nova_ui.domain.chat import Turn
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import Preview
from nova_ui.domain.tool import NovaAnswer, ToolArguments, ToolKind
from nova_ui.errors import NovaForbidden, NovaNotFound
from nova_ui.guardrails import preview as previews
from nova_ui.guardrails import tool_list
from nova_ui.guardrails.admission import Admitted, admit
from nova_ui.guardrails.agreement import Reply, classify_reply
from nova_ui.guardrails.confirmation import check_confirmation
from nova_ui.guardrails.passage import Passage
from nova_ui.guardrails.refusal import Refusal
from nova_ui.nova_client.client import NovaDoor
from nova_ui.nova_client.origin import Origin, delegation_of
from nova_ui.self_test.organisation import MARKER
from storage.chat.chats import ChatTable, _chat
from storage.chat.tables import ChatRow
from storage.nova.audit import NewEntry, append
from tests.self_test.subjects import OPEN, TOOLS

Patches = Mapping[str, Any]


def nothing(*_: object, **__: object) -> None:
    return None


async def nothing_async(*_: object, **__: object) -> None:
    return None


def as_it_is(value: Any, *_: object, **__: object) -> Any:  # noqa: ANN401
    return value


def destructive_only(one: Any, **_: object) -> bool:  # noqa: ANN401
    return one.kind is ToolKind.DESTRUCTIVE


def tool(name: str, **more: object) -> dict[str, Any]:
    return {name: dataclasses.replace(TOOLS[name], **more)}  # type: ignore[arg-type]


async def from_elsewhere(*_: object) -> JsonValue:
    return {"items": [{"id": MARKER}]}


def remembered(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    known: dict[str, Any] = {}

    async def remember(self: Sessions, session_id: str, **more: Any) -> Any:  # noqa: ANN401
        found = await method(self, session_id, **more)
        if found is not None:
            known[session_id] = found
        return known.get(session_id)

    return remember


def forgiving(name: str, tools: Any, situation: Any, *, read_only: bool | None = None) -> Admitted | Refusal:  # noqa: ANN401
    if read_only is not False:
        return admit(name, tools, situation)
    return Admitted(
        tool=tools[name], identity=situation.turn.identity, assistant=situation.assistant, situation=situation
    )


def at_once(name: str, tools: Any, assistant: Any, _released: frozenset[str]) -> Refusal | None:  # noqa: ANN401
    return tool_list.check_released(name, tools, assistant, frozenset(tools))


_ASKED = Passage.ask


async def by_likeness(self: Passage, raw: Any, *, by_person: bool) -> Any:  # noqa: ANN401
    plain = raw.name.strip().lower().replace("-", "_")
    return await _ASKED(self, dataclasses.replace(raw, name=plain), by_person=by_person)


async def without_card(self: Passage, wish: Any, _because: str | None = None) -> Any:  # noqa: ANN401
    return await self._run(wish.tool, wish.call)


async def unchecked_card(self: Passage, raw: Any, *, by_person: bool) -> Any:  # noqa: ANN401
    cleaned = {name: value for name, value in json.loads(raw.arguments_text).items() if name != "as"}
    return await _ASKED(self, dataclasses.replace(raw, arguments_text=json.dumps(cleaned)), by_person=by_person)


def same_call(preview: Preview, _call: object, turn: Turn, now: Any) -> Refusal | None:  # noqa: ANN401
    return check_confirmation(preview, preview.call, turn, now)


def any_number(preview: Preview, call: Any, turn: Turn, now: Any) -> Refusal | None:  # noqa: ANN401
    return check_confirmation(preview, call, dataclasses.replace(turn, number=preview.turn_number + 1), now)


async def quiet_look(show: Any, call: Any, secret_fields: Any) -> Any:  # noqa: ANN401
    return dataclasses.replace(await previews.look(show, call, secret_fields), consequences=(), changes=())


async def blind_look(show: Any, call: Any, secret_fields: Any) -> Any:  # noqa: ANN401
    return dataclasses.replace(await previews.look(show, call, secret_fields), current_state=None)


async def none_closed(*_: object) -> list[Any]:
    return []


def no_is_yes(text: str) -> Reply:
    found = classify_reply(text)
    return Reply.AGREES if found is Reply.REFUSES else found


def by_header(scope: Any) -> Any:  # noqa: ANN401
    found, headers = delegation_of(scope), dict(scope.get("headers", ()))
    said = headers.get(b"x-nova-origin", b"").decode()
    if found is None or not said:
        return found
    key = AssistantKey(said.partition(":")[2])
    return dataclasses.replace(found, origin=Origin(assistant_key=key) if key else Origin())


async def not_for_chats(request: Any, sessions: Any, delegation: Any) -> Any:  # noqa: ANN401
    if delegation.origin.is_chat:
        raise NovaForbidden("Not from here.")
    return await _delegated(request, sessions, delegation)


_ACCEPT = Acceptance._accept


async def noted(self: Acceptance, session: Any, sending: Any) -> Any:  # noqa: ANN401
    await append(session, NewEntry(time=self._clock.now(), action="chat.message"))
    return await _ACCEPT(self, session, sending)


async def without_mark(session: Any, entry: NewEntry) -> str:  # noqa: ANN401
    return await append(session, dataclasses.replace(entry, via=None))


def passes(self: Any, _row: object) -> bool:  # noqa: ANN401
    self.count += 1
    return True


async def any_owner(self: ChatTable, _owner: object, chat_id: str) -> Any:  # noqa: ANN401
    row = await self._session.get(ChatRow, chat_id)
    return None if row is None else _chat(row)


async def not_there(*_: object) -> None:
    raise NovaNotFound("Gone.")


async def any_chat(_self: ChatHistory, session: Any, owner: Any, chat_id: Any) -> Any:  # noqa: ANN401
    chat = await ChatTable(session).find(owner.id, chat_id)
    if chat is None:
        raise NovaNotFound("There is no such chat.")
    return chat, OPEN.assistant


async def unguarded(action: Callable[[], Awaitable[Any]], *_: object, **__: object) -> Any:  # noqa: ANN401
    return await action()


class Loose(ToolArguments):
    identity_id: str


async def get_loosely(arguments: Loose, nova: Any) -> JsonValue:  # noqa: ANN401
    answer: NovaAnswer = await nova.call("GET /identities/{identity_id}", path={"identity_id": arguments.identity_id})
    return answer.body


def any_path(endpoint: Any, values: Mapping[str, str]) -> str:  # noqa: ANN401
    return str(endpoint.template.format(**{name: value.strip() or "x" for name, value in values.items()}))


_OPENED = NovaDoor.open
FIRST: list[Any] = []


def first_caller(self: NovaDoor, caller: Any, origin: Origin) -> Any:  # noqa: ANN401
    if origin.via is not None and not FIRST:
        FIRST.append(caller)
    return _OPENED(self, FIRST[0] if origin.via is not None else caller, origin)


def repaired(text: str) -> Any:  # noqa: ANN401
    found = parse_arguments(text)
    return found if isinstance(found, dict) else {}


class WithPassword(ToolArguments):
    group_id: str
    password: str = ""
