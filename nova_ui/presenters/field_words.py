"""What Nova's fields, states and kinds of objects are called by people."""

from collections.abc import Callable, Mapping
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.text import mark
from nova_ui.i18n.nova_words import FIELD_WORDS, VALUE_WORDS
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.visible import value_text

STATE_TONES: Final[Mapping[str, str]] = {
    "active": "read",
    "approved": "read",
    "ok": "read",
    "untested": "write",
    "failing": "destructive",
    "staged": "plain",
    "pending": "write",
    "suspended": "write",
    "disabled": "destructive",
    "denied": "destructive",
    "expired": "destructive",
    "revoked": "destructive",
    "archived": "plain",
}
STATE_FIELDS: Final = frozenset({"status", "state"})
_WORDED_FIELDS: Final = STATE_FIELDS | {
    "membership",
    "user_type",
    "type",
    "outcome",
    "risk",
    "source",
    "approval",
    "decision",
    "group_by",
    "whose",
    "resource",
    "format",
    "preferred_language",
    "language",
    "theme",
    "nova_role",
    "connection_state",
    "provisioning",
    "report",
    "method",
    "methods",
}

Counted = Callable[[Translator, int], str]
EFFECT_WORDS: Final[Mapping[str, Counted]] = {
    "account": lambda tr, n: tr.plural("{count} account", "{count} accounts", n),
    "assignment": lambda tr, n: tr.plural("{count} role assignment", "{count} role assignments", n),
    "membership": lambda tr, n: tr.plural("{count} group membership", "{count} group memberships", n),
    "session": lambda tr, n: tr.plural("{count} session", "{count} sessions", n),
    "access_request": lambda tr, n: tr.plural("{count} open request", "{count} open requests", n),
    "approval": lambda tr, n: tr.plural("{count} approval", "{count} approvals", n),
    "identity": lambda tr, n: tr.plural("{count} identity", "{count} identities", n),
    "group": lambda tr, n: tr.plural("{count} group", "{count} groups", n),
    "role": lambda tr, n: tr.plural("{count} role", "{count} roles", n),
    "application": lambda tr, n: tr.plural("{count} application", "{count} applications", n),
    "chat": lambda tr, n: tr.plural("{count} chat", "{count} chats", n),
    "report": lambda tr, n: tr.plural("{count} direct report", "{count} direct reports", n),
    "assignment_end": lambda tr, n: tr.plural("{count} role that ends", "{count} roles that end", n),
    "ended_assignment": lambda tr, n: tr.plural("{count} ended assignment", "{count} ended assignments", n),
    "ai_routine_run": lambda tr, n: tr.plural("{count} run", "{count} runs", n),
    "assistant": lambda tr, n: tr.plural("{count} assistant", "{count} assistants", n),
    "notification": lambda tr, n: tr.plural("{count} person is told", "{count} people are told", n),
    "personal_field": lambda tr, n: tr.plural("{count} personal detail", "{count} personal details", n),
    "entitlement": lambda tr, n: tr.plural("{count} entitlement", "{count} entitlements", n),
    "connection": lambda tr, n: tr.plural("{count} connection", "{count} connections", n),
    "holder": lambda tr, n: tr.plural("{count} person loses access", "{count} people lose access", n),
    "sign_in": lambda tr, _: tr("Signing in through Nova stops"),
    "synchronisation": lambda tr, _: tr("Synchronisation stops"),
    "export": lambda tr, n: tr.plural("{count} export", "{count} exports", n),
}

RESULT_WORDS: Final[Mapping[str, str]] = {
    "added": mark("added"),
    "granted": mark("granted"),
    "requested": mark("requested"),
    "revoked": mark("revoked"),
    "removed": mark("removed"),
    "deleted": mark("deleted"),
    "ended": mark("ended"),
    "closed": mark("no longer open to its members"),
    "ends": mark("ending later"),
    "kept": mark("unchanged"),
    "cancelled": mark("cancelled"),
    "transferred": mark("transferred"),
    "passed_on": mark("passed on"),
    "stopped": mark("stopped"),
    "locked_out": mark("locked out"),
    "retired": mark("retired"),
    "reduced": mark("reduced"),
    "sent": mark("by a message"),
    "gains": mark("gaining rights"),
    "loses": mark("losing rights"),
    "approved": mark("approved"),
    "denied": mark("denied"),
    "refused": mark("not possible"),
    "completed": mark("carried out"),
    "failed": mark("not possible any more"),
}


def result_word(result: str, tr: Translator) -> str:
    """Return what becomes of something, or an empty text where it is not known."""
    word = RESULT_WORDS.get(result)
    return tr(word) if word else result.replace("_", " ")


def field_label(name: str, tr: Translator) -> str:
    """Return the word for a field; one that has none is shown by its own name, its underscores as spaces."""
    word = FIELD_WORDS.get(name)
    return tr(word) if word else name.replace("_", " ")


def has_words(name: str) -> bool:
    """Whether the values of this field are fixed ones of Nova's, which have words."""
    return name in _WORDED_FIELDS


def value_word(value: str, tr: Translator) -> str:
    """Return the word for one of Nova's fixed values; one that has none is shown as it is, underscores as spaces."""
    word = VALUE_WORDS.get(value)
    return tr(word) if word else value.replace("_", " ")


def field_value(name: str, value: JsonValue, tr: Translator) -> str:
    """Return the value of a field in words where there are words, else in full as plain text."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if value is None:
        return "–"
    if name in _WORDED_FIELDS and isinstance(value, str) and value in VALUE_WORDS:
        return tr(VALUE_WORDS[value])
    if isinstance(value, dict):
        shown = value.get("display_name") or value.get("name")
        return value_text(shown) if isinstance(shown, str) else value_text(value)
    if isinstance(value, list):
        return ", ".join(field_value(name, item, tr) for item in value)
    return value_text(value)


def effect_text(kind: str, count: int, tr: Translator) -> str:
    """Return what goes with an action in words, such as 4 accounts."""
    counted = EFFECT_WORDS.get(kind)
    return counted(tr, count) if counted else f"{tr.number(count)} × {kind.replace('_', ' ')}"
