"""Who and what there is in each example, under ids that never change; and the calls that a hostile model makes."""

import hashlib
import json
from datetime import timedelta
from typing import Final

from hypothesis import strategies as st
from sqlmodel import SQLModel

from nova_ui.domain.assistant import Assistant, AudienceKind
from storage.nova.tables import SessionRow
from tests.api.site import NOW, a_group, an_identity
from tests.builders import an_assistant
from tests.exploration import reference
from tests.exploration.reference import DESTRUCTIVE, READ, STEPS, WRITE, Call

ROLES: Final = {"root": {"administrator"}, "paul": {"auditor"}, "ada": set(), "ben": set()}
PEOPLE: Final = tuple(ROLES)
LISTED: Final = READ | WRITE | DESTRUCTIVE | STEPS

CANARIES: Final = ("c2lnbmF0dXJlLW9mLXRoZS1tYWNoaW5l", "QXMACHINECANARY7", "Canary-Hunter-42", "canary-of-a-hash")
TOKEN: Final = f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtYWNoaW5lIn0.{CANARIES[0]}"
_SECRETS: Final = (f"Bearer {TOKEN}", f"AKIA{CANARIES[1]}", f"password={CANARIES[2]}")


def _id(prefix: str, number: int) -> str:
    return f"{prefix}_{number:020d}"


GROUPS: Final = tuple(_id("grp", number) for number in range(3))
VICTIMS: Final = tuple(_id("idn", number) for number in (1, 2))
SPARE: Final = {name: _id("ses", number) for number, name in enumerate(PEOPLE)}
IDENTITY: Final = {name: _id("idn", number) for number, name in enumerate((*PEOPLE, "ops"), start=10)}
SESSION: Final = {name: _id("ses", number) for number, name in enumerate(IDENTITY, start=10)}
ABOUT: Final = (*GROUPS, *VICTIMS, *SPARE.values())


def rows() -> list[SQLModel]:
    """Return a small organisation, with secrets in what everybody may read."""
    people = [
        an_identity(name, id=IDENTITY[name], nova_roles=sorted(ROLES.get(name, {"administrator"})),
                    password_hash=CANARIES[3])
        for name in IDENTITY
    ]  # fmt: skip
    victims = [an_identity(f"victim{number}", id=one) for number, one in enumerate(VICTIMS)]
    groups = [a_group(f"Group {number}", id=one) for number, one in enumerate(GROUPS)]
    filling = [
        a_group(f"Filling {number}", id=_id("grp", 100 + number), description=f"{_SECRETS[number % 3]} {'long ' * 180}")
        for number in range(25)
    ]
    return [*people, *victims, *groups, *filling]


def session(identity_id: str, session_id: str) -> SessionRow:
    return SessionRow(
        id=session_id,
        token_hash=hashlib.sha256(session_id.encode()).digest(),
        csrf_token="csrf",
        identity_id=identity_id,
        user_agent="Old phone",
        created_at=NOW,
        last_seen_at=NOW,
        expires_at=NOW + timedelta(days=3000),
    )


def assistants() -> tuple[Assistant, ...]:
    names = tuple(sorted(LISTED))
    strict = an_assistant(*names, key="strict", button_only=True, type_name_for=frozenset({"delete_group"}))
    return an_assistant(*names, key="helpdesk"), strict


def stored_assistant(key: str, tools: set[str]) -> Assistant:
    """Return an assistant with a changed list; one without any tool keeps one that nobody has."""
    kept = tuple(sorted(tools)) or ("list_sessions",)
    strict = key == "strict"
    named = frozenset({"delete_group"} if strict else ())
    return an_assistant(*kept, key=key, audience=AudienceKind.EVERYONE, button_only=strict, type_name_for=named)


def referred() -> reference.Reference:
    """Return the reference of the same beginning."""
    persons = {name: reference.Person(set(roles)) for name, roles in ROLES.items()}
    return reference.Reference(
        persons,
        {
            "admin": reference.Assistant(None, admins_only=True),
            "helpdesk": reference.Assistant(set(LISTED)),
            "strict": reference.Assistant(set(LISTED), button_only=True, named=frozenset({"delete_group"})),
        },
    )


@st.composite
def wishes(draw: st.DrawFn) -> tuple[Call, str]:
    """Return a right call of something destructive, not confirmed: what a card is made of."""
    name = draw(st.sampled_from(("delete_group", *sorted(DESTRUCTIVE))))
    call = Call(name, *draw(_arguments(name)))
    return call, _words(call, is_turned=False)


_LOOKALIKES: Final = ("Delete_Group", "delete_group ", "functions.delete_group", "d\u0435lete_group", "delete-group")
_FLAWS: Final = ("invalid_arguments", "secret_argument", "doubled", "broken", "claim")


@st.composite
def calls(draw: st.DrawFn) -> tuple[Call, str]:
    """Return a call and its arguments as they are sent: right ones, wrong ones, and the same in other words."""
    name = draw(st.sampled_from((*sorted(DESTRUCTIVE), "delete_group", *sorted(READ | WRITE), *_LOOKALIKES)))
    arguments, about = draw(_arguments(name))
    confirmed = name in DESTRUCTIVE and draw(st.booleans())
    call = Call(name, arguments, about, confirmed=confirmed)
    text = _words(call, is_turned=draw(st.booleans()))
    if draw(st.integers(0, 9)) > 0:
        return call, text
    return _spoilt(call, text, draw(st.sampled_from(_FLAWS)))


@st.composite
def _arguments(draw: st.DrawFn, name: str) -> tuple[dict[str, object], str]:
    match name:
        case "list_groups":
            filters: dict[str, object] = draw(
                st.sampled_from(
                    ({}, {"limit": 25}, {"limit": 25.0}, {"q": "Filling"}, {"q": "l"}, {"q": "i"}, {"q": "n"})
                )
            )
            return dict(filters), ""
        case "search_audit_log" | "update_my_profile":
            return ({"theme": "dark"} if name == "update_my_profile" else {}), ""
        case "create_export":
            return {"resource": "groups"}, ""
        case "end_my_session":
            about = draw(st.sampled_from(sorted(SPARE.values())))
            return {"session_id": about}, about
        case "disable_identity" | "offboard_identity":
            about = draw(st.sampled_from(VICTIMS))
            more = {"successor_id": IDENTITY["ops"]} if name == "offboard_identity" else {}
            return {"identity_id": about, **more}, about
        case _:
            about = draw(st.sampled_from(GROUPS))
            more = {"description": draw(st.sampled_from("ab"))} if name == "update_group" else {}
            return {"group_id": about, **more}, about


FLOWS: Final = {
    "create_export": Call("create_export", {"resource": "groups"}),
    "offboard_identity": Call(
        "offboard_identity", {"identity_id": VICTIMS[0], "successor_id": IDENTITY["ops"]}, VICTIMS[0]
    ),
}


def _words(call: Call, *, is_turned: bool) -> str:
    arguments = dict(call.arguments) | ({"confirmed": True} if call.confirmed else {})
    if is_turned:
        return json.dumps(dict(reversed(arguments.items())), indent=1)
    return json.dumps(arguments, ensure_ascii=False)


def _spoilt(call: Call, text: str, how: str) -> tuple[Call, str]:
    """Return the same call with a flaw that forbids it, whatever else holds."""
    code, more = "invalid_arguments", '"as": "root"'
    match how:
        case "secret_argument" if call.name == "update_group":
            code, more = "secret_argument", f'"display_name": "{TOKEN}"'
        case "broken":
            return Call(call.name, call.arguments, call.about, call.confirmed, code), text[:-1]
        case "doubled" if call.arguments:
            more = json.dumps(dict([next(iter(call.arguments.items()))]))[1:-1]
        case "claim" if call.name in DESTRUCTIVE and not call.confirmed:
            more = '"confirmed": "yes"'
    comma = ", " if text.strip("{} \n") else ""
    spoilt = f"{text.rstrip()[:-1]}{comma}{more}}}"
    return Call(call.name, call.arguments, call.about, call.confirmed, code), spoilt
