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
    _E("crm", "customer.read", "Read customers", "See customers and their contacts", ("crm-user",)),
    _E("crm", "offer.write", "Write offers", "Create and send own offers", ("crm-user",)),
    _E("crm", "customer.write", "Change customers", "Change every customer", ("crm-editor",), "medium"),
    _E(
        "crm",
        "customer.export",
        "Export customers",
        "Take out all customer data",
        (),
        "high",
        requestable=True,
        owner="lea.brandt",
    ),
    _E(
        "crm",
        "system.admin",
        "Configure CRM",
        "Fields, workflows and users",
        ("crm-administrator",),
        "high",
        privileged=True,
    ),
    _E("erp", "ledger.read", "Read ledger", "See ledger and reports", ("finance-viewer", "accountant")),
    _E("erp", "invoice.write", "Enter invoices", "Enter and change invoices", ("accountant",), "medium"),
    _E(
        "erp",
        "payment.release",
        "Release payments",
        "Release payments of any amount",
        ("payment-approver",),
        "critical",
        privileged=True,
    ),
    _E("hr", "self.read", "Own personnel file", "See one's own file", ("people-portal-user",)),
    _E("hr", "file.write", "Personnel files", "Read and change personnel files", ("hr-case-worker",), "high"),
    _E("hr", "payroll.read", "Read payroll", "See salaries", (), "high", requestable=True, owner="christine.vogel"),
    _E(
        "hr",
        "system.admin",
        "Configure People Portal",
        "Forms, rules and users",
        ("hr-administrator",),
        "high",
        privileged=True,
    ),
    _E("git", "repo.read", "Read repositories", "Clone every repository", ("code-reader",)),
    _E("git", "repo.write", "Write repositories", "Push branches and start builds", ("developer",), "medium"),
    _E(
        "git",
        "repo.merge",
        "Merge to main",
        "Merge to protected branches",
        ("code-maintainer",),
        "high",
        privileged=True,
    ),
    _E(
        "git",
        "secret.write",
        "Build secrets",
        "Change what builds sign in with",
        ("code-maintainer",),
        "critical",
        privileged=True,
    ),
    _E("wiki", "page.write", "Edit pages", "Change every page", ("wiki-editor",)),
    _E("wiki", "space.create", "Create spaces", "Open new spaces", (), requestable=True, owner="olivia.marchetti"),
    _E("tickets", "ticket.write", "Answer tickets", "Answer and close tickets", ("service-desk-agent",)),
    _E(
        "tickets",
        "queue.admin",
        "Configure queues",
        "Queues, rules and texts",
        ("ticket-administrator",),
        "medium",
        privileged=True,
    ),
    _E("tickets", "report.read", "Ticket reports", "See figures of all queues", (), requestable=True),
    _E("vpn", "vpn.connect", "Connect from outside", "Standard profile", ("remote-access",)),
    _E(
        "vpn",
        "vpn.admin-net",
        "Administration network",
        "Reach the servers' own network",
        ("production-access",),
        "high",
        privileged=True,
    ),
    _E("vpn", "fax.send", "Send faxes", "Gateway that was switched off", ("fax-gateway-user",)),
    _E("warehouse", "figures.read", "Query figures", "Figures without personal data", ("warehouse-analyst",)),
    _E(
        "warehouse",
        "raw.read",
        "Raw data",
        "Everything, personal data too",
        (),
        "high",
        requestable=True,
        owner="peter.maier",
    ),
    _E(
        "warehouse",
        "backup.run",
        "Run backups",
        "Start and restore backups",
        ("backup-operator",),
        "high",
        privileged=True,
    ),
    _E(
        "warehouse",
        "server.shell",
        "Server shell",
        "Sign in to production servers",
        ("production-access",),
        "critical",
        privileged=True,
    ),
    _E("mail", "mailbox.delegate", "Team mailboxes", "Read and answer for a team", ("mailbox-delegate",), "medium"),
    _E("mail", "trace.read", "Trace messages", "See where messages went", ("mail-administrator",), "medium"),
    _E(
        "mail",
        "system.admin",
        "Configure mail",
        "Mailboxes, rules and domains",
        ("mail-administrator",),
        "high",
        privileged=True,
    ),
    _E("teamchat", "channel.create", "Open channels", "Open channels for everybody", ("chat-moderator",)),
    _E("teamchat", "message.remove", "Remove messages", "Remove what others wrote", ("chat-moderator",), "medium"),
    _E("files", "shared.write", "Shared folders", "Write to all shared folders", ("files-editor",), "medium"),
    _E("files", "quota.write", "Quotas", "Set quotas", ("files-administrator",)),
    _E(
        "files",
        "everything.read",
        "Every folder",
        "Read every folder",
        ("files-administrator",),
        "high",
        privileged=True,
    ),
    _E("files", "legacy.share", "Old share", "Found in the application, not looked at yet", status="discovered"),
    _E("monitoring", "state.read", "State of services", "See dashboards", ("monitoring-viewer",)),
    _E("monitoring", "alarm.silence", "Silence alarms", "Silence alarms for a while", ("on-call-engineer",), "medium"),
    _E(
        "monitoring",
        "service.restart",
        "Restart services",
        "Restart any service",
        ("on-call-engineer",),
        "high",
        privileged=True,
    ),
    _E(
        "signing",
        "document.prepare",
        "Prepare contracts",
        "Upload and send contracts",
        (),
        requestable=True,
        owner="rainer.albrecht",
    ),
    _E(
        "signing",
        "document.sign",
        "Sign contracts",
        "Sign for the company",
        ("contract-signer",),
        "critical",
        privileged=True,
    ),
    _E("shop", "article.write", "Change articles", "Articles, prices and pictures", ("shop-editor",), "medium"),
    _E("shop", "refund.pay", "Pay refunds", "Pay customers back", ("shop-refunds",), "high", privileged=True),
    _E("shop", "coupon.write", "Coupons", "Create coupons", (), "medium", requestable=True),
    _E("shop", "beta.access", "Shop beta", "Was taken down", status="gone"),
)
_BY_KEY: Final = {one.key: one for one in ENTITLEMENTS}


def entitlement_of(key: str) -> SampleEntitlement:
    """Return the entitlement called `application:native_name`."""
    return _BY_KEY[key]
