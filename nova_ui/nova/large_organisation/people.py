"""The identities of a large organisation: a tree of managers, departments with a fate of their own."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from nova_ui.domain.folding import fold, searchable
from nova_ui.domain.identity import Role
from nova_ui.nova.sample_organisation.names import COMPANY, DEPARTMENTS, MAIL_DOMAIN
from nova_ui.nova.sample_organisation.seeds import log_in_name
from storage.nova.tables import IdentityRow

STATES: Final = {"active": 92, "suspended": 2, "disabled": 5, "staged": 1}
_LEVELS: Final = 5  # as far as a manager's reach goes
_LEAST_REPORTS: Final = 8
_UNIT: Final = 1_200  # a department is cut into units of at most an eighth of this
_TYPES: Final = {"employee": 88, "contractor": 10, "external": 2}
_STAYS: Final = 0.9  # of ten people nine work where their manager does
_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"


def drawn_id(draw: random.Random, prefix: str) -> str:
    """Return an id such as `grp_…` that follows from the seed."""
    number = draw.getrandbits(100)
    return f"{prefix}_" + "".join(_ALPHABET[(number >> 5 * place) & 31] for place in range(20))


def weighted(draw: random.Random, weights: dict[str, int]) -> str:
    """Return one of the words, each as often as its weight says."""
    return draw.choices(list(weights), list(weights.values()))[0]


def make_people(draw: random.Random, count: int, now: datetime, password_hash: str | None) -> list[IdentityRow]:
    """Return `count` identities, managers before their people, nobody more than five levels below the first."""
    reports = max(_LEAST_REPORTS, ceil(count ** (1 / _LEVELS)))
    units = [f"{one.name} {unit + 1}" for unit in range(max(1, count // _UNIT)) for one in DEPARTMENTS]
    names = _Names(draw)
    people: list[IdentityRow] = []
    for number in range(count):
        manager = people[(number - 1) // reports] if number else None
        is_leading = number * reports + 1 < count
        department = manager.department if manager and number > len(units) and draw.random() < _STAYS else None
        person = _person(draw, names, now, department or units[number % len(units)])
        person.manager_id = manager.id if manager else None
        person.title = "Head of unit" if is_leading else draw.choice(_TITLES)
        if is_leading or number < 4:  # noqa: PLR2004 - those who sign in, and who leads, are there
            person.status, person.status_reason, person.end_date = "active", None, None
        people.append(person)
    for person, role in zip(people, (Role.ADMINISTRATOR, Role.AUDITOR), strict=False):
        person.nova_roles, person.password_hash = [role.value], password_hash
    return people


_PEOPLE: Final = [one.partition("|") for department in DEPARTMENTS for one in department.people]
_TITLES: Final = sorted({title for _, _, title in _PEOPLE if not title.startswith(("Head", "Chief", "Team"))})
_GIVEN: Final = sorted({name.partition(" ")[0] for name, _, _ in _PEOPLE})
_FAMILY: Final = sorted({name.partition(" ")[2] for name, _, _ in _PEOPLE})
_PLACES: Final = {one.name: (one.location, one.cost_center) for one in DEPARTMENTS}


class _Names:
    """Draws names; a user name that is taken gets a number."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._taken: dict[str, int] = {}

    def next(self) -> tuple[str, str, str]:
        """Return given name, family name, user name."""
        given, family = self._draw.choice(_GIVEN), self._draw.choice(_FAMILY)
        wanted = log_in_name(f"{given} {family}")
        number = self._taken[wanted] = self._taken.get(wanted, 0) + 1
        return given, family, wanted if number == 1 else f"{wanted}{number}"


def _person(draw: random.Random, names: _Names, now: datetime, department: str) -> IdentityRow:
    given, family, user_name = names.next()
    location, cost_center = _PLACES[department.rpartition(" ")[0]]
    status, user_type = weighted(draw, STATES), weighted(draw, _TYPES)
    started = now - timedelta(days=draw.randrange(30, 4000)) if status != "staged" else now + timedelta(days=9)
    ends = draw.randrange(10, 400) if user_type != "employee" else None
    mail = f"{user_name}@{MAIL_DOMAIN}"
    seen = None if status == "staged" else now - timedelta(days=draw.choice(_SEEN_DAYS), seconds=draw.randrange(80_000))
    display_name = f"{given} {family}"
    return IdentityRow(
        id=drawn_id(draw, "idn"),
        user_name=user_name,
        user_name_key=fold(user_name),
        given_name=given,
        family_name=family,
        display_name=display_name,
        search_text=searchable(display_name, user_name, mail),
        emails=[{"value": mail, "type": "work", "primary": True}],
        user_type=user_type,
        employee_number=f"E{len(names._taken)}-{draw.getrandbits(40):010x}" if user_type == "employee" else None,  # noqa: SLF001
        organization=COMPANY,
        department=department,
        cost_center=cost_center,
        location=location,
        preferred_language=draw.choice(("de", "en")),
        start_date=started.date().isoformat(),
        end_date=None if ends is None else (now + timedelta(days=ends)).date().isoformat(),
        status=status,
        status_reason="Left the company" if status == "disabled" else None,
        last_sign_in_at=seen,
        created_at=min(started, now) - timedelta(days=7),
        updated_at=min(started, now) - timedelta(days=7),
    )


_SEEN_DAYS: Final[Sequence[int]] = (*range(10), *range(10), 30, 60, 120)
