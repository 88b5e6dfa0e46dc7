"""What people say about the audit log, sessions and exports."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import Phrases, Phrasing, Slot, SlotKind
from nova_ui.tools.phrases.details import PERIOD_SLOT, ROWS, ROWS_SLOT, is_so, setting
from nova_ui.tools.phrases.references import IDENTITY, OTHER_SESSION

_OBJECTS: Final = (
    ("identity", "identity/identities"),
    ("group", "group/groups"),
    ("role", "role/roles"),
    ("assignment", "assignment/assignments"),
    ("application", "application/applications"),
)
_DEEDS: Final = ("deleted", "created", "changed", "suspended", "disabled")
_LOGGED: Final = MappingProxyType({"changed": "updated"})


def _who_did(kind: str, words: str, deed: str) -> Phrasing:
    action = f"{kind}.{_LOGGED.get(deed, deed)}"
    return Phrasing(
        english=(
            f"who {deed} [a/an/the/any] {words} [{{q}}]".replace("[{q}]", "{q}"),
            f"who {deed} [a/an/the/any] {words}",
            f"which/what {words} were/was {deed}",
            f"{deed} {words} | audit",
        ),
        german=(
            f"wer hat | {words} {{q}} {deed}",
            f"wer hat | {words} {deed}",
            f"welche {words} wurden/wurde | {deed}",
        ),
        sets=MappingProxyType({"action": action}),
    )


SEARCH_AUDIT_LOG: Final = Phrases(
    english=(
        "audit [log] [entries]",
        "what did/has [identity] {actor_id} do/did/change/changed/delete/deleted/create/created",
        "what | [identity] {actor_id} has done/changed/deleted/created",
        "actions/activity/activities of/by [identity] {actor_id}",
        "what happened/changed",
        "what was/has done/changed/happened",
        "entries of/by [identity] {actor_id}",
    ),
    german=(
        "audit [log] [eintraege]",
        "was hat [identity] {actor_id} | gemacht/getan/geaendert/geloescht/angelegt/erstellt",
        "aktionen/aktivitaeten/aenderungen von [identity] {actor_id}",
        "was ist/hat | passiert/geschehen",
        "was wurde | gemacht/geaendert/getan",
        "eintraege von [identity] {actor_id}",
    ),
    variants=(
        *(
            setting("outcome", outcome, (f"what was/has/is {outcome}",), (f"was wurde/ist | {outcome}",))
            for outcome in ("refused", "failed")
        ),
        *(_who_did(kind, words, deed) for kind, words in _OBJECTS for deed in _DEEDS),
        Phrasing(
            english=(
                "what has/did [the] ai chat/assistant do/done/change/changed/did",
                "what was done/changed | through/by/via/in [the] ai chat/assistant",
                "ai chat/assistant | audit [log]",
                "actions/changes of/by/from/through [the] ai chat/assistant",
            ),
            german=(
                "was hat [der] ki-chat/ki-assistent | gemacht/getan/geaendert",
                "was wurde | ueber/durch/im/vom [den] ki-chat/ki-assistent/ki-assistenten gemacht/geaendert/getan",
                "audit [log] | ki-chat/ki-assistent/ki-chats",
                "aktionen/aenderungen des/vom/durch/ueber [den] ki-chat/ki-assistenten/ki-chats",
            ),
            sets=MappingProxyType({"origin": "ai_chat"}),
        ),
        *(
            setting(
                "group_by",
                group_by,
                (f"audit [log] [entries] | per/by {english}", f"audit [log] by/per {english}"),
                (
                    f"audit [log] [entries] | pro/je {german}",
                    f"audit [log] nach/pro/je {german}",
                ),
            )
            for group_by, english, german in (
                ("day", "day/days", "tag/tagen"),
                ("actor", "actor/person", "person/akteur"),
                ("action", "action/actions", "aktion/aktionen"),
                ("origin", "origin", "herkunft"),
            )
        ),
    ),
    details=(
        ROWS,
        Phrasing(
            english=("of/from/for/in/during [the] {period}", "{period}"),
            german=("von/vom/fuer/der {period}", "{period}"),
        ),
        Phrasing(english=("entries",)),
        setting("outcome", "refused", ("refused",)),
        setting("outcome", "failed", ("failed",)),
        setting(
            "origin", "ai_chat", ("from/by/through/via [the] ai chat", "ai-chat"), ("ueber/aus [den/dem] ki-chat",)
        ),
        Phrasing(english=("of/by/from [identity] {actor_id}",), german=("von [identity] {actor_id}",)),
        Phrasing(english=("about/for/on/containing {q}",), german=("zu/ueber {q}",)),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT, "period": PERIOD_SLOT}),
    references=MappingProxyType({"actor_id": IDENTITY}),
)

_EVERYBODYS: Final[tuple[str, JsonValue]] = ("whose", "all")

LIST_SESSIONS: Final = Phrases(
    english=(
        "my sessions",
        "own sessions",
        "where am i signed/logged in",
        "sessions of [identity] {identity_id}",
        "{identity_id} 's sessions",
    ),
    german=(
        "meine sitzungen",
        "eigenen sitzungen",
        "wo bin ich [ueberall] angemeldet/eingeloggt",
        "sitzungen von [identity] {identity_id}",
    ),
    variants=(
        setting("whose", "all", ("[all] sessions",), ("[alle/aller] sitzungen",)),
        Phrasing(
            english=("who is signed/logged in [right] [now]", "who is online"),
            german=("wer ist [gerade] angemeldet/eingeloggt", "wer ist online"),
            sets=MappingProxyType({"whose": "all", "status": "active"}),
        ),
    ),
    details=(
        ROWS,
        setting("status", "active", ("active", "open"), ("offene/offenen",)),
        setting("status", "ended", ("ended",), ("beendete/beendeten",)),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT}),
    references=MappingProxyType({"identity_id": IDENTITY}),
)

END_MY_SESSION: Final = Phrases(
    english=(
        "end/close my [other] session {session_id}",
        "end/close my other session",
        "end/close my [other] session on/from [the/my] {session_id}",
        "sign/log me out | on/from [my] {session_id}",
    ),
    german=(
        "beende/schliesse | meine [andere] sitzung {session_id}",
        "beende/schliesse | meine andere sitzung",
        "melde mich | auf/von [meinem/meiner] {session_id} | ab",
    ),
    references=MappingProxyType({"session_id": OTHER_SESSION}),
)

_RESOURCES: Final = (
    ("identities", "identities"),
    ("groups", "groups"),
    ("roles", "roles"),
    ("entitlements", "single_rights"),
    ("assignments", "assignments"),
    ("applications", "applications"),
    ("access_requests", "requests"),
    ("approvals", "approvals"),
    ("sessions", "sessions"),
    ("audit_log", "audit"),
)

CREATE_EXPORT: Final = Phrases(
    variants=tuple(
        setting(
            "resource",
            resource,
            (f"export | {words} [log]", f"create [an] export | {words}"),
            (f"exportiere | {words} [log]", f"erstelle [einen] export | {words}"),
        )
        for resource, words in _RESOURCES
    ),
    details=(
        Phrasing(
            english=("in/of/from [the] department {department}", "in/from/of {department} [department]"),
            german=("in/aus/von/der [der] abteilung {department}", "in/im/aus {department}"),
        ),
        setting("filter.status", "suspended", ("suspended",)),
        setting("filter.status", "disabled", ("disabled",)),
        setting("filter.status", "active", ("active",)),
        is_so("filter.privileged", ("privileged",)),
        Phrasing(english=("all [the]",), german=("alle/aller/das",)),
        setting("format", "csv", ("as csv", "csv"), ("als csv",)),
        setting("format", "jsonl", ("as jsonl/json", "jsonl"), ("als jsonl/json",)),
        Phrasing(
            english=("of/from/for/in [the] {period}", "{period}"), german=("von/vom/fuer/der {period}", "{period}")
        ),
    ),
    slots=MappingProxyType(
        {
            "department": Slot(arguments=("filter.department",)),
            "period": Slot(kind=SlotKind.PERIOD, arguments=("filter.after", "filter.before")),
        }
    ),
)

UPDATE_MY_PROFILE: Final = Phrases(
    english=(
        "set/change my phone [number] | to {phone_numbers}",
        "set/change my [display] name | to {display_name}",
        "set/change my time zone/timezone | to {timezone}",
        "set/change my timezone | to {timezone}",
    ),
    german=(
        "setze/aendere | meine phone [nummer] | auf/in/zu {phone_numbers}",
        "setze/aendere | meinen name/namen/anzeigenamen | auf/in/zu {display_name}",
        "setze/aendere/stelle | meine zeitzone | auf {timezone}",
    ),
    variants=(
        *(
            setting(
                "preferred_language",
                code,
                (f"set/change/switch my language | to {words}",),
                (f"stelle/setze/aendere | meine sprache | auf {words}",),
            )
            for code, words in (("de", "german/deutsch"), ("en", "english/englisch"))
        ),
        *(
            setting(
                "theme",
                theme,
                (f"set/change/switch [my/the] theme | to {words}", f"switch to [the] {words} mode/theme"),
                (f"stelle/stell/setze/aendere | [das/mein] design/theme | auf {words}",),
            )
            for theme, words in (("dark", "dark/dunkel"), ("light", "light/hell"), ("system", "system"))
        ),
    ),
    slots=MappingProxyType({"phone_numbers": Slot(kind=SlotKind.PHONE)}),
)

VERIFY_AUDIT_LOG: Final = Phrases(
    english=(
        "verify/check [the] audit log",
        "is [the] audit log intact/complete/unchanged/genuine/authentic",
        "has/was | audit log | manipulated/tampered/altered/forged",
        "hash chain [of] [the] [audit] [log]",
        "verify/check/validate [the] hash chain [of] [the] [audit] [log]",
        "integrity of [the] audit log",
    ),
    german=(
        "pruefe/verifiziere [das] audit-log",
        "pruefe/verifiziere [das] audit log",
        "ist [das] audit-log unversehrt/intakt/unveraendert/vollstaendig/echt",
        "ist [das] audit log unversehrt/intakt/unveraendert/vollstaendig/echt",
        "wurde | audit-log | manipuliert/veraendert/gefaelscht",
        "hashkette/hash-kette [des] [audit-logs]",
        "pruefe/verifiziere ob [das] audit-log unversehrt/intakt/unveraendert/vollstaendig/echt [ist]",
        "integritaet des audit-logs",
    ),
)
