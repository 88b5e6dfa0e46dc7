"""What people say about the single rights inside applications."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import Phrases, Phrasing
from nova_ui.tools.phrases.details import ROWS, ROWS_SLOT, is_so, setting
from nova_ui.tools.phrases.references import APPLICATION, ENTITLEMENT, ROLE

_RISKS: Final = ("low", "medium", "high", "critical")

LIST_ENTITLEMENTS: Final = Phrases(
    english=(
        "single_rights",
        "show/open [the] single_right {entitlement_id}",
        "details of/about [the] single_right {entitlement_id}",
        "single_rights | [the] application {application_id} have/has/does",
        "single_rights | [the] role {role_id} bundle/bundles/include/includes/contain/contains",
    ),
    german=(
        "single_rights",
        "zeige/oeffne [die] single_right {entitlement_id}",
        "details der/zur/von single_right {entitlement_id}",
        "single_rights | hat/besitzt [die] anwendung {application_id}",
        "single_rights | buendelt/enthaelt/umfasst [die] rolle {role_id}",
    ),
    variants=(is_so("privileged", ("privileged single_rights", "single_rights | privileged")),),
    details=(
        ROWS,
        is_so("privileged", ("privileged",)),
        is_so(
            "requestable", ("requestable", "can be requested"), ("beantragt werden koennen", "koennen beantragt werden")
        ),
        setting("status", "discovered", ("discovered",), ("gefundene/gefundenen/entdeckte/entdeckten",)),
        *(setting("risk", risk, (f"{risk} risk", f"{risk}-risk"), (f"{risk}",)) for risk in _RISKS),
        Phrasing(
            english=("of/for/in/inside [the] application {application_id}",),
            german=("der/fuer/in [die/der] anwendung {application_id}",),
        ),
        Phrasing(english=("of/in [the] role {role_id}",), german=("der/in [der] rolle {role_id}",)),
        Phrasing(english=("named/called/like/containing {q}",), german=("namens {q}", "mit {q} im namen")),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT}),
    references=MappingProxyType({"entitlement_id": ENTITLEMENT, "application_id": APPLICATION, "role_id": ROLE}),
)
