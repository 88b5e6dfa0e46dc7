"""The applications of the sample organisation, and how Nova reaches seven of them."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.nova.sample_organisation.groups import People
from nova_ui.nova.sample_organisation.seeds import sample_id, spread, working_time
from storage.encryption import Encryption
from storage.nova.application_tables import SECRET_OF, ConnectionRow, secret_place
from storage.nova.tables import ApplicationRow


@dataclass(frozen=True, slots=True)
class _Application:
    key: str
    display_name: str
    description: str
    owner: str
    status: str = "enabled"
    requestable: bool = True
    automatic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Connection:
    """How an application is reached; `code` is how the last test went, None: it was never tested."""

    application: str
    kind: str
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    code: str | None


_APPLICATIONS: Final = (
    _Application("crm", "Customer Relations", "Customers, offers and contracts", "lea.brandt"),
    _Application("erp", "Finance Suite", "Ledger, invoices and payments", "rainer.albrecht", automatic=True),
    _Application("hr", "People Portal", "Personnel files, leave and payroll", "christine.vogel"),
    _Application("git", "Source Code", "Repositories and build pipelines", "nadia.haddad", automatic=True),
    _Application("wiki", "Company Wiki", "What everybody should find", "olivia.marchetti"),
    _Application("tickets", "Ticket Desk", "Questions and incidents", "noah.vandenberg"),
    _Application("vpn", "Remote Access", "Way into the office networks", "irina.volkova"),
    _Application("warehouse", "Data Warehouse", "Figures from all systems", "peter.maier"),
    _Application("travel", "Travel and Expenses", "Bookings and receipts", "rainer.albrecht", automatic=True),
    _Application("learning", "Learning Hub", "Courses and certificates", "christine.vogel"),
    _Application("rooms", "Meeting Rooms", "Rooms and desks of all offices", "olivia.marchetti"),
    _Application("badges", "Door Badges", "Who opens which door", "irina.volkova", requestable=False),
    _Application("design", "Design Studio", "Drafts and the style guide", "maja.horvat", status="draft"),
    _Application("fax", "Fax Gateway", "Switched off last year", "irina.volkova", status="disabled", requestable=False),
)


def _oidc(application: str, host: str, code: str | None) -> _Connection:
    return _Connection(
        application=application,
        kind="oidc",
        settings={
            "issuer": "https://login.nova.example",
            "client_id": f"nova-{application}",
            "redirect_uris": [f"https://{host}/callback"],
            "post_logout_redirect_uris": [f"https://{host}/"],
            "grant_types": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_method": "client_secret_basic",
        },
        code=code,
    )


def _scim(application: str, base_url: str, code: str | None) -> _Connection:
    settings: dict[str, JsonValue] = {"base_url": base_url, "auth": "bearer", "verify_tls": True}
    return _Connection(application=application, kind="scim", settings=settings, code=code)


_CONNECTIONS: Final = (
    _oidc("crm", "crm.nova.example", "ok_oidc"),
    _oidc("wiki", "wiki.nova.example", "ok_oidc"),
    _oidc("design", "studio.nova.example", None),
    _scim("git", "https://code.nova.example/scim/v2", "ok_scim"),
    _scim("erp", "https://finance.nova.example/api/scim/v2", "ok_scim"),
    _scim("travel", "https://travel.partner.example/scim", "credentials"),
    _Connection(
        application="vpn",
        kind="ldap",
        settings={
            "url": "ldaps://directory.nova.example",
            "start_tls": False,
            "bind_dn": "cn=nova,ou=services,dc=nova,dc=example",
            "base_dn": "dc=nova,dc=example",
            "user_filter": "(objectClass=inetOrgPerson)",
            "group_filter": "(objectClass=groupOfNames)",
        },
        code="ok_ldap",
    ),
)


def make_applications(people: People, now: datetime) -> list[ApplicationRow]:
    """Return the applications."""
    rows = []
    for application in _APPLICATIONS:
        created = now - timedelta(days=400 + spread(f"application:{application.key}", 600))
        rows.append(
            ApplicationRow(
                id=sample_id("app", application.key),
                key=application.key,
                display_name=application.display_name,
                description=application.description,
                owner_ids=[people[application.owner].id],
                status=application.status,
                requestable=application.requestable,
                provisioning="automatic" if application.automatic else "manual",
                created_at=created,
                updated_at=now - timedelta(days=100 + spread(f"secret:{application.key}", 200)),
            )
        )
    return rows


def make_connections(encryption: Encryption, now: datetime) -> list[ConnectionRow]:
    """Return the connections; secrets are random and sealed: nobody knows them, they are only there to hide."""
    rows = []
    for connection in _CONNECTIONS:
        column, row_id = SECRET_OF[connection.kind], sample_id("app", connection.application)
        changed = now - timedelta(days=100 + spread(f"secret:{connection.application}", 200))
        row = ConnectionRow(
            id=row_id,
            kind=connection.kind,
            settings=dict(connection.settings),
            secret_set_at=changed,
            test_state=_state(connection.code),
            tested_at=working_time(now, 9, f"test:{connection.application}") if connection.code else None,
            test_code=connection.code,
            created_at=changed,
            updated_at=changed,
        )
        setattr(row, column, encryption.seal(secrets.token_urlsafe(32), secret_place(column, row_id)))
        rows.append(row)
    return rows


def _state(code: str | None) -> str:
    if code is None:
        return "untested"
    return "ok" if code.startswith("ok_") else "failing"
