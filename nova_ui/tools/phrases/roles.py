"""What people say about roles and assignments."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import Phrases, Phrasing, Slot, SlotKind
from nova_ui.tools.phrases.details import ROWS, ROWS_SLOT, is_so, setting
from nova_ui.tools.phrases.references import ANY_ROLE, APPLICATION, ASSIGNMENT, ENTITLEMENT, IDENTITY, ROLE

_DAY: Final = Slot(kind=SlotKind.DAY)
_TEXT: Final = Slot(kind=SlotKind.TEXT)
_RISKS: Final = ("low", "medium", "high", "critical")
_UNTIL: Final = Phrasing(
    english=("until/till/through/to {valid_until}",), german=("bis [zum] {valid_until}", "befristet bis {valid_until}")
)

LIST_ROLES: Final = Phrases(
    english=("roles", "show/open [the] role {role_id}", "details of/about [the] role {role_id}"),
    german=("rollen", "zeige/oeffne [die] rolle {role_id}", "details der/zur/von rolle {role_id}"),
    details=(
        ROWS,
        is_so("privileged", ("privileged",)),
        is_so(
            "requestable", ("requestable", "can be requested"), ("beantragt werden koennen", "koennen beantragt werden")
        ),
        is_so(
            "birthright",
            ("birthright", "given by [a] rule", "that come/comes by rule"),
            ("geburtsrecht/geburtsrechte", "nach regel", "die eine regel gibt"),
        ),
        *(setting("risk", risk, (f"{risk} risk", f"{risk}-risk"), (f"{risk}",)) for risk in _RISKS),
        Phrasing(
            english=("of/for/in [the] application {application_id}",),
            german=("der/fuer/in [die/der] anwendung {application_id}",),
        ),
        Phrasing(
            english=("named/called/like/containing {q}", "for {q}"),
            german=("namens {q}", "fuer {q}", "mit {q} im namen"),
        ),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT}),
    references=MappingProxyType({"role_id": ROLE, "application_id": APPLICATION}),
)

UPDATE_ROLE: Final = Phrases(
    english=(
        "rename [the] role {role_id} | to/into {display_name}",
        "change/set [the] description of [the] role {role_id} | to {description}",
        "change/set [the] name of [the] role {role_id} | to {display_name}",
    ),
    german=(
        "benenne/umbenennen | rolle {role_id} | in {display_name}",
        "aendere/setze [die] beschreibung der rolle {role_id} | auf/in/zu {description}",
    ),
    variants=(
        *(
            setting(
                "risk",
                risk,
                (f"change/set [the] risk of [the] role {{role_id}} | to {risk}",),
                (f"aendere/setze/stelle [das] risiko der rolle {{role_id}} | auf {risk}",),
            )
            for risk in _RISKS
        ),
        Phrasing(
            english=("make/set [the] role {role_id} | not requestable",),
            german=("mache/setze [die] rolle {role_id} | nicht beantragbar",),
            sets=MappingProxyType({"requestable": False}),
        ),
        is_so(
            "requestable",
            ("make/set [the] role {role_id} | requestable",),
            ("mache/setze [die] rolle {role_id} | beantragbar",),
        ),
    ),
    slots=MappingProxyType({"description": _TEXT}),
    references=MappingProxyType({"role_id": ROLE}),
)

LIST_ASSIGNMENTS: Final = Phrases(
    english=(
        "assignments",
        "who has/holds/have [the] role {role_id}",
        "who has/holds/have [the] {role_id} role",
        "who has/holds {role_id}",
        "identities | have/has/hold/holds [the] role {role_id}",
        "identities | have/has/hold/holds [the] {role_id} role",
        "someone/somebody/anyone/anybody | have/has/hold/holds [the] role {role_id}",
        "holders/owners of [the] role {role_id}",
        "identities | with [the] role {role_id}",
        "roles of [identity] {identity_id}",
        "{identity_id} 's roles",
        "roles | {identity_id} have/has/hold/holds",
        "assignments of/for [identity] {identity_id}",
        "assignments of/for [the] role {role_id}",
        "who has/holds/have [the] single_right {entitlement_id}",
        "holders of [the] single_right {entitlement_id}",
    ),
    german=(
        "zuweisungen",
        "wer hat/besitzt [die] rolle {role_id}",
        "wer hat/besitzt {role_id}",
        "inhaber der rolle {role_id}",
        "identities | haben/hat/besitzen/besitzt [die] rolle {role_id}",
        "hat/besitzt | jemand | [die] rolle {role_id}",
        "rollen von [identity] {identity_id}",
        "rollen hat/besitzt [identity] {identity_id}",
        "zuweisungen von/fuer [identity] {identity_id}",
        "zuweisungen der/fuer [die] rolle {role_id}",
        "wer hat/besitzt [die] single_right {entitlement_id}",
        "inhaber der single_right {entitlement_id}",
    ),
    details=(
        ROWS,
        setting("status", "active", ("active",)),
        setting("status", "expired", ("expired",)),
        is_so("privileged", ("privileged",)),
        Phrasing(
            english=("ending/ends/end/expiring/expire before/until {ends_before}",),
            german=("bis/vor {ends_before} enden/ablaufen", "enden/ablaufen bis/vor {ends_before}"),
        ),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT, "ends_before": _DAY}),
    references=MappingProxyType({"role_id": ROLE, "entitlement_id": ENTITLEMENT, "identity_id": IDENTITY}),
)

ASSIGN_ROLE: Final = Phrases(
    english=(
        "assign/give/add [the] role {role_id} | to [identity] {identity_id}",
        "assign/give/add [the] {role_id} role | to [identity] {identity_id}",
        "give/assign [identity] {identity_id} | [the] role {role_id}",
        "give/assign [identity] {identity_id} | [the] {role_id} role",
        "assign [identity] {identity_id} | to [the] role {role_id}",
        "assign/give/add [the] single_right {entitlement_id} | to [identity] {identity_id}",
        "give/assign [identity] {identity_id} | [the] single_right {entitlement_id}",
    ),
    german=(
        "weise/weis/zuweisen/gib/erteile | [identity] {identity_id} | rolle {role_id}",
        "vergib/vergeben | rolle {role_id} | an [identity] {identity_id}",
        "weise/weis/zuweisen/gib/erteile | [identity] {identity_id} | single_right {entitlement_id}",
        "vergib/vergeben | single_right {entitlement_id} | an [identity] {identity_id}",
    ),
    details=(
        _UNTIL,
        Phrasing(
            english=("because/since/as {justification}",),
            german=("weil/da/denn {justification}",),
        ),
    ),
    slots=MappingProxyType({"valid_until": _DAY, "justification": _TEXT}),
    references=MappingProxyType({"role_id": ROLE, "entitlement_id": ENTITLEMENT, "identity_id": IDENTITY}),
)

_ONE_ASSIGNMENT: Final = MappingProxyType({"identity": IDENTITY, "role": ANY_ROLE, "assignment_id": ASSIGNMENT})

CHANGE_ASSIGNMENT_END: Final = Phrases(
    english=(
        "extend [the] role {role} of/for [identity] {identity}",
        "extend [the] {role} role of/for [identity] {identity}",
        "extend {identity} 's role {role}",
        "extend {identity} 's {role} role",
        "change/set [the] end of [the] role {role} of/for [identity] {identity}",
        "extend [the/this] assignment {assignment_id}",
        "let [the/this] assignment {assignment_id} end",
    ),
    german=(
        "verlaengere | rolle {role} von/fuer [identity] {identity}",
        "verlaengere | [identity] {identity} | rolle {role}",
        "aendere/setze [das] ende der rolle {role} von/fuer [identity] {identity}",
        "verlaengere [die/diese] zuweisung {assignment_id}",
        "lass/lasse [die/diese] zuweisung {assignment_id} | enden",
    ),
    details=(
        Phrasing(english=("until/till/to/on/through {valid_until}",), german=("bis/auf/am [zum/den] {valid_until}",)),
    ),
    slots=MappingProxyType({"valid_until": _DAY}),
    references=_ONE_ASSIGNMENT,
)

REVOKE_ASSIGNMENT: Final = Phrases(
    english=(
        "revoke/remove/take/withdraw [the] role {role} | from/of/away [from] [identity] {identity}",
        "revoke/remove/take/withdraw [the] {role} role | from/of/away [from] [identity] {identity}",
        "revoke/remove {identity} 's role {role}",
        "revoke/remove {identity} 's {role} role",
        "revoke/remove [the/this] assignment {assignment_id}",
        "take away [the] role {role} | from [identity] {identity}",
    ),
    german=(
        "entziehe | [identity] {identity} | rolle {role}",
        "nimm/wegnehmen | [identity] {identity} | rolle {role} | weg",
        "entferne/widerrufe | rolle {role} | von/bei [identity] {identity}",
        "entziehe/widerrufe | zuweisung {assignment_id}",
    ),
    references=_ONE_ASSIGNMENT,
)
