"""An assistant while an administrator edits it."""

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from nova_ui.domain.assistant import ADMIN_CHAT_KEY, AudienceKind
from nova_ui.domain.assistant_icons import DEFAULT_ICON
from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.presenters.fields import rows_in, text_at

MAX_KEY_CHARS: Final = 32
_NOT_IN_KEYS: Final = re.compile(r"[^a-z0-9]+")


@dataclass(kw_only=True)
class AssistantDraft:
    """What stands in the form; `etag` is the stored version it was made from, None for a new one."""

    key: str = field(default="")  # no message, so not written as the errors write theirs
    names: dict[Language, str] = field(default_factory=lambda: dict.fromkeys(Language, ""))
    descriptions: dict[Language, str] = field(default_factory=lambda: dict.fromkeys(Language, ""))
    starters: dict[Language, str] = field(default_factory=lambda: dict.fromkeys(Language, ""))
    prompt: str = ""
    model: str | None = None
    fall_back: list[str] | None = None
    audience: AudienceKind = AudienceKind.ADMINISTRATORS
    audience_roles: set[Role] = field(default_factory=set)
    audience_groups: dict[str, str] = field(default_factory=dict)  # id to name; a deleted group has an empty one
    all_tools: bool = False
    tool_names: set[str] = field(default_factory=set)
    button_only: bool = False
    type_name_for: set[str] = field(default_factory=set)
    ask_before_changes: bool = False
    enabled: bool = True
    icon: str = DEFAULT_ICON
    temperature: float | None = None
    etag: str | None = None

    @property
    def is_new(self) -> bool:
        """Whether nothing is stored yet."""
        return self.etag is None

    @property
    def is_preset(self) -> bool:
        """Whether this is the Admin Chat, whose tool list and audience are fixed (rule B4)."""
        return self.key == ADMIN_CHAT_KEY and not self.is_new

    @property
    def breaks_b3(self) -> bool:
        """Whether all tools are released beyond administrators, which Nova will refuse."""
        return self.all_tools and self.audience is not AudienceKind.ADMINISTRATORS

    def copied(self) -> "AssistantDraft":
        """Return a form with the same content, to be stored under a key of its own."""
        return AssistantDraft(
            names=dict(self.names),
            descriptions=dict(self.descriptions),
            starters=dict(self.starters),
            prompt=self.prompt,
            model=self.model,
            fall_back=None if self.fall_back is None else list(self.fall_back),
            audience=self.audience,
            audience_roles=set(self.audience_roles),
            audience_groups={key: name for key, name in self.audience_groups.items() if name},
            all_tools=self.all_tools,
            tool_names=set(self.tool_names),
            button_only=self.button_only,
            type_name_for=set(self.type_name_for),
            ask_before_changes=self.ask_before_changes,
            enabled=self.enabled,
            icon=self.icon,
            temperature=self.temperature,
        )

    def body(self) -> JsonObject:
        """Return what is sent to store it."""
        roles = sorted(role.value for role in self.audience_roles) if self.audience is AudienceKind.ROLES else []
        groups = sorted(self.audience_groups) if self.audience is AudienceKind.GROUPS else []
        tool_names = [] if self.all_tools else sorted(self.tool_names)
        sent: JsonObject = {
            "names": _filled(self.names),
            "descriptions": _filled(self.descriptions),
            "starters": {
                language.value: [line.strip() for line in text.splitlines() if line.strip()]
                for language, text in self.starters.items()
            },
            "prompt": self.prompt,
            "model": self.model,
            "fall_back": None if self.fall_back is None else [*self.fall_back],
            "audience": self.audience.value,
            "audience_roles": [*roles],
            "audience_group_ids": [*groups],
            "all_tools": self.all_tools,
            "tool_names": [*tool_names],
            "button_only": self.button_only,
            "type_name_for": [*sorted(self.type_name_for)],
            "ask_before_changes": self.ask_before_changes,
            "enabled": self.enabled,
            "icon": self.icon,
            "temperature": self.temperature,
        }
        return {"key": self.key.strip(), **sent} if self.is_new else sent


def key_from(name: str) -> str:
    """Return a key that reads like `name`, or nothing if no letter of it can stand in a key."""
    spelled = name.lower().translate({0xE4: "ae", 0xF6: "oe", 0xFC: "ue", 0xDF: "ss"})
    plain = "".join(one for one in unicodedata.normalize("NFKD", spelled) if not unicodedata.combining(one))
    return _NOT_IN_KEYS.sub("-", plain).lstrip("-0123456789")[:MAX_KEY_CHARS].strip("-")


def free_key(key: str, taken: Collection[str]) -> str:
    """Return `key`, or with a number behind it if it is taken."""
    if key not in taken:
        return key
    numbered = (f"{key[: MAX_KEY_CHARS - len(str(number)) - 1]}-{number}" for number in range(2, len(taken) + 3))
    return next(one for one in numbered if one not in taken)


def read_draft(value: JsonObject, etag: str | None) -> AssistantDraft:
    """Read a stored assistant into a form."""
    return AssistantDraft(
        key=str(value.get("key") or ""),
        names=_texts(value.get("names")),
        descriptions=_texts(value.get("descriptions")),
        starters={language: "\n".join(lines) for language, lines in _lists(value.get("starters")).items()},
        prompt=str(value.get("prompt") or ""),
        model=text_at(value, "model") or None,
        fall_back=[str(one) for one in given] if isinstance(given := value.get("fall_back"), list) else None,
        audience=AudienceKind(str(value.get("audience"))),
        audience_roles={Role(str(role)) for role in _list(value.get("audience_roles"))},
        audience_groups=_groups(value),
        all_tools=value.get("all_tools") is True,
        tool_names={str(name) for name in _list(value.get("tool_names"))},
        button_only=value.get("button_only") is True,
        type_name_for={str(name) for name in _list(value.get("type_name_for"))},
        ask_before_changes=value.get("ask_before_changes") is True,
        enabled=value.get("enabled") is not False,
        icon=text_at(value, "icon") or DEFAULT_ICON,
        temperature=_number(value.get("temperature")),
        etag=etag,
    )


def _filled(texts: Mapping[Language, str]) -> JsonObject:
    return {language.value: " ".join(text.split()) for language, text in texts.items() if text.strip()}


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _number(value: JsonValue) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _groups(value: JsonObject) -> dict[str, str]:
    named = {text_at(one, "id"): text_at(one, "display") for one in rows_in(value, "audience_groups")}
    return {str(one): named.get(str(one), "") for one in _list(value.get("audience_group_ids"))}


def _texts(value: JsonValue) -> dict[Language, str]:
    given = value if isinstance(value, dict) else {}
    return {language: str(given.get(language.value) or "") for language in Language}


def _lists(value: JsonValue) -> dict[Language, list[str]]:
    given = value if isinstance(value, dict) else {}
    return {language: [str(line) for line in _list(given.get(language.value))] for language in Language}
