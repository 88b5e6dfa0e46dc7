"""What people say about lifecycle routines."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import Phrases, Reference
from nova_ui.tools.phrases.details import ROWS, ROWS_SLOT, setting

ROUTINE: Final = Reference(
    tool="list_lifecycle_routines",
    search_argument="",
    name_fields=("display_name", "type", "status"),
    match_fields=("display_name", "key", "type"),
)

LIST_LIFECYCLE_ROUTINES: Final = Phrases(
    english=("lifecycle routines", "lifecycle routine", "joiner/mover/leaver routines"),
    german=("lebenszyklus routinen", "lebenszyklus-routinen", "lebenszyklusroutinen", "lebenszyklus-routine"),
    details=(
        ROWS,
        setting(
            "status",
            "enabled",
            ("enabled", "active"),
            ("aktiven/aktive/aktivierte/aktivierten/eingeschaltete/eingeschalteten",),
        ),
        setting("status", "disabled", ("disabled",), ("deaktivierte/deaktivierten/ausgeschaltete/ausgeschalteten",)),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT}),
)

PREVIEW_LIFECYCLE_ROUTINE: Final = Phrases(
    english=(
        "preview [of] [the] [lifecycle] {routine_id} routine",
        "preview [of] [the] [lifecycle] routine {routine_id}",
        "what would [the] [lifecycle] {routine_id} routine do [now]",
        "what would [the] [lifecycle] routine {routine_id} do [now]",
        "who would [the] [lifecycle] {routine_id} routine affect [now]",
    ),
    german=(
        "vorschau [der/auf/die] [lebenszyklus-routine/routine] {routine_id}",
        "was wuerde [die] [lebenszyklus-routine/routine] {routine_id} [jetzt] tun",
        "wen wuerde [die] [lebenszyklus-routine/routine] {routine_id} [jetzt] betreffen",
    ),
    references=MappingProxyType({"routine_id": ROUTINE}),
)
