"""The assistants that exist after the sample organisation was loaded."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.assistant import ADMIN_CHAT_KEY, Assistant, AssistantKey, Audience, AudienceKind, ToolList
from nova_ui.domain.identity import Language, Role

_READS_FOR_EVERYONE: Final = (
    "search_directory",
    "get_identity_access",
    "get_identity",
    "list_groups",
    "list_roles",
    "list_assignments",
    "list_access_requests",
    "list_approvals",
    "search_catalog",
    "list_sessions",
    "explain_access",
)
_SELF_SERVICE: Final = (
    "update_my_profile",
    "request_access",
    "request_same_access_as",
    "request_access_for",
    "cancel_my_request",
    "decide_approval",
    "end_my_session",
)
_OWN_READS: Final = (
    "get_identity",
    "get_identity_access",
    "explain_access",
    "search_catalog",
    "search_directory",  # whom a request is for, or whose access it asks for
    "list_access_requests",
    "list_approvals",
    "list_sessions",
)
_READS_FOR_AUDITORS: Final = (
    *_READS_FOR_EVERYONE,
    "search_identities",
    "list_applications",
    "search_audit_log",
    "list_lifecycle_routines",
    "preview_lifecycle_routine",
    "compare_access",
    "run_report",
    "list_entitlements",
    "get_sign_in_policy",
    "explain_sign_in",
    "verify_audit_log",
)

_ADMIN: Final = Assistant(
    key=ADMIN_CHAT_KEY,
    names=MappingProxyType({Language.ENGLISH: "Admin Chat", Language.GERMAN: "Admin-Chat"}),
    descriptions=MappingProxyType(
        {
            Language.ENGLISH: "Reads and changes everything an administrator may. "
            "Before anything destructive it shows what will happen and waits for you.",
            Language.GERMAN: "Liest und ändert alles, was Administratoren dürfen. "
            "Vor allem Destruktiven zeigt er, was geschehen wird, und wartet auf Sie.",
        }
    ),
    prompt="You help the administrators of Nova. Prefer figures and short tables.",
    tools=ToolList(all_tools=True),
    audience=Audience(kind=AudienceKind.ADMINISTRATORS),
    starters=MappingProxyType(
        {
            Language.ENGLISH: (
                "Show all contractors in Sales",
                "Which identities are suspended?",
                "Delete the group external-auditors",
                "Show today's audit log",
            ),
            Language.GERMAN: (
                "Zeige alle Externen in der Abteilung Sales",
                "Welche Identitäten sind gesperrt?",
                "Lösche die Gruppe external-auditors",
                "Zeige das Audit-Log von heute",
            ),
        }
    ),
    position=0,
)
_HELPDESK: Final = Assistant(
    key=AssistantKey("helpdesk"),
    names=MappingProxyType({Language.ENGLISH: "Helpdesk", Language.GERMAN: "Helpdesk"}),
    descriptions=MappingProxyType(
        {
            Language.ENGLISH: "Shows your access, finds colleagues, asks for roles in your name.",
            Language.GERMAN: "Zeigt Ihren Zugriff, findet Kolleginnen und Kollegen, beantragt Rollen in Ihrem Namen.",
        }
    ),
    prompt="You help the people of this organisation with their own access. Be brief and friendly.",
    tools=ToolList(names=frozenset({*_READS_FOR_EVERYONE, *_SELF_SERVICE})),
    audience=Audience(kind=AudienceKind.EVERYONE),
    starters=MappingProxyType(
        {
            Language.ENGLISH: ("What access do I have?", "Which roles can I request?", "Find Anna Schmidt"),
            Language.GERMAN: (
                "Welchen Zugriff habe ich?",
                "Welche Rollen kann ich beantragen?",
                "Suche Anna Schmidt",
            ),
        }
    ),
    position=10,
)
_AUDIT: Final = Assistant(
    key=AssistantKey("audit"),
    names=MappingProxyType({Language.ENGLISH: "Audit assistant", Language.GERMAN: "Audit-Assistent"}),
    descriptions=MappingProxyType(
        {
            Language.ENGLISH: "Answers who did what and who may what. Reads only.",
            Language.GERMAN: "Beantwortet, wer was getan hat und wer was darf. Liest nur.",
        }
    ),
    prompt="You help auditors. Name entries and objects by id and give times in UTC.",
    tools=ToolList(names=frozenset(_READS_FOR_AUDITORS)),
    audience=Audience(kind=AudienceKind.ROLES, roles=frozenset({Role.AUDITOR, Role.ADMINISTRATOR})),
    starters=MappingProxyType(
        {
            Language.ENGLISH: (
                "Show the audit log of the last 7 days",
                "List all privileged roles",
                "List all sessions",
            ),
            Language.GERMAN: (
                "Zeige das Audit-Log der letzten 7 Tage",
                "Liste alle privilegierten Rollen auf",
                "Liste alle Sitzungen auf",
            ),
        }
    ),
    position=20,
)
_MY_ACCESS: Final = Assistant(
    key=AssistantKey("my-access"),
    names=MappingProxyType({Language.ENGLISH: "My access", Language.GERMAN: "Mein Zugriff"}),
    descriptions=MappingProxyType(
        {
            Language.ENGLISH: "What you may use and why, your requests, and what waits for your decision.",
            Language.GERMAN: "Was Sie nutzen dürfen und warum, Ihre Anträge und was auf Ihre Entscheidung wartet.",
        }
    ),
    prompt="You help people with their own access, requests and decisions. Speak of nobody else's. Be brief.",
    tools=ToolList(names=frozenset({*_OWN_READS, *_SELF_SERVICE})),
    audience=Audience(kind=AudienceKind.EVERYONE),
    starters=MappingProxyType(
        {
            Language.ENGLISH: (
                "What access do I have?",
                "Which roles can I request?",
                "What is waiting for my decision?",
            ),
            Language.GERMAN: (
                "Welche Zugriffe habe ich?",
                "Welche Rollen kann ich beantragen?",
                "Was wartet auf meine Entscheidung?",
            ),
        }
    ),
    position=30,
)
_SERVICE_DESK: Final = Assistant(
    key=AssistantKey("service-desk"),
    names=MappingProxyType({Language.ENGLISH: "Service desk", Language.GERMAN: "Service-Desk"}),
    descriptions=MappingProxyType(
        {
            Language.ENGLISH: "Finds out why somebody can't work, unlocks, and suspends where there is danger.",
            Language.GERMAN: "Findet heraus, warum jemand nicht arbeiten kann, entsperrt und sperrt bei Gefahr.",
        }
    ),
    prompt="You help the service desk. Look first, change only what you are asked to, and name people by id.",
    tools=ToolList(names=frozenset({*_READS_FOR_AUDITORS, "test_application", "unlock_identity", "suspend_identity"})),
    audience=Audience(kind=AudienceKind.ADMINISTRATORS),
    starters=MappingProxyType(
        {
            Language.ENGLISH: ("Unlock Tim Vogt", "Show me Tim Vogt's details", "Show the failed sign-ins"),
            Language.GERMAN: (
                "Entsperre Tim Vogt",
                "Zeige mir die Daten von Tim Vogt",
                "Zeige die fehlgeschlagenen Anmeldungen",
            ),
        }
    ),
    position=40,
)

ASSISTANTS: Final = (_ADMIN, _HELPDESK, _AUDIT, _MY_ACCESS, _SERVICE_DESK)
