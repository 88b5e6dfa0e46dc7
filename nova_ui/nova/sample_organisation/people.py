"""The identities of the sample organisation, with managers, states and a few cases worth finding."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from nova_ui.domain.folding import fold
from nova_ui.domain.identity import Role
from nova_ui.domain.sample_sign_ins import SIGN_INS
from nova_ui.nova.sample_organisation.names import COMPANY, DEPARTMENTS, MAIL_DOMAIN, Department
from nova_ui.nova.sample_organisation.seeds import log_in_name, sample_id, spread, working_time
from storage.nova.tables import IdentityRow

ADMINISTRATORS: Final = ("mara.koenig", "stefan.kuhn")
AUDITORS: Final = ("paul.adler",)
CONTRACTORS: Final = (
    "jonas.weber",
    "priya.nair",
    "sanjay.patel",
    "laura.bianchi",
    "rosa.jimenez",
    "ravi.menon",
    "oskar.lindqvist",
    "linh.nguyen",
    "oliver.brooks",
)
"""Members of the group *contractors* as well."""

_GERMAN_OFFICES: Final = frozenset({"Munich", "Berlin", "Hamburg"})
_DAYS_SINCE_SIGN_IN: Final = {"jonas.weber": 137, "priya.nair": 129, "oskar.lindqvist": 104, "uwe.franke": 112}
_NEVER_SIGNED_IN: Final = frozenset({"jannik.voss", "amira.benali", "johanna.lehmann", "backup.service"})
_LOCKED_HOURS: Final = {"svenja.krueger": 9, "pierre.moreau": 11}
_STATES: Final = {
    "jannik.voss": ("staged", "Starts soon"),
    "amira.benali": ("staged", "Starts soon"),
    "johanna.lehmann": ("staged", "Contract not signed yet"),
    "uwe.franke": ("suspended", "Parental leave"),
    "diego.fernandez": ("suspended", "Lost laptop, under investigation"),
    "milan.jovanovic": ("suspended", "Long-term illness"),
    "ines.carvalho": ("disabled", "Left the company"),
    "viktor.petrov": ("disabled", "Left the company"),
    "lucie.novak": ("disabled", "Left the company"),
    "finn.schubert": ("disabled", "End of contract"),
}
_ENGLISH_SPEAKERS: Final = frozenset({"mara.koenig", "paul.adler"})
"""Of the four sign-ins two see English and two German."""
_GERMAN_SPEAKERS: Final = frozenset({"lea.brandt", "tim.vogt"})


@dataclass(frozen=True, slots=True)
class _Place:
    """Where somebody stands: department, title, and who manages them."""

    user_name: str
    display_name: str
    title: str
    department: Department
    manager: str | None


def make_people(now: datetime, password_hash: str) -> dict[str, IdentityRow]:
    """Return the identities by user name, managers before their people.

    The four sign-ins of `SIGN_INS` get `password_hash`; nobody else can sign in with a password.
    """
    people: dict[str, IdentityRow] = {}
    for number, place in enumerate(_places(), start=1):
        people[place.user_name] = _row(place, number, now)
    for name in SIGN_INS:
        people[name].password_hash = password_hash
        people[name].password_changed_at = now
    for name in ADMINISTRATORS:
        people[name].nova_roles = [Role.ADMINISTRATOR.value]
    for name in AUDITORS:
        people[name].nova_roles = [Role.AUDITOR.value]
    return people


def _places() -> list[_Place]:
    places: list[_Place] = []
    taken: set[str] = set()
    chief: str | None = None
    for department in DEPARTMENTS:
        head: str | None = None
        lead: str | None = None
        for person in department.people:
            display_name, _, title = person.partition("|")
            user_name = _free_name(log_in_name(display_name), taken)
            is_lead = title.startswith("Team Lead")
            manager = chief if head is None else head if is_lead or lead is None else lead
            places.append(_Place(user_name, display_name, title, department, manager))
            chief = chief or user_name
            head = head or user_name
            lead = user_name if is_lead else lead
    return places


def _free_name(wanted: str, taken: set[str]) -> str:
    name = wanted if wanted not in taken else f"{wanted}2"
    taken.add(name)
    return name


def _row(place: _Place, number: int, now: datetime) -> IdentityRow:
    name = place.user_name
    given, _, family = place.display_name.partition(" ")
    mail = f"{name}@{MAIL_DOMAIN}"
    status, reason = _STATES.get(name, ("active", None))
    started = _start(name, status, now)
    is_technical = name == "backup.service"
    return IdentityRow(
        id=sample_id("idn", name),
        user_name=name,
        user_name_key=fold(name),
        given_name=given,
        family_name=family,
        display_name=place.display_name,
        emails=[] if is_technical else [{"value": mail, "type": "work", "primary": True}],
        phone_numbers=[] if is_technical else [phone_number(name)],
        title=place.title,
        user_type="service" if is_technical else "contractor" if name in CONTRACTORS else "employee",
        employee_number=None if is_technical or name in CONTRACTORS else f"A{10000 + number * 7}",
        organization=COMPANY,
        department=place.department.name,
        cost_center=place.department.cost_center,
        location=place.department.location,
        manager_id=None if place.manager is None else sample_id("idn", place.manager),
        preferred_language=_language(name, place.department.location),
        timezone="Europe/Dublin" if place.department.location == "Dublin" else "Europe/Berlin",
        start_date=started.date().isoformat(),
        end_date=_end(name, status, now),
        status=status,
        status_reason=reason,
        protected=is_technical,
        last_sign_in_at=_last_sign_in(name, status, now),
        locked_until=now + timedelta(hours=_LOCKED_HOURS[name]) if name in _LOCKED_HOURS else None,
        created_at=min(started, now) - timedelta(days=12),
        updated_at=min(started, now) - timedelta(days=12),
    )


def phone_number(name: str) -> str:
    """Return a number of the range kept free for fiction."""
    return f"+49 30 23125 {spread(f'phone:{name}', 1000):03d}"


def _language(name: str, location: str) -> str:
    if name in _ENGLISH_SPEAKERS:
        return "en"
    is_german = location in _GERMAN_OFFICES and spread(f"language:{name}", 5) > 0
    return "de" if is_german or name in _GERMAN_SPEAKERS else "en"


def _start(name: str, status: str, now: datetime) -> datetime:
    if status == "staged":
        return now + timedelta(days=7 + spread(f"start:{name}", 30))
    return now - timedelta(days=120 + spread(f"start:{name}", 3000))


def _end(name: str, status: str, now: datetime) -> str | None:
    if status == "disabled":
        return (now - timedelta(days=14 + spread(f"end:{name}", 40))).date().isoformat()
    if name in CONTRACTORS:
        return (now + timedelta(days=20 + spread(f"end:{name}", 200))).date().isoformat()
    return None


def _last_sign_in(name: str, status: str, now: datetime) -> datetime | None:
    if name in _NEVER_SIGNED_IN:
        return None
    days = _DAYS_SINCE_SIGN_IN.get(name)
    if days is None:
        days = spread(f"seen:{name}", 6) if status == "active" else 31 + spread(f"left:{name}", 30)
    return working_time(now, days, f"last sign-in:{name}")
