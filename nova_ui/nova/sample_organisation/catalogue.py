"""The roles of the sample organisation."""

from datetime import datetime, timedelta
from typing import Final

from nova_ui.nova.sample_organisation.bundle import Bundle
from nova_ui.nova.sample_organisation.groups import People
from nova_ui.nova.sample_organisation.more_bundles import MORE_BUNDLES
from nova_ui.nova.sample_organisation.seeds import sample_id, spread
from storage.nova.tables import RoleRow

BUNDLES: Final = (
    Bundle(
        key="crm-user",
        name="CRM User",
        description="Read customers and write own offers",
        application="crm",
        owner="lea.brandt",
        birthright=("Sales",),
    ),
    Bundle(
        key="crm-editor",
        name="CRM Editor",
        description="Change every customer and contract",
        application="crm",
        owner="lea.brandt",
        max_days=365,
        risk="medium",
        direct=("anna.schmidt", "markus.huber", "camille.dubois", "jonas.weber", "sophie.laurent"),
    ),
    Bundle(
        key="crm-administrator",
        name="CRM Administrator",
        description="Configure the CRM and read all its data",
        application="crm",
        owner="lea.brandt",
        approval="manager_then_owner",
        max_days=90,
        risk="high",
        privileged=True,
        direct=("sophie.laurent",),
    ),
    Bundle(
        key="finance-viewer",
        name="Finance Viewer",
        description="Read the ledger and reports",
        application="erp",
        owner="rainer.albrecht",
        direct=("katharina.lindner", "henrik.soerensen", "paul.adler", "sabine.kraft"),
    ),
    Bundle(
        key="accountant",
        name="Accountant",
        description="Enter and change invoices",
        application="erp",
        owner="rainer.albrecht",
        risk="medium",
        birthright=("Finance",),
    ),
    Bundle(
        key="payment-approver",
        name="Payment Approver",
        description="Release payments",
        application="erp",
        owner="rainer.albrecht",
        approval="manager_then_owner",
        max_days=180,
        risk="critical",
        privileged=True,
        direct=("rainer.albrecht", "monika.seidel", "george.papadopoulos"),
    ),
    Bundle(
        key="people-portal-user",
        name="People Portal User",
        description="See one's own file and ask for leave",
        application="hr",
        owner="christine.vogel",
        requestable=False,
        protected=True,
        birthright=("*",),
    ),
    Bundle(
        key="hr-case-worker",
        name="HR Case Worker",
        description="Read and change personnel files",
        application="hr",
        owner="christine.vogel",
        approval="owner",
        risk="high",
        direct=("katja.stein", "dorothea.pfeiffer", "martin.berger", "birgit.horn"),
    ),
    Bundle(
        key="hr-administrator",
        name="HR Administrator",
        description="Configure the people portal",
        application="hr",
        owner="christine.vogel",
        approval="manager_then_owner",
        max_days=180,
        risk="high",
        privileged=True,
        direct=("christine.vogel",),
    ),
    Bundle(
        key="code-reader",
        name="Code Reader",
        description="Read all repositories",
        application="git",
        owner="nadia.haddad",
        direct=("mareike.claasen", "hassan.rahimi", "yuki.tanaka", "oliver.brooks"),
    ),
    Bundle(
        key="developer",
        name="Developer",
        description="Write to repositories and start builds",
        application="git",
        owner="nadia.haddad",
        risk="medium",
        birthright=("Engineering",),
    ),
    Bundle(
        key="code-maintainer",
        name="Code Maintainer",
        description="Merge to the main branch and change build secrets",
        application="git",
        owner="nadia.haddad",
        approval="manager_then_owner",
        max_days=365,
        risk="high",
        privileged=True,
        direct=("nadia.haddad", "simone.graf", "maja.horvat", "sanjay.patel"),
    ),
    Bundle(
        key="wiki-editor",
        name="Wiki Editor",
        description="Change every page of the wiki",
        application="wiki",
        owner="olivia.marchetti",
        approval="none",
        direct=("olivia.marchetti", "rosa.jimenez", "ole.hansen", "emre.demir", "tim.vogt"),
    ),
    Bundle(
        key="service-desk-agent",
        name="Service Desk Agent",
        description="Answer tickets",
        application="tickets",
        owner="noah.vandenberg",
        birthright=("Customer Support",),
        direct=("lena.fuchs", "sarah.klein", "noah.vandenberg"),
    ),
    Bundle(
        key="ticket-administrator",
        name="Ticket Administrator",
        description="Configure queues and read every ticket",
        application="tickets",
        owner="noah.vandenberg",
        approval="owner",
        max_days=180,
        risk="medium",
        privileged=True,
        direct=("noah.vandenberg", "teresa.almeida"),
    ),
    Bundle(
        key="remote-access",
        name="Remote Access",
        description="Connect from outside the offices",
        application="vpn",
        owner="irina.volkova",
        max_days=365,
        direct=("lea.brandt", "tim.vogt", "jonas.weber", "priya.nair", "ravi.menon", "wei.chen", "yuki.tanaka"),
    ),
    Bundle(
        key="backup-operator",
        name="Backup Operator",
        description="Start and restore backups",
        application="warehouse",
        owner="andreas.pohl",
        approval="owner",
        max_days=180,
        risk="high",
        privileged=True,
        direct=("andreas.pohl", "greta.lorenz", "peter.maier"),
    ),
    Bundle(
        key="warehouse-analyst",
        name="Warehouse Analyst",
        description="Query figures without personal data",
        application="warehouse",
        owner="peter.maier",
        max_days=365,
        direct=("nora.jansen", "linh.nguyen", "oskar.lindqvist", "sophie.laurent", "jan.devries"),
    ),
    Bundle(
        key="production-access",
        name="Production Access",
        description="Sign in to production servers during an incident",
        application="warehouse",
        owner="nadia.haddad",
        approval="manager_then_owner",
        max_days=7,
        risk="critical",
        privileged=True,
        direct=("maximilian.roth", "agnieszka.nowak"),
    ),
    Bundle(
        key="fax-gateway-user",
        name="Fax Gateway User",
        description="Send faxes; the gateway was switched off",
        application="fax",
        owner="irina.volkova",
        requestable=False,
        status="retired",
    ),
    *MORE_BUNDLES,
)


def birthright_rule(bundle: Bundle) -> str | None:
    """Return the rule by which people hold a role: of these departments, and no technical accounts."""
    if not bundle.birthright:
        return None
    persons = 'user_type ne "service"'
    if "*" in bundle.birthright:
        return persons
    departments = " or ".join(f'department eq "{name}"' for name in bundle.birthright)
    return f"({departments}) and {persons}" if len(bundle.birthright) > 1 else f"{departments} and {persons}"


def make_roles(people: People, now: datetime) -> list[RoleRow]:
    """Return the roles."""
    rows = []
    for bundle in BUNDLES:
        created = now - timedelta(days=150 + spread(f"role:{bundle.key}", 800))
        rows.append(
            RoleRow(
                id=sample_id("rol", bundle.key),
                key=bundle.key,
                display_name=bundle.name,
                description=bundle.description,
                application_id=sample_id("app", bundle.application),
                owner_ids=[people[bundle.owner].id],
                requestable=bundle.requestable,
                approval=bundle.approval,
                max_days=bundle.max_days,
                risk=bundle.risk,
                privileged=bundle.privileged,
                status=bundle.status,
                birthright_rule=birthright_rule(bundle),
                protected=bundle.protected,
                created_at=created,
                updated_at=created,
            )
        )
    return rows
