"""What people say about access requests, approvals and the catalogue."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import Phrases, Phrasing, Slot, SlotKind
from nova_ui.tools.phrases.details import REASON, REASON_SLOT, ROWS, ROWS_SLOT, setting
from nova_ui.tools.phrases.references import (
    ANY_ROLE,
    APPLICATION,
    CATALOGUE_ENTITLEMENT,
    CATALOGUE_ROLE,
    IDENTITY,
    OPEN_APPROVAL,
    PENDING_REQUEST,
)

_DAY: Final = Slot(kind=SlotKind.DAY)
_TEXT: Final = Slot(kind=SlotKind.TEXT)
_DECISION: Final = "decision"

LIST_ACCESS_REQUESTS: Final = Phrases(
    english=(
        "[access] [my/own] requests",
        "[my/own] [access] requests",
        "requests of/from/by [identity] {requester_id}",
        "{requester_id} 's requests",
        "requests for [the] role {role_id}",
        "status of my/own request/requests",
    ),
    german=(
        "[meine/eigenen] requests",
        "requests von [identity] {requester_id}",
        "requests auf/fuer [die] rolle {role_id}",
    ),
    details=(
        ROWS,
        setting("status", "pending", ("pending",)),
        setting("status", "denied", ("denied",)),
        setting("status", "completed", ("completed",)),
        setting("status", "approved", ("approved",)),
        setting("status", "cancelled", ("cancelled",)),
        setting("status", "expired", ("expired",)),
        Phrasing(
            english=("filed/submitted/created since/after {created_after}", "since {created_after}"),
            german=("seit {created_after} [gestellt/eingereicht]",),
        ),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT, "created_after": _DAY}),
    references=MappingProxyType({"requester_id": IDENTITY, "role_id": ANY_ROLE}),
)

SEARCH_CATALOG: Final = Phrases(
    english=(
        "roles | can i/we request",
        "what can i request",
        "[access] can i request",
        "catalog",
        "role for {q} | in [the] catalog",
        "search [the] catalog [for] {q}",
    ),
    german=(
        "rollen | kann/koennen ich/wir beantragen",
        "was kann ich [alles] beantragen",
        "access kann ich beantragen",
        "katalog",
        "im katalog | rolle fuer {q}",
        "suche [im] katalog nach {q}",
    ),
    details=(
        ROWS,
        Phrasing(
            english=("for/of [the] application {application_id}",),
            german=("fuer/der [die] anwendung {application_id}",),
        ),
        Phrasing(english=("requestable",)),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT}),
    references=MappingProxyType({"application_id": APPLICATION}),
)

REQUEST_ACCESS: Final = Phrases(
    english=(
        "request/apply [for] [the] role {role_ids}",
        "request/apply [for] [the] {role_ids} role",
        "request/apply [for] access [to] {role_ids}",
        "request {role_ids}",
        "request/apply [for] [the] single_right/single_rights {entitlement_ids}",
        "need [the] single_right/single_rights {entitlement_ids}",
        "want/like access to {role_ids}",
        "need access to {role_ids}",
        "need [the] role {role_ids}",
    ),
    german=(
        "beantrage | [die] rolle {role_ids}",
        "beantrage | access auf/zu [die] {role_ids}",
        "beantrage {role_ids}",
        "beantrage | [die] single_right/single_rights {entitlement_ids}",
        "brauche/benoetige | single_right/single_rights {entitlement_ids}",
        "moechte/will/haette access auf/zu [die] {role_ids}",
        "brauche/benoetige | access auf/zu [die] {role_ids}",
        "brauche/benoetige | rolle {role_ids}",
    ),
    details=(
        Phrasing(
            english=("because/since/as {justification}", "for the {justification}", "to {justification}"),
            german=("weil/da/denn {justification}", "fuer {justification}", "um {justification}"),
        ),
        Phrasing(english=("until/till {valid_until}",), german=("bis [zum] {valid_until}",)),
        Phrasing(english=("for me/myself",), german=("fuer mich",)),
    ),
    slots=MappingProxyType(
        {
            "role_ids": Slot(kind=SlotKind.NAMES),
            "entitlement_ids": Slot(kind=SlotKind.NAMES),
            "justification": _TEXT,
            "valid_until": _DAY,
        },
    ),
    references=MappingProxyType({"role_ids": CATALOGUE_ROLE, "entitlement_ids": CATALOGUE_ENTITLEMENT}),
)

REQUEST_ACCESS_FOR: Final = Phrases(
    english=(
        "request/apply [for] [the] role {role_ids} | for [identity] {beneficiary_id}",
        "request/apply [for] [the] role {role_ids} | on behalf of [identity] {beneficiary_id}",
        "request/apply [for] [the] {role_ids} role | for [identity] {beneficiary_id}",
        "request/apply [for] [the] {role_ids} role | on behalf of [identity] {beneficiary_id}",
        "request/apply [for] [the] single_right/single_rights {entitlement_ids} | for [identity] {beneficiary_id}",
        "request on behalf of [identity] {beneficiary_id} | [the] role {role_ids}",
    ),
    german=(
        "beantrage | fuer [identity] {beneficiary_id} | [die] rolle {role_ids}",
        "beantrage | [die] rolle {role_ids} | fuer [identity] {beneficiary_id}",
        "beantrage | fuer [identity] {beneficiary_id} | [die] single_right/single_rights {entitlement_ids}",
    ),
    details=(
        Phrasing(
            english=("because/since/as {justification}", "reason {justification}"),
            german=("weil/da/denn {justification}", "grund {justification}"),
        ),
        Phrasing(english=("until/till {valid_until}",), german=("bis [zum] {valid_until}",)),
    ),
    slots=MappingProxyType(
        {
            "role_ids": Slot(kind=SlotKind.NAMES),
            "entitlement_ids": Slot(kind=SlotKind.NAMES),
            "justification": _TEXT,
            "valid_until": _DAY,
        },
    ),
    references=MappingProxyType(
        {"role_ids": ANY_ROLE, "entitlement_ids": CATALOGUE_ENTITLEMENT, "beneficiary_id": IDENTITY}
    ),
)

CANCEL_MY_REQUEST: Final = Phrases(
    english=(
        "cancel/withdraw [my/the] [access] a_request for [the] [role] {request_id}",
        "cancel/withdraw my [access] a_request",
    ),
    german=(
        "storniere/ziehe/zurueckziehen | [meinen/den] a_request auf/fuer [die] [rolle] {request_id}",
        "storniere/ziehe/zurueckziehen | meinen a_request",
    ),
    details=(REASON,),
    slots=MappingProxyType({"reason": REASON_SLOT}),
    references=MappingProxyType({"request_id": PENDING_REQUEST}),
)

LIST_APPROVALS: Final = Phrases(
    english=("approvals",),
    german=("genehmigungen",),
    variants=(
        Phrasing(
            english=(
                "waiting/waits/wait/open/pending for my approval/approvals/decision/decisions",
                "waiting/waits/wait for me | approvals/decisions/requests",
                "what | waiting/waits for me",
                "approvals waiting for me",
                "anything/something that waits for me",
                "what do i have/need to approve/decide",
                "anything/something [for] [me] to approve/decide",
                "my open/pending approvals",
                "my approvals",
            ),
            german=(
                "wartet/warten auf meine genehmigung/entscheidung/freigabe/zustimmung",
                "genehmigungen/antraege/freigaben | warten auf mich",
                "was | wartet auf mich",
                "etwas das auf mich wartet",
                "was muss ich genehmigen/entscheiden/freigeben",
                "etwas/was zu genehmigen/entscheiden/freigeben",
                "meine [offenen/ausstehenden] genehmigungen/freigaben",
            ),
            sets=MappingProxyType({"mine": True, "status": "open"}),
        ),
    ),
    details=(
        ROWS,
        setting("status", "open", ("pending",)),
        setting("status", "approved", ("approved",)),
        setting("status", "denied", ("denied",)),
        Phrasing(english=("of/by {approver_id}",), german=("von {approver_id}",)),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT}),
    references=MappingProxyType({"approver_id": IDENTITY}),
)


def _decision(value: str, english: tuple[str, ...], german: tuple[str, ...]) -> Phrasing:
    return Phrasing(english=english, german=german, sets=MappingProxyType({_DECISION: value}))


DECIDE_APPROVAL: Final = Phrases(
    variants=(
        _decision(
            "approve",
            (
                "approve [the] [access] a_request of/from/by [identity] {approval_id}",
                "approve {approval_id} 's [access] a_request",
                "approve [the] [access] a_request",
            ),
            (
                "genehmige | a_request von [identity] {approval_id}",
                "genehmige | a_request",
                "stimme | a_request von [identity] {approval_id} | zu",
            ),
        ),
        _decision(
            "deny",
            (
                "deny [the] [access] a_request of/from/by [identity] {approval_id}",
                "deny {approval_id} 's [access] a_request",
                "deny [the] [access] a_request",
            ),
            (
                "lehne/ablehnen | a_request von [identity] {approval_id}",
                "lehne/ablehnen | a_request",
            ),
        ),
    ),
    details=(
        Phrasing(
            english=("because/since/as {comment}", "comment {comment}", "reason {comment}"),
            german=("weil/da/denn {comment}", "kommentar {comment}", "grund {comment}"),
        ),
    ),
    slots=MappingProxyType({"comment": _TEXT}),
    references=MappingProxyType({"approval_id": OPEN_APPROVAL}),
)
