"""The groups of the sample organisation with their owners and members."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from nova_ui.domain.folding import fold
from nova_ui.nova.sample_organisation.people import CONTRACTORS
from nova_ui.nova.sample_organisation.seeds import sample_id, spread, working_time
from storage.nova.tables import GroupRow, IdentityRow, MembershipRow

People = Mapping[str, IdentityRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """A group as it is described here; members are named, or drawn from departments, `share` in ten of them.

    With `by_rule` everybody of its departments is in, and stays so by a rule; members get the `roles`.
    """

    name: str
    description: str
    owners: tuple[str, ...]
    members: tuple[str, ...] = ()
    departments: tuple[str, ...] = ()
    share: int = 10
    by_rule: bool = False
    roles: tuple[str, ...] = ()
    protected: bool = False
    source: str = "nova"


_GROUPS: Final = (
    _Group(
        name="all-staff",
        description="Everybody who works here",
        owners=("christine.vogel",),
        departments=("*",),
        protected=True,
        source="connector",
    ),
    _Group(
        name="contractors",
        description="People who work for us without being employed",
        owners=("martin.berger",),
        members=CONTRACTORS,
    ),
    _Group(
        name="vpn-users",
        description="May connect from outside the offices",
        owners=("irina.volkova",),
        members=("lea.brandt", "tim.vogt", "jonas.weber", "priya.nair", "paul.adler"),
        departments=("Engineering", "IT Operations", "Sales"),
        share=5,
    ),
    _Group(
        name="sales-dach",
        description="Sales in Germany, Austria and Switzerland",
        owners=("lea.brandt",),
        members=(
            "lea.brandt",
            "tim.vogt",
            "anna.schmidt",
            "jonas.weber",
            "markus.huber",
            "svenja.krueger",
            "florian.baumann",
            "elif.celik",
            "nils.petersen",
            "carla.romano",
            "philipp.steiner",
        ),
    ),
    _Group(
        name="sales-international",
        description="Sales outside German-speaking countries",
        owners=("camille.dubois",),
        members=("camille.dubois", "priya.nair", "tom.hughes", "marta.kowalska", "aoife.murphy", "yuki.tanaka"),
    ),
    _Group(
        name="sales-leadership",
        description="Heads and team leads of Sales",
        owners=("lea.brandt",),
        members=("lea.brandt", "markus.huber", "camille.dubois"),
    ),
    _Group(
        name="marketing",
        description="The marketing department",
        owners=("julia.sommer",),
        departments=("Marketing",),
        by_rule=True,
        roles=("crm-user",),
    ),
    _Group(
        name="newsletter-editors",
        description="May send the customer newsletter",
        owners=("julia.sommer",),
        members=("ben.carter", "emre.demir", "hannah.wolf"),
    ),
    _Group(
        name="engineering",
        description="The engineering department",
        owners=("david.okafor",),
        departments=("Engineering",),
        by_rule=True,
    ),
    _Group(
        name="platform-team",
        description="Owns the build and runtime platform",
        owners=("nadia.haddad",),
        members=("nadia.haddad", "felix.hartmann", "wei.chen", "maximilian.roth", "agnieszka.nowak", "tobias.keller"),
    ),
    _Group(
        name="frontend-guild",
        description="People who build our web interfaces",
        owners=("simone.graf",),
        members=("simone.graf", "lukas.winkler", "fatima.zahraalaoui", "leonie.busch", "emre.demir"),
    ),
    _Group(
        name="on-call",
        description="Answer alarms outside office hours",
        owners=("nadia.haddad", "mara.koenig"),
        members=("maximilian.roth", "agnieszka.nowak", "kemal.arslan", "greta.lorenz", "ravi.menon", "tobias.keller"),
    ),
    _Group(
        name="it-operations",
        description="The IT operations department",
        owners=("mara.koenig",),
        departments=("IT Operations",),
        by_rule=True,
        roles=("code-reader",),
    ),
    _Group(
        name="backup-operators",
        description="May start and restore backups",
        owners=("andreas.pohl",),
        members=("andreas.pohl", "greta.lorenz", "peter.maier", "backup.service"),
    ),
    _Group(
        name="service-desk",
        description="First contact for IT questions",
        owners=("noah.vandenberg",),
        members=("noah.vandenberg", "lena.fuchs", "sarah.klein", "jasper.koch"),
    ),
    _Group(
        name="database-administrators",
        description="Administer production databases",
        owners=("mara.koenig",),
        members=("peter.maier", "tobias.keller"),
    ),
    _Group(
        name="finance",
        description="The finance department",
        owners=("rainer.albrecht",),
        departments=("Finance",),
    ),
    _Group(
        name="payment-approvers",
        description="May release payments, always two of them",
        owners=("rainer.albrecht",),
        members=("rainer.albrecht", "monika.seidel", "george.papadopoulos"),
    ),
    _Group(
        name="human-resources",
        description="The human resources department",
        owners=("christine.vogel",),
        departments=("Human Resources",),
        by_rule=True,
    ),
    _Group(
        name="works-council",
        description="Elected representatives of the staff",
        owners=("katja.stein",),
        members=("katja.stein", "uwe.franke", "silke.hofmann", "moritz.lang", "svenja.krueger"),
    ),
    _Group(
        name="legal",
        description="Legal counsel and compliance",
        owners=("eleonore.richter",),
        departments=("Legal and Compliance",),
        by_rule=True,
    ),
    _Group(
        name="external-auditors",
        description="Guests of the yearly audit; empty between audits",
        owners=("paul.adler",),
    ),
    _Group(
        name="support-first-line",
        description="Answer customers' first questions",
        owners=("robert.schaefer",),
        members=("robert.schaefer", "grace.owusu", "pierre.moreau", "silke.hofmann", "conor.byrne", "mehmet.sahin"),
    ),
    _Group(
        name="support-second-line",
        description="Solve what the first line can't",
        owners=("teresa.almeida",),
        members=("teresa.almeida", "hassan.rahimi", "verena.schulz", "oliver.brooks", "katarzyna.zielinska"),
    ),
    _Group(
        name="project-borealis",
        description="Working group for the new customer portal",
        owners=("olivia.marchetti",),
        members=("olivia.marchetti", "ruth.zimmermann", "clara.neumann", "tim.vogt", "leonie.busch", "niamh.kelly"),
    ),
)


def make_groups(people: People, now: datetime) -> list[GroupRow]:
    """Return the groups."""
    rows = []
    for group in _GROUPS:
        created = now - timedelta(days=200 + spread(f"group:{group.name}", 900))
        rows.append(
            GroupRow(
                id=sample_id("grp", group.name),
                display_name=group.name,
                name_key=fold(group.name),
                description=group.description,
                owner_ids=[people[owner].id for owner in group.owners],
                membership="rule" if group.by_rule else "manual",
                rule=_rule(group) if group.by_rule else None,
                role_ids=[sample_id("rol", role) for role in group.roles],
                source=group.source,
                protected=group.protected,
                created_at=created,
                updated_at=created,
            )
        )
    return rows


def group_roles(people: People) -> Iterator[tuple[str, str, str]]:
    """Return group, role and member for each role that somebody has by a group."""
    for group in _GROUPS:
        for role in group.roles:
            yield from ((group.name, role, name) for name in _members(group, people))


def _rule(group: _Group) -> str:
    departments = " or ".join(f'department eq "{name}"' for name in group.departments)
    return f'{departments} and user_type ne "service"'


def make_memberships(people: People, now: datetime) -> list[MembershipRow]:
    """Return who is in which group; about one in eight has come within the last 90 days."""
    rows = []
    for group in _GROUPS:
        for name in _members(group, people):
            draw = spread(f"member:{group.name}:{name}", 640)
            days = 1 + draw if draw < 80 else 91 + draw  # noqa: PLR2004 - the first eighth
            rows.append(
                MembershipRow(
                    group_id=sample_id("grp", group.name),
                    identity_id=people[name].id,
                    added_at=working_time(now, days, f"member:{group.name}:{name}"),
                )
            )
    return rows


def _members(group: _Group, people: People) -> list[str]:
    drawn = [
        name
        for name, person in people.items()
        if person.status in {"active", "suspended"}
        and (person.department in group.departments or "*" in group.departments)
        and person.user_type != "service"
        and spread(f"in:{group.name}:{name}", 10) < group.share
    ]
    return list(dict.fromkeys((*group.members, *drawn)))
