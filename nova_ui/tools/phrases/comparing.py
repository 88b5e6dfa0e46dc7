"""What people say to compare and explain access, and to give one person what another has."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import Phrases, Phrasing, Slot, SlotKind
from nova_ui.tools.phrases.references import ANY_ENTITLEMENT, ANY_ROLE, IDENTITY

_TEXT: Final = Slot(kind=SlotKind.TEXT)
_DAY: Final = Slot(kind=SlotKind.DAY)
_PAIR: Final = MappingProxyType({"left_id": IDENTITY, "right_id": IDENTITY})

COMPARE_ACCESS: Final = Phrases(
    english=(
        "compare [the] access of [identity] {left_id} and/with [identity] {right_id}",
        "compare [identity] {left_id} and/with/to [identity] {right_id}",
        "difference [in] [access] between [identity] {left_id} and [identity] {right_id}",
    ),
    german=(
        "compare [den/die] access von [identity] {left_id} und/mit [identity] {right_id}",
        "compare [identity] {left_id} und/mit [identity] {right_id}",
        "unterschied zwischen [identity] {left_id} und [identity] {right_id}",
    ),
    references=_PAIR,
)

EXPLAIN_ACCESS: Final = Phrases(
    english=(
        "why does/has [identity] {identity_id} have/hold/has [the] role {role_id}",
        "why does [identity] {identity_id} have access to {role_id}",
        "why does [identity] {identity_id} have {role_id}",
        "why do i have/hold [the] role {role_id}",
        "why do i have access to {role_id}",
        "how did/does [identity] {identity_id} get {role_id}",
        "explain [the] role {role_id} of {identity_id}",
        "explain why [identity] {identity_id} has/holds [the] role {role_id}",
        "since when does [identity] {identity_id} have/hold [the] role {role_id}",
        "why does/has [identity] {identity_id} have/hold/has [the] single_right {entitlement_id}",
        "why do i have/hold [the] single_right {entitlement_id}",
        "explain why [identity] {identity_id} has/holds [the] single_right {entitlement_id}",
        "since when does [identity] {identity_id} have/hold [the] single_right {entitlement_id}",
    ),
    german=(
        "warum/wieso/weshalb hat [identity] {identity_id} [die] rolle {role_id}",
        "warum/wieso/weshalb hat [identity] {identity_id} access auf/zu {role_id}",
        "warum/wieso/weshalb hat [identity] {identity_id} {role_id}",
        "warum/wieso/weshalb habe ich {role_id}",
        "warum/wieso/weshalb habe ich [die] rolle {role_id}",
        "warum/wieso/weshalb habe ich access auf/zu {role_id}",
        "erklaere | rolle {role_id} von {identity_id}",
        "seit wann hat [identity] {identity_id} [die] rolle {role_id}",
        "warum/wieso/weshalb hat [identity] {identity_id} [die] single_right {entitlement_id}",
        "warum/wieso/weshalb habe ich [die] single_right {entitlement_id}",
        "seit wann hat [identity] {identity_id} [die] single_right {entitlement_id}",
    ),
    slots=MappingProxyType({"identity_id": Slot(usual_words=2)}),  # where nothing parts it from the role's name
    references=MappingProxyType({"identity_id": IDENTITY, "role_id": ANY_ROLE, "entitlement_id": ANY_ENTITLEMENT}),
)

COPY_ACCESS: Final = Phrases(
    english=(
        "copy [the] access of/from [identity] {from_id} to [identity] {to_id}",
        "copy {from_id} 's access to [identity] {to_id}",
        "assign/give [identity] {to_id} [the] same access as/like [identity] {from_id}",
    ),
    german=(
        "copy | [den/die] access von [identity] {from_id} auf/zu/nach [identity] {to_id}",
        "copy | [den/die] access von [identity] {from_id} | fuer [identity] {to_id}",
        "assign | [identity] {to_id} | dieselben/gleichen access wie [identity] {from_id}",
    ),
    details=(
        Phrasing(
            english=("because/since/as {justification}", "reason {justification}"),
            german=("weil/da/denn {justification}", "grund {justification}"),
        ),
        Phrasing(english=("until/till {valid_until}",), german=("bis [zum] {valid_until}",)),
    ),
    slots=MappingProxyType({"justification": _TEXT, "valid_until": _DAY}),
    references=MappingProxyType({"from_id": IDENTITY, "to_id": IDENTITY}),
)

REQUEST_SAME_ACCESS_AS: Final = Phrases(
    english=(
        "request [the] same access as/like [identity] {colleague_id}",
        "request what [identity] {colleague_id} has",
    ),
    german=(
        "beantrage | [den/die] dieselben/gleichen/selben access wie [identity] {colleague_id}",
        "beantrage | was [identity] {colleague_id} hat",
    ),
    details=(
        Phrasing(
            english=("because/since/as {justification}", "for [the] {justification}"),
            german=("weil/da/denn {justification}", "fuer {justification}"),
        ),
        Phrasing(english=("until/till {valid_until}",), german=("bis [zum] {valid_until}",)),
        Phrasing(english=("for me/myself",), german=("fuer mich",)),
    ),
    slots=MappingProxyType({"justification": _TEXT, "valid_until": _DAY}),
    references=MappingProxyType({"colleague_id": IDENTITY}),
)
