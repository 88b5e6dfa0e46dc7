"""Which pages there are, in the order of the side bar, and who may open each."""

from dataclasses import dataclass
from typing import Final

from nova_ui.domain.identity import EVERYONE, Identity, Role
from nova_ui.domain.text import mark

AUDITING: Final = frozenset({Role.ADMINISTRATOR, Role.AUDITOR})
ADMINISTRATORS: Final = frozenset({Role.ADMINISTRATOR})
OVERSEEING: Final = AUDITING | {Role.MANAGER}
DIRECTORY: Final = mark("Directory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A page of the side bar. `label` and `section` are message ids; pages without a section come first."""

    path: str
    label: str
    icon: str
    section: str = ""
    roles: frozenset[Role] = EVERYONE

    def is_open_to(self, identity: Identity) -> bool:
        """Whether `identity` may open the page."""
        return bool(self.roles & identity.roles)

    def holds(self, path: str) -> bool:
        """Whether a page at `path` is this one, or one of its objects."""
        return path == self.path or (self.path != "/" and path.startswith(f"{self.path}/"))


HOME: Final = Place(path="/", label=mark("Nova AI"), icon="forum")
CHATS: Final = Place(path="/chats", label=mark("Chat history"), icon="history")
ACCESS: Final = Place(path="/access", label=mark("My access"), icon="key")
IDENTITIES: Final = Place(
    path="/identities", label=mark("Identities"), icon="person", section=DIRECTORY, roles=OVERSEEING
)
GROUPS: Final = Place(path="/groups", label=mark("Groups"), icon="groups", section=DIRECTORY, roles=AUDITING)
ROLES: Final = Place(path="/roles", label=mark("Roles"), icon="badge", section=DIRECTORY, roles=OVERSEEING)
APPLICATIONS: Final = Place(
    path="/applications", label=mark("Applications"), icon="apps", section=DIRECTORY, roles=AUDITING
)
AUDIT_LOG: Final = Place(
    path="/monitoring/audit-log",
    label=mark("Audit log"),
    icon="fact_check",
    section=mark("Monitoring"),
    roles=AUDITING,
)
SESSIONS: Final = Place(
    path="/monitoring/sessions",
    label=mark("Sessions"),
    icon="devices",
    section=mark("Monitoring"),
    roles=AUDITING,
)
REPORTS: Final = Place(
    path="/monitoring/reports",
    label=mark("Reports"),
    icon="summarize",
    section=mark("Monitoring"),
    roles=AUDITING,
)
AI_USAGE: Final = Place(
    path="/monitoring/ai-usage",
    label=mark("AI usage"),
    icon="query_stats",
    section=mark("Monitoring"),
    roles=AUDITING,
)
ASSISTANTS: Final = Place(
    path="/administration/assistants",
    label=mark("AI assistants"),
    icon="smart_toy",
    section=mark("Administration"),
    roles=ADMINISTRATORS,
)
ROUTINES: Final = Place(
    path="/administration/routines",
    label=mark("Lifecycle routines"),
    icon="autorenew",
    section=mark("Administration"),
    roles=ADMINISTRATORS,
)
SIGN_IN_POLICY: Final = Place(
    path="/administration/sign-in",
    label=mark("Sign-in policy"),
    icon="lock_person",
    section=mark("Administration"),
    roles=ADMINISTRATORS,
)
AI_CONFIGURATION: Final = Place(
    path="/administration/ai",
    label=mark("AI configuration"),
    icon="hub",
    section=mark("Administration"),
    roles=ADMINISTRATORS,
)
AI_BUDGET: Final = Place(
    path="/administration/ai-budget",
    label=mark("AI budget"),
    icon="savings",
    section=mark("Administration"),
    roles=ADMINISTRATORS,
)
AI_ROUTINES: Final = Place(
    path="/administration/ai-routines",
    label=mark("AI routine assistants"),
    icon="schedule",
    section=mark("Administration"),
    roles=ADMINISTRATORS,
)
OWN_SETTINGS: Final = Place(path="/me", label=mark("Own settings"), icon="manage_accounts")

SIDE_BAR: Final = (
    HOME,
    CHATS,
    ACCESS,
    IDENTITIES,
    GROUPS,
    ROLES,
    APPLICATIONS,
    AUDIT_LOG,
    SESSIONS,
    REPORTS,
    AI_USAGE,
    ROUTINES,
    ASSISTANTS,
    SIGN_IN_POLICY,
    AI_ROUTINES,
    AI_CONFIGURATION,
    AI_BUDGET,
)


def places_for(identity: Identity) -> tuple[Place, ...]:
    """Return the pages of the side bar that `identity` may open."""
    return tuple(place for place in SIDE_BAR if place.is_open_to(identity))
