"""Answers the built-in model's look-ups from the sample organisation, in the shape of the tools' results."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.nova.sample_organisation.applications import _APPLICATIONS
from nova_ui.nova.sample_organisation.catalogue import BUNDLES
from nova_ui.nova.sample_organisation.entitlement_list import ENTITLEMENTS
from nova_ui.nova.sample_organisation.groups import _GROUPS
from nova_ui.nova.sample_organisation.people import make_people
from nova_ui.nova.sample_organisation.seeds import sample_id

NOW: Final = datetime(2026, 3, 18, 9, 30, tzinfo=UTC)
PEOPLE: Final = make_people(NOW, "no hash")


def _person(name: str) -> JsonObject:
    row = PEOPLE[name]
    emails: list[JsonValue] = [email["value"] for email in row.emails]
    return {
        "id": row.id,
        "display_name": row.display_name or f"{row.given_name} {row.family_name}",
        "user_name": row.user_name,
        "department": row.department,
        "status": row.status,
        "emails": emails,
    }


def _people(arguments: JsonObject) -> list[JsonObject]:
    wanted = str(arguments.get("q", "")).casefold()
    found = [_person(name) for name in PEOPLE]
    found = [person for person in found if wanted in f"{person['display_name']} {person['user_name']}".casefold()]
    if "department" in arguments:
        found = [person for person in found if person["department"] == arguments["department"]]
    return found


def _groups(arguments: JsonObject) -> list[JsonObject]:
    wanted = str(arguments.get("q", "")).casefold()
    rows: list[JsonObject] = [
        {"id": sample_id("grp", group.name), "display_name": group.name, "description": group.description}
        for group in _GROUPS
    ]
    return [row for row in rows if wanted in f"{row['display_name']} {row['description']}".casefold()]


def _roles(arguments: JsonObject) -> list[JsonObject]:
    wanted = str(arguments.get("q", "")).casefold()
    rows: list[JsonObject] = [
        {
            "id": sample_id("rol", role.key),
            "role_id": sample_id("rol", role.key),
            "display_name": role.name,
            "key": role.key,
        }
        for role in BUNDLES
    ]
    return [row for row in rows if wanted in f"{row['display_name']} {row['key']}".casefold()]


def _assignments(arguments: JsonObject) -> list[JsonObject]:
    rows: list[JsonObject] = [
        {
            "id": sample_id("asg", f"{name}:{role.key}"),
            "identity": {"id": PEOPLE[name].id, "display_name": name},
            "role": {"id": sample_id("rol", role.key), "display_name": role.name},
        }
        for role in BUNDLES
        for name in role.direct
        if name in PEOPLE
    ]
    return [
        row
        for row in rows
        if arguments.get("identity_id") in {None, row["identity"]["id"]}  # type: ignore[index, call-overload]
        and arguments.get("role_id") in {None, row["role"]["id"]}  # type: ignore[index, call-overload]
    ]


def _applications(arguments: JsonObject) -> list[JsonObject]:
    wanted = str(arguments.get("q", "")).casefold()
    rows: list[JsonObject] = [
        {"id": sample_id("app", one.key), "display_name": one.display_name, "key": one.key} for one in _APPLICATIONS
    ]
    return [row for row in rows if wanted in f"{row['display_name']} {row['key']}".casefold()]


def _entitlements(arguments: JsonObject) -> list[JsonObject]:
    wanted = str(arguments.get("q", "")).casefold()
    rows: list[JsonObject] = [
        {
            "id": one.id,
            "entitlement_id": one.id,
            "display_name": one.name,
            "native_name": one.native_name,
            "key": one.native_name,
        }
        for one in ENTITLEMENTS
    ]
    return [row for row in rows if wanted in f"{row['display_name']} {row['native_name']}".casefold()]


def _catalogue(arguments: JsonObject) -> list[JsonObject]:
    kinds = {"role": _roles, "entitlement": _entitlements}
    return [row for kind, read in kinds.items() if arguments.get("type") in {None, kind} for row in read(arguments)]


def _waiting(kind: str, asked: Mapping[str, str]) -> list[JsonObject]:
    """Return requests or approvals, named here after whoever asks or after the role asked for."""
    return [
        {
            "id": sample_id(kind, name),
            "requester": {"id": PEOPLE[name].id if name in PEOPLE else None, "display_name": name},
            "items": [{"role": {"id": sample_id("rol", role), "display_name": role}}],
        }
        for name, role in asked.items()
    ]


def _approvals(_arguments: JsonObject) -> list[JsonObject]:
    return _waiting("apv", {"nora.jansen": "wiki-editor", "ben.carter": "remote-access"})


def _requests(_arguments: JsonObject) -> list[JsonObject]:
    return _waiting("req", {"crm-editor": "crm-editor", "remote-access": "remote-access"})


def _sessions(_arguments: JsonObject) -> list[JsonObject]:
    devices: Mapping[str, str] = {"here": "Firefox on Linux", "iphone": "Safari on iPhone", "ipad": "Safari on iPad"}
    return [
        {"id": sample_id("ses", name), "user_agent": agent, "ip": "192.0.2.7", "current": name == "here"}
        for name, agent in devices.items()
    ]


def _routines(_arguments: JsonObject) -> list[JsonObject]:
    named: tuple[tuple[str, str, list[JsonValue]], ...] = (
        ("joiners", "joiner", ["Joiners", "Eintritte"]),
        ("movers", "mover", ["Movers", "Wechsel"]),
        ("leavers", "leaver", ["Leavers", "Austritte"]),
    )
    return [
        {"id": sample_id("rtn", key), "key": key, "type": kind, "display_name": names} for key, kind, names in named
    ]


LOOKED_UP: Final[Mapping[str, Callable[[JsonObject], list[JsonObject]]]] = {
    "search_identities": _people,
    "search_directory": _people,
    "list_groups": _groups,
    "list_roles": _roles,
    "search_catalog": _catalogue,
    "list_entitlements": _entitlements,
    "list_assignments": _assignments,
    "list_applications": _applications,
    "list_approvals": _approvals,
    "list_access_requests": _requests,
    "list_sessions": _sessions,
    "list_lifecycle_routines": _routines,
}


def answer(name: str, arguments: JsonObject) -> str:
    """Return the text of a reading tool's result."""
    rows = LOOKED_UP[name](arguments) if name in LOOKED_UP else []
    items: list[JsonValue] = [*rows]
    return json.dumps({"total": len(rows), "shown": len(rows), "items": items})
