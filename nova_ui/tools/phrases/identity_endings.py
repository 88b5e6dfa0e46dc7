"""What people say to suspend, disable, delete or sign out an identity."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import Phrases, Phrasing
from nova_ui.tools.phrases.details import REASON, REASON_SLOT
from nova_ui.tools.phrases.references import IDENTITY

_IDENTITY: Final = MappingProxyType({"identity_id": IDENTITY})
_REASON: Final = MappingProxyType({"reason": REASON_SLOT})

SUSPEND_IDENTITY: Final = Phrases(
    english=(
        "suspend [out] {identity_id} ['s] [identity]",
        "suspend [identity] {identity_id}",
        "suspend identity of/for {identity_id}",
    ),
    german=(
        "sperre | [identity] {identity_id}",
        "sperre | identity von/fuer {identity_id}",
        "setze | {identity_id} | aus",
    ),
    details=(
        REASON,
        Phrasing(english=("for now", "temporarily"), german=("vorlaeufig", "voruebergehend", "vorerst")),
    ),
    slots=_REASON,
    references=_IDENTITY,
)

DISABLE_IDENTITY: Final = Phrases(
    english=(
        "disable {identity_id} ['s] [identity]",
        "disable [identity] {identity_id}",
        "disable identity of/for {identity_id}",
    ),
    german=(
        "deaktiviere | [identity] {identity_id}",
        "deaktiviere | identity von/fuer {identity_id}",
        "lege/leg | identity von {identity_id} | still",
    ),
    details=(REASON,),
    slots=_REASON,
    references=_IDENTITY,
)

DELETE_IDENTITY: Final = Phrases(
    english=(
        "delete {identity_id} ['s] identity",
        "delete [identity] {identity_id}",
        "delete/remove identity {identity_id}",
        "delete/remove identity of/for {identity_id}",
        "remove [identity] {identity_id} | from nova",
    ),
    german=(
        "loesche | [identity] {identity_id}",
        "loesche/entferne | identity {identity_id}",
        "loesche/entferne | identity von/fuer {identity_id}",
        "entferne | {identity_id} | aus nova",
    ),
    references=_IDENTITY,
)

END_IDENTITY_SESSIONS: Final = Phrases(
    english=(
        "sign/log {identity_id} out [everywhere]",
        "sign/log out {identity_id} [everywhere]",
        "sign/log {identity_id} out of [all] [his/her/their/the] sessions",
        "logout {identity_id} [everywhere]",
        "end/close [all] [the] sessions of/for [identity] {identity_id}",
        "end/close [all] {identity_id} 's sessions",
    ),
    german=(
        "melde/meld | {identity_id} | [ueberall] ab",
        "{identity_id} [ueberall] abmelden",
        "melde/meld | {identity_id} | aus/von [allen] [den/seinen/ihren] sitzungen ab",
        "beende/schliesse | [alle/aller] [die/der] sitzungen von/fuer [identity] {identity_id}",
        "wirf | {identity_id} | raus",
    ),
    references=_IDENTITY,
)

OFFBOARD_IDENTITY: Final = Phrases(
    english=(
        "offboard [identity] {identity_id} | [with] [the] successor [is] {successor_id}",
        "offboard [identity] {identity_id} | {successor_id} takes/take over",
        "offboard [identity] {identity_id} | hand over to {successor_id}",
        "{identity_id} leaves [the] [company] | [with] [the] successor [is] {successor_id}",
        "{identity_id} leaves [the] [company] | offboard [him/her/them] | [with] [the] successor [is] {successor_id}",
        "offboard [identity] {identity_id}",
    ),
    german=(
        "fuehre/durchfuehren/fuehren | austritt/offboarding von {identity_id} | {successor_id} uebernimmt",
        "fuehre/durchfuehren/fuehren | austritt/offboarding von {identity_id} | nachfolger [ist] {successor_id}",
        "{identity_id} verlaesst [das/die] unternehmen/firma | nachfolger [ist] {successor_id}",
        "fuehre/durchfuehren/fuehren | austritt/offboarding von {identity_id}",
        "offboarde [identity] {identity_id} | nachfolger [ist] {successor_id}",
        "offboarde [identity] {identity_id} | {successor_id} uebernimmt",
        "offboarde [identity] {identity_id}",
    ),
    details=(REASON,),
    slots=_REASON,
    references=MappingProxyType({"identity_id": IDENTITY, "successor_id": IDENTITY}),
)
