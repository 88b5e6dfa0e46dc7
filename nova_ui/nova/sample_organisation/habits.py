"""The everyday entries of the sample organisation's audit log: changes, comings and goings, exports, sign-ins."""

from datetime import datetime, timedelta
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.nova.sample_organisation.history import Organisation, administrator_for, chat_or_not
from nova_ui.nova.sample_organisation.people import phone_number
from nova_ui.nova.sample_organisation.seeds import sample_id, spread, working_time
from nova_ui.nova.sample_organisation.trail import (
    Happening,
    Target,
    Trail,
    changed,
    of_group,
    of_member,
    of_person,
    of_role,
)
from storage.nova.tables import GroupRow, IdentityRow

TOTAL_ENTRIES: Final = 2000
_DAYS: Final = 88
_MOMENT: Final = timedelta(milliseconds=40)
_EXPORTED: Final = ("identities", "groups", "assignments", "audit-log", "access-requests")
_EXPORTS: Final = 24
_EXPORT_DAYS: Final = 9
_PASSING_MEMBERS: Final = 270
_REFUSALS: Final = (
    ("identity.disabled", "self_lockout"),
    ("group.deleted", "protected_object"),
    ("assignment.revoked", "conflict"),
    ("identity.deleted", "conflict"),
    ("request.submitted", "validation_failed"),
    ("approval.approved", "approver_conflict"),
)
_SLIPS: Final = 18
_FAILURES_BEFORE_LOCK: Final = 5
_GONE_GROUPS: Final = (("summer-party", 71, 38), ("trade-fair-hanover", 66, 21))
_ASSISTANTS: Final = (("helpdesk", "Helpdesk", 52), ("audit", "Audit assistant", 34), ("helpdesk", "Helpdesk", 16))


def tell_habits(trail: Trail, organisation: Organisation) -> None:
    """Add entries until `trail` holds `TOTAL_ENTRIES`; sign-ins fill up what the others leave."""
    for name, person in organisation.people.items():
        if person.user_type != "service" and person.status != "staged":
            _tell_profile(trail, organisation, name, person)
    _tell_passing_members(trail, organisation)
    _tell_gone_groups(trail, organisation)
    _tell_roles(trail, organisation)
    _tell_exports(trail, organisation)
    _tell_assistants(trail, organisation)
    _tell_refusals(trail, organisation)
    _tell_failed_sign_ins(trail, organisation)
    _tell_sign_ins(trail, organisation)


def _day(name: str) -> int:
    return 1 + spread(f"day:{name}", _DAYS)


def _tell_profile(trail: Trail, organisation: Organisation, name: str, person: IdentityRow) -> None:
    """Let some people have changed their own number or language, and some been changed by an administrator."""
    administrator = administrator_for(organisation.people, f"profile:{name}")
    old_title = f"Junior {person.title}" if person.title and "Junior" not in person.title else None
    changes: list[tuple[str, JsonValue, JsonValue, IdentityRow, int]] = [
        ("phone_numbers", [phone_number(f"old:{name}")], [*person.phone_numbers], person, 3),
        (
            "preferred_language",
            "de" if person.preferred_language == "en" else "en",
            person.preferred_language,
            person,
            6,
        ),
        ("title", old_title, person.title, administrator, 4),
        ("location", "Vienna", person.location, administrator, 6),
        ("cost_center", "9000", person.cost_center, administrator, 4),
        ("employee_number", None, person.employee_number, administrator, 8),
    ]
    for field, before, after, actor, one_in in changes:
        change = f"{field}:{name}"
        if before == after or spread(change, one_in) or (actor is person and person.status != "active"):
            continue
        at = working_time(organisation.now, _day(change), change)
        trail.add(
            Happening(
                time=at,
                action="identity.updated",
                target=of_person(person),
                actor=actor,
                details=changed((field, before, after)),
                via=chat_or_not(actor, change, in_ten=4),
            )
        )
        person.updated_at = max(person.updated_at, at)
        person.version += 1


def _tell_passing_members(trail: Trail, organisation: Organisation) -> None:
    """Tell of people who came into a group and left it again."""
    inside = {(row.group_id, row.identity_id) for row in organisation.memberships}
    people = [person for person in organisation.people.values() if person.status == "active"]
    groups = [group for group in organisation.groups if not group.protected]
    for number in range(_PASSING_MEMBERS):
        name = f"passing:{number}"
        group, person = groups[spread(f"group:{name}", len(groups))], people[spread(f"person:{name}", len(people))]
        if (group.id, person.id) in inside:
            continue
        inside.add((group.id, person.id))
        came = 6 + spread(f"came:{name}", _DAYS - 6)
        left = 1 + spread(f"left:{name}", came - 4)  # a weekend moves either by two days at most
        for action, days in (("group.member_added", came), ("group.member_removed", left)):
            actor = administrator_for(organisation.people, f"{action}:{name}")
            trail.add(
                Happening(
                    time=working_time(organisation.now, days, f"{action}:{name}"),
                    action=action,
                    target=of_group(group),
                    actor=actor,
                    details=of_member(person),
                    via=chat_or_not(actor, f"{action}:{name}", in_ten=4),
                )
            )


def _tell_gone_groups(trail: Trail, organisation: Organisation) -> None:
    """Tell of groups that were made and deleted, their members with them."""
    mara = organisation.people["mara.koenig"]
    guests = [person for person in organisation.people.values() if spread(f"guest:{person.user_name}", 9) == 0]
    for name, made_days, gone_days in _GONE_GROUPS:
        target = Target("group", sample_id("grp", name), name)
        made = working_time(organisation.now, made_days, f"made:{name}")
        created = changed(("display_name", None, name))
        trail.add(Happening(time=made, action="group.created", target=target, actor=mara, details=created))
        gone = working_time(organisation.now, gone_days, f"gone:{name}")
        cause = trail.add(
            Happening(time=gone, action="group.deleted", target=target, actor=mara, via="ai_chat:admin", details={})
        )
        for number, person in enumerate(guests, start=1):
            member = of_member(person)
            came = made + number * timedelta(minutes=3)
            trail.add(Happening(time=came, action="group.member_added", target=target, actor=mara, details={**member}))
            left = gone + number * _MOMENT
            trail.add(
                Happening(time=left, action="group.member_removed", target=target, details={**member}, cause=cause)
            )


def _tell_roles(trail: Trail, organisation: Organisation) -> None:
    for key, role in organisation.roles.items():
        if role.max_days is None or spread(f"role:{key}", 2):
            continue
        actor = administrator_for(organisation.people, f"role:{key}")
        role.updated_at = working_time(organisation.now, _day(f"role:{key}"), f"role:{key}")
        role.version += 1
        details = changed(("max_days", role.max_days * 2, role.max_days))
        trail.add(
            Happening(time=role.updated_at, action="role.updated", target=of_role(role), actor=actor, details=details)
        )


def _tell_exports(trail: Trail, organisation: Organisation) -> None:
    """Tell of exports that have expired since, so that none of them has to be there."""
    for number in range(_EXPORTS):
        name = f"export:{number}"
        resource = _EXPORTED[spread(name, len(_EXPORTED))]
        actor = organisation.people["paul.adler" if spread(f"by:{name}", 2) else "mara.koenig"]
        at = working_time(organisation.now, _EXPORT_DAYS + spread(f"at:{name}", _DAYS - _EXPORT_DAYS), name)
        target = Target("export", sample_id("exp", name), resource)
        via = None if actor.user_name == "paul.adler" else chat_or_not(actor, name, in_ten=5)
        rows: JsonObject = {"resource": resource, "format": "csv", "rows": 20 + spread(f"rows:{name}", 300)}
        trail.add(Happening(time=at, action="export.created", target=target, actor=actor, details={**rows}, via=via))
        fetched = at + timedelta(seconds=20 + spread(f"fetched:{name}", 900))
        trail.add(Happening(time=fetched, action="export.downloaded", target=target, actor=actor))


def _tell_assistants(trail: Trail, organisation: Organisation) -> None:
    """Tell of changed assistants: in the interface only (rule B6), so no entry has a mark."""
    mara = organisation.people["mara.koenig"]
    known: set[str] = set()
    for key, name, days in _ASSISTANTS:
        action = "assistant.updated" if key in known else "assistant.created"
        known.add(key)
        details = changed(("position", 90, 10)) if action == "assistant.updated" else changed(("key", None, key))
        at = working_time(organisation.now, days, f"assistant:{key}:{days}")
        trail.add(Happening(time=at, action=action, target=Target("assistant", key, name), actor=mara, details=details))


def _tell_refusals(trail: Trail, organisation: Organisation) -> None:
    groups: dict[str, GroupRow] = {group.display_name: group for group in organisation.groups}
    for number in range(3 * len(_REFUSALS)):
        action, code = _REFUSALS[number % len(_REFUSALS)]
        name = f"refused:{number}"
        is_own = action.startswith(("request.", "approval."))
        people = organisation.people
        actor = people["tim.vogt" if number % 2 else "lea.brandt"] if is_own else administrator_for(people, name)
        target = of_group(groups["all-staff"]) if action == "group.deleted" else of_person(actor)
        trail.add(
            Happening(
                time=working_time(organisation.now, _day(name), name),
                action=action,
                target=target,
                actor=actor,
                outcome="refused",
                details={"code": code},
                via=chat_or_not(actor, name, in_ten=5),
            )
        )


def _tell_failed_sign_ins(trail: Trail, organisation: Organisation) -> None:
    """Tell of wrong passwords: here and there, and so often that somebody is locked now."""
    names = [name for name, person in organisation.people.items() if person.status == "active"]
    for number in range(_SLIPS):
        name = f"slip:{number}"
        at = working_time(organisation.now, _day(name), name)
        _fail_sign_in(trail, organisation.people[names[spread(name, len(names))]], at)
    locked = [person for person in organisation.people.values() if person.locked_until is not None]
    for person in locked:
        for minutes in range(_FAILURES_BEFORE_LOCK):
            _fail_sign_in(trail, person, organisation.now - timedelta(minutes=40 + minutes))


def _fail_sign_in(trail: Trail, person: IdentityRow, at: datetime) -> None:
    details: JsonObject = {"reason": "wrong_password"}
    trail.add(Happening(time=at, action="sign_in.failed", target=of_person(person), outcome="refused", details=details))


def _tell_sign_ins(trail: Trail, organisation: Organisation) -> None:
    """Tell of each person's last sign-in, then of earlier ones in turn until there are enough entries."""
    seen = {
        person.user_name: (person, (organisation.now - person.last_sign_in_at).days)
        for person in organisation.people.values()
        if person.last_sign_in_at is not None
    }
    recent = [(person, days) for person, days in seen.values() if days < _DAYS]
    for person, _ in recent:
        _tell_sign_in(trail, person, person.last_sign_in_at or organisation.now, "last")
    number = 0
    while recent and len(trail) < TOTAL_ENTRIES:
        person, days = recent[number % len(recent)]
        name = f"sign-in:{person.user_name}:{number}"
        at = working_time(organisation.now, days + 1 + spread(name, _DAYS - days), name)
        if at < (person.last_sign_in_at or at):
            _tell_sign_in(trail, person, at, name)
        number += 1


def _tell_sign_in(trail: Trail, person: IdentityRow, at: datetime, name: str) -> None:
    target = Target("session", sample_id("ses", f"{person.user_name}:{name}"), person.display_name)
    trail.add(Happening(time=at, action="session.started", target=target, actor=person))
    if spread(f"signed out:{name}", 2) and name != "last" and len(trail) < TOTAL_ENTRIES:
        left = at + timedelta(minutes=20 + spread(f"left:{name}", 300))
        trail.add(
            Happening(time=left, action="session.ended", target=target, actor=person, details={"reason": "signed_out"})
        )
