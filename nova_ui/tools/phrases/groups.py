"""What people say to read, change and delete groups."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import Phrases, Phrasing, Slot, SlotKind
from nova_ui.tools.phrases.details import ROWS, ROWS_SLOT, setting
from nova_ui.tools.phrases.references import GROUP, IDENTITY, ROLE

_BOTH: Final = MappingProxyType({"group_id": GROUP, "identity_id": IDENTITY})

LIST_GROUPS: Final = Phrases(
    english=(
        "groups",
        "who is in [the] group {group_id}",
        "who is in [the] {group_id} group",
        "who belongs to [the] group {group_id}",
        "members of/in [the] [group] {group_id} [group]",
        "who | member of [the] group {group_id}",
        "show/open [the] group {group_id}",
        "details of/about [the] group {group_id}",
        "groups | {member_id} [a] member of",
        "groups is {member_id} in",
        "groups of [identity] {member_id}",
        "groups | {member_id} belong/belongs to",
        "groups | owned by {owner_id}",
        "groups | [identity] {owner_id} own/owns",
        "owner/owners of [the] group {group_id}",
        "who owns [the] group {group_id}",
        "members does/has [the] group {group_id} [have]",
    ),
    german=(
        "gruppen",
        "wer ist in/mitglied [in/der] [der] gruppe {group_id}",
        "wer gehoert zu/zur [der] gruppe {group_id}",
        "members von/der/in [der] gruppe {group_id}",
        "members von {group_id}",
        "zeige/oeffne [die] gruppe {group_id}",
        "details der/zur/von gruppe {group_id}",
        "in [welchen] gruppen ist {member_id} [mitglied]",
        "gruppen von [identity] {member_id}",
        "gruppen | hat/gehoert {member_id}",
        "gruppen | gehoeren {owner_id}",
        "wem gehoert [die] gruppe {group_id}",
        "eigentuemer der/von gruppe {group_id}",
        "members hat [die] gruppe {group_id}",
    ),
    details=(
        ROWS,
        setting(
            "membership",
            "rule",
            ("by rule", "with [a] rule", "[that] follow/follows [a] rule"),
            ("mit [einer] regel", "nach [einer] regel", "[die] [einer] regel folgen", "folgen [einer] regel"),
        ),
        setting("membership", "manual", ("by hand", "kept by hand", "manual"), ("von hand", "manuelle", "manuellen")),
        Phrasing(
            english=("that give [the] role {role_id}", "giving [the] role {role_id}"),
            german=("die [die] rolle {role_id} geben",),
        ),
        Phrasing(
            english=("named/called/like/containing {q}", "for {q}"),
            german=("namens {q}", "mit {q} im namen", "fuer {q}"),
        ),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT}),
    references=MappingProxyType({"group_id": GROUP, "member_id": IDENTITY, "owner_id": IDENTITY, "role_id": ROLE}),
)

CREATE_GROUP: Final = Phrases(
    english=(
        "create [a] [new] group [called/named] {display_name}",
        "set [up] [a] [new] group [called/named] {display_name}",
        "add [a] new group [called/named] {display_name}",
        "make [a] [new] group [called/named] {display_name}",
    ),
    german=(
        "erstelle/erzeuge/anlegen | [eine/die] [neue] gruppe [namens] {display_name}",
        "lege/leg/richte | [eine/die] [neue] gruppe [namens] {display_name}",
    ),
    details=(
        Phrasing(
            english=("description {description}", "with [the] description {description}", "for {description}"),
            german=("beschreibung {description}", "mit [der] beschreibung {description}", "fuer {description}"),
        ),
        Phrasing(english=("owned by {owner_ids}", "owner {owner_ids}"), german=("eigentuemer [ist] {owner_ids}",)),
        Phrasing(
            english=("with [the] rule {rule}", "by [the] rule {rule}"),
            german=("mit [der] regel {rule}", "nach [der] regel {rule}"),
        ),
    ),
    slots=MappingProxyType(
        {
            "description": Slot(kind=SlotKind.TEXT),
            "owner_ids": Slot(kind=SlotKind.NAMES),
            "rule": Slot(kind=SlotKind.TEXT),
        }
    ),
    references=MappingProxyType({"owner_ids": IDENTITY}),
)

UPDATE_GROUP: Final = Phrases(
    english=(
        "rename [the] group {group_id} | to/into/as {display_name}",
        "change/set [the] name of [the] group {group_id} | to {display_name}",
        "change/set [the] description of [the] group {group_id} | to {description}",
        "change/set [the] rule of [the] group {group_id} | to {rule}",
    ),
    german=(
        "benenne/umbenennen | gruppe {group_id} | in {display_name}",
        "aendere/setze [den] name/namen der gruppe {group_id} | auf/in/zu {display_name}",
        "aendere/setze [die] beschreibung der gruppe {group_id} | auf/in/zu {description}",
        "aendere/setze [die] regel der gruppe {group_id} | auf/in/zu {rule}",
    ),
    slots=MappingProxyType({"description": Slot(kind=SlotKind.TEXT), "rule": Slot(kind=SlotKind.TEXT)}),
    references=MappingProxyType({"group_id": GROUP}),
)

ADD_GROUP_MEMBERS: Final = Phrases(
    english=(
        "add [identities] [identity] {identity_ids} | to/into [the] group {group_id}",
        "add [identities] [identity] {identity_ids} | to/into [the] {group_id} group",
        "add [identities] [identity] {identity_ids} | to/into {group_id}",
        "put [identity] {identity_ids} | into/in/to [the] group {group_id}",
        "put [identity] {identity_ids} | into/in/to [the] {group_id} group",
        "put [identity] {identity_ids} | into/in {group_id}",
        "make {identity_ids} [a] member of [the] [group] {group_id} [group]",
        "give {identity_ids} | access to [the] group {group_id}",
    ),
    german=(
        "fuege/fueg/hinzufuegen/eintragen/trage | [identity] {identity_ids} | zu/zur/in [der/die] gruppe {group_id}",
        "fuege/fueg/hinzufuegen | [identity] {identity_ids} | zu/zur {group_id}",
        "nimm/aufnehmen | [identity] {identity_ids} | in [die] gruppe {group_id} | auf",
        "[identity] {identity_ids} | in [die] gruppe {group_id} | aufnehmen",
        "mach/mache {identity_ids} | [zum/zur] member von/der/in [der] [gruppe] {group_id}",
        "gib {identity_ids} | access auf/zur [die] gruppe {group_id}",
    ),
    slots=MappingProxyType({"identity_ids": Slot(kind=SlotKind.NAMES)}),
    references=MappingProxyType({"group_id": GROUP, "identity_ids": IDENTITY}),
)

REMOVE_GROUP_MEMBER: Final = Phrases(
    english=(
        "remove/delete/take [identity] {identity_id} | from/out [of] [the] group {group_id}",
        "remove/delete/take [identity] {identity_id} | from/out [of] [the] {group_id} group",
        "remove/take [identity] {identity_id} | from/out [of] {group_id}",
    ),
    german=(
        "entferne/loesche/streiche | [identity] {identity_id} | aus/von [der] gruppe {group_id}",
        "entferne/streiche/wirf | [identity] {identity_id} | aus {group_id}",
        "nimm/nehmen/herausnehmen/rausnehmen/wirf | [identity] {identity_id} | aus [der] gruppe {group_id}",
    ),
    references=_BOTH,
)

DELETE_GROUP: Final = Phrases(
    english=(
        "delete/remove [the] [user] group {group_id}",
        "delete/remove [the] {group_id} group",
        "get rid of [the] group {group_id}",
    ),
    german=("loesche/entferne | gruppe {group_id}",),
    references=MappingProxyType({"group_id": GROUP}),
)
