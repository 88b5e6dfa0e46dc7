"""How assistants are stored, and what a row may be read as (rules B3, B4)."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import Row, bindparam, delete, insert, update
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.assistant import ADMIN_CHAT_KEY, Assistant, AssistantKey, Audience, AudienceKind, ToolList
from nova_ui.domain.assistant_icons import ASSISTANT_ICONS, DEFAULT_ICON
from nova_ui.domain.identity import Language, Role
from nova_ui.errors import AssistantRuleBroken, NovaConflict, NovaNotFound, NovaPreconditionFailed
from storage.chat.tables import AssistantRow

_log = logging.getLogger(__name__)

_ADMIN_CHAT_NAMES: Final = MappingProxyType({Language.ENGLISH: "Admin Chat", Language.GERMAN: "Admin-Chat"})
_ADMINISTRATORS: Final = Audience(kind=AudienceKind.ADMINISTRATORS)
_ALL_TOOLS: Final = ToolList(all_tools=True)
_LAST_POSITION: Final = 100

AnyAssistantRow = AssistantRow | Row[*tuple[Any, ...]]
_TABLE: Final = SQLModel.metadata.tables["assistants"]
_FIND: Final = _TABLE.select().where(_TABLE.c.key == bindparam("key"))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAssistant:
    """An assistant with the version that `If-Match` names; version 0 is the Admin Chat without a row."""

    assistant: Assistant
    version: int
    created_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowAsWritten:
    """What a row says before anything refuses to read it as such: what a check of the guardrails looks at."""

    all_tools: bool
    audience: str
    enabled: bool


class AssistantStore:
    """The assistants, within the caller's transaction.

    Reading never yields more than was allowed to be stored: the Admin Chat is what it must be whatever its row says,
    and exists without a row as well; any other row that breaks a rule is read as disabled, with an empty list.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_all(self) -> tuple[StoredAssistant, ...]:
        """Return every assistant in the order set, disabled ones included."""
        rows = (await self._session.exec(select(AssistantRow))).all()
        found = [_stored(row) for row in rows]
        if not any(one.assistant.is_preset for one in found):
            found.append(_ADMIN_CHAT_WITHOUT_ROW)
        return tuple(sorted(found, key=lambda one: (one.assistant.position, one.assistant.key)))

    async def find(self, key: AssistantKey) -> StoredAssistant | None:
        """Return the assistant called exactly `key`, or None."""
        connection = await self._session.connection()
        return stored_assistant(key, (await connection.execute(_FIND, {"key": key})).one_or_none())

    async def find_as_written(self, key: AssistantKey) -> RowAsWritten | None:
        """Return what the row called exactly `key` says, broken or not; None where there is none."""
        connection = await self._session.connection()
        row = (await connection.execute(_FIND, {"key": key})).one_or_none()
        if row is None:
            return None
        return RowAsWritten(
            all_tools=row.all_tools is True, audience=str(row.audience), enabled=row.enabled is not False
        )

    async def get(self, key: AssistantKey) -> StoredAssistant:
        """Return the assistant called exactly `key`.

        Raises:
            NovaNotFound: there is none.

        """
        found = await self.find(key)
        if found is None:
            raise NovaNotFound("There is no such assistant.")
        return found

    async def save(self, assistant: Assistant, now: datetime, expected_version: int | None = None) -> StoredAssistant:
        """Create or replace the whole row, so that no two halves of a rule are ever written apart (rule B3).

        `expected_version` is the version the change was made from, 0 for one that must not exist yet; None replaces
        whatever is there. The test and the write are one statement.

        Raises:
            NovaPreconditionFailed: the row has another version meanwhile.
            NovaConflict: a new assistant's key is taken.

        """
        row = await self._session.get(AssistantRow, assistant.key, populate_existing=True)
        if row is None:
            if expected_version:
                raise NovaPreconditionFailed("The assistant has changed meanwhile. Read it again.")
            new = {**_values(assistant), "version": 1, "created_at": now, "updated_at": now}
            await self._session.exec(insert(AssistantRow).values(new))
            return await self.get(assistant.key)
        if expected_version == 0:
            raise NovaConflict("An assistant with this key exists already.", field="key")
        version = row.version if expected_version is None else expected_version
        change = update(AssistantRow).where(
            col(AssistantRow.key) == assistant.key, col(AssistantRow.version) == version
        )
        values = {**_values(assistant), "version": version + 1, "updated_at": now}
        done = await self._session.exec(change.values(**values).execution_options(synchronize_session=False))
        if done.rowcount != 1:
            raise NovaPreconditionFailed("The assistant has changed meanwhile. Read it again.")
        return await self.get(assistant.key)

    async def delete(self, key: AssistantKey) -> bool:
        """Delete the assistant; return whether there was one.

        Raises:
            AssistantRuleBroken: it is the Admin Chat (rule B4).

        """
        if key == ADMIN_CHAT_KEY:
            raise AssistantRuleBroken("B4", "admin_chat_stays")
        return (await self._session.exec(delete(AssistantRow).where(col(AssistantRow.key) == key))).rowcount == 1


def stored_assistant(key: AssistantKey, row: AnyAssistantRow | None) -> StoredAssistant | None:
    """Return what the row of the assistant called `key` may be read as; without a row only the Admin Chat exists."""
    if row is not None:
        return _stored(row)
    return _ADMIN_CHAT_WITHOUT_ROW if key == ADMIN_CHAT_KEY else None


def _admin_chat(
    *,
    names: Mapping[Language, str] = _ADMIN_CHAT_NAMES,
    descriptions: Mapping[Language, str] = MappingProxyType({}),
    prompt: str = "",
    starters: Mapping[Language, tuple[str, ...]] = MappingProxyType({}),
    model: str | None = None,
    fall_back: tuple[str, ...] | None = None,
    button_only: bool = False,
    type_name_for: frozenset[str] = frozenset(),
    ask_before_changes: bool = False,
    position: int = 0,
    icon: str = DEFAULT_ICON,
    temperature: float | None = None,
) -> Assistant:
    return Assistant(
        key=ADMIN_CHAT_KEY,
        names=names or _ADMIN_CHAT_NAMES,
        descriptions=descriptions,
        prompt=prompt,
        tools=_ALL_TOOLS,
        audience=_ADMINISTRATORS,
        starters=starters,
        model=model,
        fall_back=fall_back,
        button_only=button_only,
        type_name_for=type_name_for,
        ask_before_changes=ask_before_changes,
        position=position,
        icon=icon,
        temperature=temperature,
    )


_ADMIN_CHAT_WITHOUT_ROW: Final = StoredAssistant(assistant=_admin_chat(), version=0)


def _stored(row: AnyAssistantRow) -> StoredAssistant:
    return StoredAssistant(
        assistant=_read(row), version=row.version, created_at=row.created_at, updated_at=row.updated_at
    )


def _read(row: AnyAssistantRow) -> Assistant:
    names, descriptions, starters = _texts(row.names), _texts(row.descriptions), _starters(row.starters)
    if row.key == ADMIN_CHAT_KEY:
        return _admin_chat(
            names=names,
            descriptions=descriptions,
            prompt=_text(row.prompt),
            starters=starters,
            model=row.model,
            fall_back=_order(row.fall_back),
            button_only=row.button_only is not False,
            type_name_for=_names(row.type_name_for),
            ask_before_changes=row.ask_before_changes is not False,
            position=_position(row.position),
            icon=_icon(row.icon),
            temperature=_temperature(row.temperature),
        )
    try:
        tools, audience = _tools(row), _audience(row)
        return Assistant(
            key=AssistantKey(row.key),
            names=names,
            descriptions=descriptions,
            prompt=_text(row.prompt),
            tools=tools,
            audience=audience,
            starters=starters,
            model=row.model,
            fall_back=_order(row.fall_back),
            button_only=row.button_only is not False,
            type_name_for=frozenset(_strings(row.type_name_for)),
            ask_before_changes=row.ask_before_changes is not False,
            enabled=row.enabled is True,
            position=_position(row.position),
            icon=_icon(row.icon),
            temperature=_temperature(row.temperature),
        )
    except (AssistantRuleBroken, ValueError, TypeError):
        _log.exception("assistant.row_broken", extra={"assistant": row.key})
        return Assistant(
            key=AssistantKey(row.key),
            names=names,
            descriptions=descriptions,
            prompt="",
            tools=ToolList(),
            audience=_ADMINISTRATORS,
            enabled=False,
        )


def _tools(row: AnyAssistantRow) -> ToolList:
    return ToolList(all_tools=row.all_tools is True, names=frozenset(_strings(row.tool_names)))


def _audience(row: AnyAssistantRow) -> Audience:
    roles = frozenset(Role(role) for role in _strings(row.audience_roles))
    group_ids = frozenset(_strings(row.audience_group_ids))
    return Audience(kind=AudienceKind(row.audience), roles=roles, group_ids=group_ids)


def _strings(stored: object) -> list[str]:
    if not isinstance(stored, list) or not all(isinstance(one, str) for one in stored):
        raise TypeError("not a list of texts")
    return stored


def _names(stored: object) -> frozenset[str]:
    """Return the texts of a list; the Admin Chat stays usable whatever its row holds (rule B4)."""
    return frozenset(one for one in stored if isinstance(one, str)) if isinstance(stored, list) else frozenset()


def _order(stored: object) -> tuple[str, ...] | None:
    """Return the names of an own order; one that can't be read asks nobody else, rather than more than was meant."""
    if stored is None:
        return None
    return tuple(one for one in stored if isinstance(one, str)) if isinstance(stored, list) else ()


def _position(stored: object) -> int:
    return stored if isinstance(stored, int) else _LAST_POSITION


def _icon(stored: object) -> str:
    return stored if isinstance(stored, str) and stored in ASSISTANT_ICONS else DEFAULT_ICON


def _temperature(stored: object) -> float | None:
    return float(stored) if isinstance(stored, int | float) and not isinstance(stored, bool) else None


def _text(stored: object) -> str:
    return stored if isinstance(stored, str) else ""


def _texts(stored: object) -> Mapping[Language, str]:
    if not isinstance(stored, dict):
        return MappingProxyType({})
    return MappingProxyType(
        {language: text for language in Language if isinstance(text := stored.get(language.value), str) and text}
    )


def _starters(stored: object) -> Mapping[Language, tuple[str, ...]]:
    if not isinstance(stored, dict):
        return MappingProxyType({})
    found = {language: stored.get(language.value) for language in Language}
    return MappingProxyType(
        {language: tuple(map(str, texts)) for language, texts in found.items() if isinstance(texts, list)}
    )


def _values(assistant: Assistant) -> dict[str, object]:
    return {
        "key": assistant.key,
        "names": {language.value: text for language, text in assistant.names.items()},
        "descriptions": {language.value: text for language, text in assistant.descriptions.items()},
        "prompt": assistant.prompt,
        "starters": {language.value: list(texts) for language, texts in assistant.starters.items()},
        "all_tools": assistant.tools.all_tools,
        "tool_names": sorted(assistant.tools.names),
        "audience": assistant.audience.kind.value,
        "audience_roles": sorted(role.value for role in assistant.audience.roles),
        "audience_group_ids": sorted(assistant.audience.group_ids),
        "model": assistant.model,
        "fall_back": None if assistant.fall_back is None else list(assistant.fall_back),
        "button_only": assistant.button_only,
        "type_name_for": sorted(assistant.type_name_for),
        "ask_before_changes": assistant.ask_before_changes,
        "enabled": assistant.enabled,
        "position": assistant.position,
        "icon": assistant.icon,
        "temperature": assistant.temperature,
    }
