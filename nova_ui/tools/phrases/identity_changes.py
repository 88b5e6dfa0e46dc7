"""What people say to create, change, activate and unlock identities."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import Phrases, Phrasing, Slot, SlotKind
from nova_ui.tools.phrases.details import setting
from nova_ui.tools.phrases.references import GROUP, IDENTITY, ROLE

_DAY: Final = Slot(kind=SlotKind.DAY)

CREATE_IDENTITY: Final = Phrases(
    english=(
        "create [a/an] [new] identity [for/called/named] {person}",
        "create [a/an] [new] identity",
        "add [a/an] new identity/employee [called/named/for] {person}",
        "set [up] [a/an] [new] identity [for/called/named] {person}",
    ),
    german=(
        "lege/leg [ein/eine/einen] [neue/neuen/neues] identity [fuer/namens] {person}",
        "erstelle/anlegen/erzeuge [ein/eine/einen] [neue/neuen/neues] identity [fuer/namens] {person}",
        "[ein/eine/einen] [neue/neuen/neues] identity [fuer/namens] {person} | anlegen/erstellen",
        "lege/erstelle | identity",
    ),
    variants=(
        setting(
            "user_type",
            "contractor",
            ("create/add [a/an] [new] contractors [called/named/for] {person}",),
            ("lege/leg/erstelle [ein/eine/einen] [neue/neuen/neues] contractors [fuer/namens] {person}",),
        ),
    ),
    details=(
        Phrasing(english=("{email}", "email/with/mail [address] {email}"), german=("email/mit [adresse] {email}",)),
        Phrasing(
            english=("user name/user_name {user_name}", "username/login/user-name {user_name}"),
            german=("benutzername/anmeldename/nutzername/kennung {user_name}",),
        ),
        Phrasing(
            english=("in/for [the] [department] {department}", "department {department}"),
            german=("in/im [der] [abteilung] {department}", "abteilung {department}"),
        ),
        Phrasing(english=("as {title}", "title {title}"), german=("als {title}", "titel {title}")),
        Phrasing(
            english=("starting/starts/from [on] {start_date}",),
            german=("ab/zum [dem] {start_date}", "beginn {start_date}"),
        ),
        Phrasing(english=("until/ending/ends [on] {end_date}",), german=("bis [zum] {end_date}",)),
        Phrasing(
            english=("manager [is] {manager_id}", "reporting/reports to {manager_id}"),
            german=("manager [ist] {manager_id}",),
        ),
        setting("user_type", "contractor", ("contractors",)),
        setting("user_type", "service", ("service",)),
        setting("status", "staged", ("staged",)),
    ),
    slots=MappingProxyType(
        {
            "person": Slot(kind=SlotKind.PERSON, arguments=("given_name", "family_name")),
            "email": Slot(kind=SlotKind.E_MAIL),
            "start_date": _DAY,
            "end_date": _DAY,
        }
    ),
    references=MappingProxyType({"manager_id": IDENTITY}),
)

ONBOARD_IDENTITY: Final = Phrases(
    english=(
        "onboard [a/an] [new] [identity/employee] [called/named/for] {person}",
        "onboard [a/an] [new] identity",
    ),
    german=(
        "onboard [ein/eine/einen] [neue/neuen/neues] [identity] [namens] {person}",
        "fuehre/fuehren/durchfuehren | onboarding von/fuer [identity] {person}",
    ),
    variants=(
        setting(
            "user_type",
            "contractor",
            ("onboard [a/an] [new] contractors [called/named/for] {person}",),
            (
                "onboard [ein/eine/einen/den/die] [neue/neuen/neues] contractors [namens] {person}",
                "fuehre/fuehren/durchfuehren | onboarding von/fuer contractors {person}",
            ),
        ),
    ),
    details=(
        *CREATE_IDENTITY.details,
        Phrasing(english=("in/into [the] group {group_ids}",), german=("in [die/der] gruppe {group_ids}",)),
        Phrasing(english=("with [the] role {role_ids}",), german=("mit [der] rolle {role_ids}",)),
    ),
    slots=MappingProxyType(
        {**CREATE_IDENTITY.slots, "group_ids": Slot(kind=SlotKind.NAMES), "role_ids": Slot(kind=SlotKind.NAMES)}
    ),
    references=MappingProxyType({**CREATE_IDENTITY.references, "group_ids": GROUP, "role_ids": ROLE}),
)

MOVE_IDENTITY: Final = Phrases(
    english=(
        "relocate [identity] {identity_id} | to/into [the] department {department}",
        "relocate [identity] {identity_id} | to/into [the] department {department} | manager [is] {manager_id}",
    ),
    german=(
        "relocate [identity] {identity_id} | in/zu [die/der] abteilung {department}",
        "relocate [identity] {identity_id} | in/zu [die/der] abteilung {department} | manager [ist] {manager_id}",
    ),
    details=(
        Phrasing(english=("with [the] [new] manager {manager_id}",), german=("mit [der] fuehrungskraft {manager_id}",)),
        Phrasing(english=("as {title}", "title {title}"), german=("als {title}", "titel {title}")),
    ),
    references=MappingProxyType({"identity_id": IDENTITY, "manager_id": IDENTITY}),
)

UPDATE_IDENTITY: Final = Phrases(
    english=(
        "change/set [the] department of [the] [identity] {identity_id} | to {department}",
        "change/set {identity_id} 's department | to {department}",
        "move [identity] {identity_id} | to/into [the] department {department}",
        "move [identity] {identity_id} | to/into {department}",
        "change/set [the] [job] title of [the] [identity] {identity_id} | to {title}",
        "change/set {identity_id} 's title | to {title}",
        "change/set [the] location of [the] [identity] {identity_id} | to {location}",
        "change/set {identity_id} 's location | to {location}",
        "change/set [the] manager of [the] [identity] {identity_id} | to {manager_id}",
        "change/set {identity_id} 's manager | to {manager_id}",
        "make {manager_id} [the] manager of {identity_id}",
        "change/set [the] email [address] of [the] [identity] {identity_id} | to {email}",
        "change/set [the] phone/name of [the] [identity] {identity_id} | to {display_name}",
        "change [the] identity {identity_id}",
    ),
    german=(
        "aendere/setze [die] abteilung von [identity] {identity_id} | auf/in/zu {department}",
        "verschiebe [identity] {identity_id} | in/nach [die] [abteilung] {department}",
        "aendere/setze [den] titel von [identity] {identity_id} | auf/in/zu {title}",
        "aendere/setze [den] standort von [identity] {identity_id} | auf/in/nach {location}",
        "aendere/setze [den/die] manager von [identity] {identity_id} | auf/zu {manager_id}",
        "mache/mach {manager_id} | zum/zur manager von {identity_id}",
        "aendere/setze [die] email [adresse] von [identity] {identity_id} | auf/in/zu {email}",
        "aendere/setze [den] name/namen von [identity] {identity_id} | auf/in/zu {display_name}",
        "aendere/bearbeite [die/den/das] identity {identity_id}",
    ),
    slots=MappingProxyType({"email": Slot(kind=SlotKind.E_MAIL)}),
    references=MappingProxyType({"identity_id": IDENTITY, "manager_id": IDENTITY}),
)

ACTIVATE_IDENTITY: Final = Phrases(
    english=(
        "activate {identity_id} ['s] [identity]",
        "activate [identity] {identity_id}",
        "activate identity of/for {identity_id}",
        "activate [the] {identity_id} identity",
    ),
    german=(
        "aktiviere | [identity] {identity_id}",
        "aktiviere | identity von/fuer {identity_id}",
        "schalte/schalt | [identity] {identity_id} | frei",
        "schalte/schalt | identity von {identity_id} | frei",
    ),
    variants=(
        Phrasing(english=("unblock [identity] {identity_id}",), german=("gib | {identity_id} | frei",), is_shared=True),
    ),
    references=MappingProxyType({"identity_id": IDENTITY}),
)

UNLOCK_IDENTITY: Final = Phrases(
    english=(
        "unlock {identity_id} ['s] [identity]",
        "unlock [identity] {identity_id}",
        "unlock identity of/for {identity_id}",
        "{identity_id} is locked [out] | unlock [him/her/them/it]",
    ),
    german=(
        "entsperre | [identity] {identity_id}",
        "entsperre | identity von/fuer {identity_id}",
        "hebe/heb | sperre/anmeldesperre von/fuer {identity_id} | auf",
    ),
    variants=(
        Phrasing(english=("unblock [identity] {identity_id}",), german=("gib | {identity_id} | frei",), is_shared=True),
    ),
    references=MappingProxyType({"identity_id": IDENTITY}),
)
