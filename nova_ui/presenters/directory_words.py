"""Values of Nova's objects in words: states, kinds, sources, risks, and why somebody holds a right."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.i18n.nova_words import VALUE_WORDS
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.field_words import STATE_TONES, field_label, field_value
from nova_ui.presenters.fields import Field, Shown, refs_at, text_at
from nova_ui.presenters.own_settings import browser_name
from nova_ui.presenters.routine_words import ACTIONS, RECIPIENTS, STEP_STATES, TYPES
from nova_ui.presenters.schedule_words import schedule_words
from nova_ui.presenters.visible import show_invisible, value_text

EXCERPT_CHARS: Final = 120
NOTHING: Final = "–"

IDENTITY_STATUS: Final = {key: VALUE_WORDS[key] for key in ("active", "staged", "suspended", "disabled", "archived")}
USER_TYPES: Final = {key: VALUE_WORDS[key] for key in ("employee", "contractor", "external", "service")}
STORED_ROLES: Final = {"administrator": mark("Administrator"), "auditor": mark("Auditor")}
ROLE_STATUS: Final = {"draft": mark("draft"), "active": mark("active"), "retired": mark("retired")}
RISKS: Final = {"low": mark("low"), "medium": mark("medium"), "high": mark("high"), "critical": mark("critical")}
APPROVALS: Final = {
    "none": mark("no approval"),
    "manager": mark("the manager"),
    "owner": mark("the role's owner"),
    "manager_then_owner": mark("the manager, then the role's owner"),
}
APPLICATION_STATUS: Final = {"draft": mark("draft"), "enabled": mark("enabled"), "disabled": mark("disabled")}
CONNECTIONS: Final = {"oidc": mark("OIDC"), "scim": mark("SCIM"), "ldap": mark("LDAP"), "none": mark("none")}
CONNECTION_STATES: Final = {"untested": mark("untested"), "ok": mark("ok"), "failing": mark("failing")}
PROVISIONING: Final = {"manual": mark("by hand"), "automatic": mark("automatic")}
GRANTS: Final = {
    "authorization_code": mark("Authorization code"),
    "refresh_token": mark("Refresh token"),
    "client_credentials": mark("Client credentials"),
    "urn:ietf:params:oauth:grant-type:device_code": mark("Device code"),
}
METHODS: Final = {
    "client_secret_basic": mark("by its secret, in a header"),
    "client_secret_post": mark("by its secret, in the form"),
    "none": mark("not at all (public client)"),
}
AUTHENTICATIONS: Final = {"bearer": mark("Bearer token"), "oauth": mark("OAuth access token")}
SOURCES: Final = {"nova": mark("Nova"), "connector": mark("a connector")}
SESSION_STATUS: Final = {"active": mark("active"), "ended": mark("ended")}
MEMBERSHIPS: Final = {"manual": mark("by hand"), "rule": mark("by rule")}
LANGUAGES: Final = {"en": mark("English"), "de": mark("German")}
REQUEST_ACTIONS: Final = {"grant": mark("grant"), "extend": mark("extend"), "revoke": mark("take away")}

_WORDS: Final[Mapping[str, str]] = {
    **{key: word for key, word in STEP_STATES.items() if key in {"running", "stopped", "done"}},
    **VALUE_WORDS,
    **STORED_ROLES,
    **ROLE_STATUS,
    **RISKS,
    **APPLICATION_STATUS,
    **SOURCES,
    **SESSION_STATUS,
    **LANGUAGES,
    "rule": MEMBERSHIPS["rule"],
    "manual": MEMBERSHIPS["manual"],
    "discovered": mark("found, not adopted"),
    "managed": mark("in use"),
    "gone": mark("gone"),
    "scheduled": mark("scheduled"),
    "submitted": mark("submitted"),
    "provisioning": mark("being carried out"),
    "completed": mark("completed"),
    "failed": mark("failed"),
    "waiting": mark("waits for the step before"),
    "open": mark("open"),
    "skipped": mark("no longer needed"),
    "direct": mark("granted directly"),
    "request": mark("requested"),
    "birthright": mark("comes by a rule"),
    "group": mark("comes with a group"),
    "routine": mark("granted by a routine"),
    "review": mark("kept by a review"),
    "pwd": mark("password"),
    "otp": mark("authenticator app"),
}
_RUNS: Final = {"done": mark("done"), "running": mark("running"), "stopped": mark("stopped"), **_WORDS}
_BY_FIELD: Final[Mapping[str, Mapping[str, str]]] = {
    "approval": APPROVALS,
    "action": REQUEST_ACTIONS,
    "type": TYPES,
    "recipients": RECIPIENTS,
    "connection": CONNECTIONS,
    "grant_types": GRANTS,
    "token_endpoint_auth_method": METHODS,
    "auth": AUTHENTICATIONS,
    "cause": {"schedule": mark("by schedule"), "manual": mark("begun by hand")},
    "methods": {**_WORDS, "ai_routine": mark("AI routine assistant")},
    "mfa_methods": {"totp": mark("authenticator app"), "recovery_code": mark("recovery codes")},
    "last_run_status": _RUNS,
    "status": _RUNS,
}
_LABELS: Final = {
    "identity": mark("Identity"),
    "role": mark("Role"),
    "application": mark("Application"),
}
_GRANTED: Final = {"direct": mark("Granted by {name}"), "request": mark("Requested, and approved by {name}")}
_CAUSES: Final = {
    "direct": mark("Granted directly"),
    "request": mark("Requested and approved"),
    "birthright": mark("Comes by the rule of the role"),
    "routine": mark("Granted by a lifecycle routine"),
    "review": mark("Kept by an access review"),
}
TONES: Final[Mapping[str, str]] = {
    **STATE_TONES,
    "enabled": "read",
    "managed": "read",
    "discovered": "write",
    "gone": "destructive",
    "done": "read",
    "running": "write",
    "stopped": "write",
    "completed": "read",
    "submitted": "write",
    "open": "write",
    "waiting": "plain",
    "scheduled": "write",
    "provisioning": "write",
    "failed": "destructive",
    "high": "write",
    "critical": "destructive",
}


def label_of(field: Field, tr: Translator) -> str:
    """Return the word for a field."""
    label = field.label or _LABELS.get(field.name, "")
    return tr(label) if label else field_label(field.name, tr)


def word_for(name: str, value: str, tr: Translator) -> str:
    """Return one value of a closed list in words; one that we do not know stays as it is."""
    word = _BY_FIELD.get(name, _WORDS).get(value)
    return tr(word) if word else value_text(value)


def text_of_field(field: Field, one: JsonObject, tr: Translator) -> str:
    """Return a field of an object as plain text, a dash where there is nothing."""
    value = field.value_in(one)
    if value is None or value in ("", []):
        return NOTHING
    match field.shown:
        case Shown.DAY | Shown.MOMENT:
            text = _time_text(field.shown, value, tr)
        case Shown.WORD | Shown.STATE:
            values = value if isinstance(value, list) else [value]
            text = ", ".join(word_for(field.name, str(each), tr) for each in values)
        case Shown.OBJECT | Shown.OBJECTS:
            text = ", ".join(refs_at(one, field.path or field.name).values()) or NOTHING
        case Shown.LITERALS if isinstance(value, list):
            text = "\n".join(value_text(each) for each in value)
        case Shown.SECRET:
            text = _secret_text(value, tr)
        case Shown.SENTENCE | Shown.SCHEDULE | Shown.EXCERPT | Shown.COUNTS:
            text = _made_text(field.shown, value, one, tr) or NOTHING
        case Shown.BROWSER:
            text = value_text(browser_name(str(value)))
        case Shown.NUMBER if isinstance(value, int):
            text = tr.number(value)
        case _:
            text = field_value("", value, tr)
    return text


def _made_text(shown: Shown, value: JsonValue, one: JsonObject, tr: Translator) -> str:
    if shown is Shown.COUNTS and isinstance(value, dict):
        counts = {key: count for key, count in value.items() if isinstance(count, int)}
        return "\n".join(f"{tr(ACTIONS.get(key, key))}: {tr.number(count)}" for key, count in counts.items())
    if shown is Shown.SCHEDULE:
        return schedule_words(str(value), text_at(one, "timezone") or "UTC", tr)
    if shown is Shown.SENTENCE:
        return tr(str(value))
    words = value_text(" ".join(str(value).split()))
    return words if len(words) <= EXCERPT_CHARS else f"{words[: EXCERPT_CHARS - 1]}…"


def tone_of(value: JsonValue) -> str:
    """Return the tone in which a state is shown."""
    return TONES.get(value, "plain") if isinstance(value, str) else "plain"


def moment_in(text: JsonValue) -> datetime | None:
    """Return a moment of Nova's, or None for what is none."""
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def why_text(item: JsonObject, groups: Mapping[str, str], tr: Translator) -> str:
    """Return in one sentence why somebody holds a right; `groups` are the names of that person's groups."""
    since = moment_in(item.get("valid_from"))
    text = _cause(item, groups, tr)
    return tr("{cause}, since {day}", cause=text, day=since.date()) if since is not None else text


def _cause(item: JsonObject, groups: Mapping[str, str], tr: Translator) -> str:
    source, source_id = text_at(item, "source"), text_at(item, "source_id")
    granter = text_at(item, "granted_by.display_name")
    if granter and source in _GRANTED:
        return tr(_GRANTED[source], name=granter)
    if source == "group":
        return tr("Comes with the group {group}", group=groups.get(source_id, source_id))
    if source == "birthright" and (rule := text_at(item, "rule")):
        return tr("Comes by the rule of the role: {rule}", rule=show_invisible(rule))
    return tr(_CAUSES[source]) if source in _CAUSES else value_text(source)


def _time_text(shown: Shown, value: JsonValue, tr: Translator) -> str:
    if shown is Shown.DAY and isinstance(value, str) and len(value) == len("2026-11-30"):
        try:
            return tr.day(date.fromisoformat(value))
        except ValueError:
            return value_text(value)
    moment = moment_in(value)
    if moment is None:
        return value_text(value)
    return tr.day(moment) if shown is Shown.DAY else tr.moment(moment)


def _secret_text(value: JsonValue, tr: Translator) -> str:
    if not isinstance(value, dict) or value.get("set") is not True:
        return tr("not set")
    since = moment_in(value.get("updated_at"))
    return tr("set on {day}", day=since.date()) if since is not None else tr("set")
