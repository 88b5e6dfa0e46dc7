"""The entitlements of the sample organisation's applications, as they are described."""

from dataclasses import dataclass
from typing import Final

from nova_ui.nova.sample_organisation.seeds import sample_id


@dataclass(frozen=True, slots=True)
class SampleEntitlement:
    """A right as it is described here; `roles` bundle it."""

    application: str
    native_name: str
    name: str
    description: str
    roles: tuple[str, ...] = ()
    risk: str = "low"
    privileged: bool = False
    requestable: bool = False
    owner: str = ""
    status: str = "managed"

    @property
    def key(self) -> str:
        """How it is named here."""
        return f"{self.application}:{self.native_name}"

    @property
    def id(self) -> str:
        """The id of its row."""
        return sample_id("ent", self.key)


_E = SampleEntitlement
ENTITLEMENTS: Final = (
    _E("crm", "customer.read", "Customer View", "See customers and their contacts", ("crm-user",)),
    _E("crm", "offer.write", "Offer Entry", "Create and send own offers", ("crm-user",)),
    _E("crm", "customer.write", "Customer Maintenance", "Change every customer", ("crm-editor",), "medium"),
    _E(
        "crm",
        "customer.export",
        "Customer Export",
        "Take out all customer data",
        (),
        "high",
        requestable=True,
        owner="lea.brandt",
    ),
    _E(
        "crm",
        "system.admin",
        "CRM Configuration",
        "Fields, workflows and users",
        ("crm-administrator",),
        "high",
        privileged=True,
    ),
    _E("erp", "ledger.read", "Ledger View", "See ledger and reports", ("finance-viewer", "accountant")),
    _E("erp", "invoice.write", "Invoice Entry", "Enter and change invoices", ("accountant",), "medium"),
    _E(
        "erp",
        "payment.release",
        "Payment Release",
        "Release payments of any amount",
        ("payment-approver",),
        "critical",
        privileged=True,
    ),
    _E("hr", "self.read", "Own Personnel File", "See one's own file", ("people-portal-user",)),
    _E("hr", "file.write", "Personnel Files", "Read and change personnel files", ("hr-case-worker",), "high"),
    _E("hr", "payroll.read", "Payroll View", "See salaries", (), "high", requestable=True, owner="christine.vogel"),
    _E(
        "hr",
        "system.admin",
        "Portal Configuration",
        "Forms, rules and users",
        ("hr-administrator",),
        "high",
        privileged=True,
    ),
    _E("git", "repo.read", "Repository View", "Clone every repository", ("code-reader",)),
    _E("git", "repo.write", "Repository Push", "Push branches and start builds", ("developer",), "medium"),
    _E(
        "git",
        "repo.merge",
        "Main Branch Merge",
        "Merge to protected branches",
        ("code-maintainer",),
        "high",
        privileged=True,
    ),
    _E(
        "git",
        "secret.write",
        "Build Secrets",
        "Change what builds sign in with",
        ("code-maintainer",),
        "critical",
        privileged=True,
    ),
    _E("git", "release.publish", "Release", "Publish and roll back", ("release-manager",), "high", privileged=True),
    _E("wiki", "page.write", "Page Editing", "Change every page", ("wiki-editor",)),
    _E("wiki", "space.create", "Wiki Spaces", "Open new spaces", (), requestable=True, owner="olivia.marchetti"),
    _E("tickets", "ticket.write", "Ticket Handling", "Answer and close tickets", ("service-desk-agent",)),
    _E(
        "tickets",
        "queue.admin",
        "Queue Configuration",
        "Queues, rules and texts",
        ("ticket-administrator",),
        "medium",
        privileged=True,
    ),
    _E("tickets", "report.read", "Ticket Reports", "See figures of all queues", ("ticket-reporter",), requestable=True),
    _E("vpn", "vpn.connect", "Outside Connection", "Standard profile", ("remote-access",)),
    _E(
        "vpn",
        "vpn.admin-net",
        "Administration Network",
        "Reach the servers' own network",
        ("production-access",),
        "high",
        privileged=True,
    ),
    _E("warehouse", "figures.read", "Figures", "Figures without personal data", ("warehouse-analyst",)),
    _E(
        "warehouse",
        "raw.read",
        "Raw Data",
        "Everything, personal data too",
        (),
        "high",
        requestable=True,
        owner="peter.maier",
    ),
    _E(
        "warehouse",
        "backup.run",
        "Backups",
        "Start and restore backups",
        ("backup-operator",),
        "high",
        privileged=True,
    ),
    _E(
        "warehouse",
        "server.shell",
        "Server Shell",
        "Sign in to production servers",
        ("production-access",),
        "critical",
        privileged=True,
    ),
    _E("travel", "trip.book", "Team Bookings", "Book trips for a team", ("travel-booker",)),
    _E(
        "travel",
        "expense.release",
        "Expense Release",
        "Release expenses",
        ("expense-approver",),
        "high",
        privileged=True,
    ),
    _E(
        "travel",
        "card.read",
        "Company Cards",
        "See payments by company card",
        (),
        "medium",
        requestable=True,
        owner="rainer.albrecht",
    ),
    _E("learning", "course.write", "Course Authoring", "Write and publish courses", ("course-author",)),
    _E(
        "learning",
        "result.read",
        "Course Results",
        "See everybody's results",
        ("learning-administrator",),
        "medium",
        privileged=True,
    ),
    _E("learning", "legacy.import", "Old Import", "Found in the application, not looked at yet", status="discovered"),
    _E("rooms", "room.block", "Room Blocking", "Open, close and block rooms", ("room-manager",)),
    _E("rooms", "catering.order", "Catering", "Order food for meetings", (), requestable=True),
    _E("badges", "badge.issue", "Badge Issue", "Hand out and block badges", ("badge-issuer",), "high"),
    _E(
        "badges",
        "door.assign",
        "Door Assignment",
        "Decide what a badge opens",
        ("badge-administrator",),
        "critical",
        privileged=True,
    ),
    _E("design", "draft.write", "Drafts", "Change drafts", ("design-editor",)),
    _E("design", "guide.write", "Style Guide", "Change the style guide", ("design-editor",), "medium"),
    _E("fax", "fax.send", "Fax Sending", "Send faxes through the gateway", ("fax-gateway-user",)),
    _E("fax", "fax.archive", "Fax Archive", "Went with the gateway", status="gone"),
)
_BY_KEY: Final = {one.key: one for one in ENTITLEMENTS}


def entitlement_of(key: str) -> SampleEntitlement:
    """Return the entitlement called `application:native_name`."""
    return _BY_KEY[key]
