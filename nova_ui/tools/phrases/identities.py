"""What people say to find and read identities."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import ONESELF, Phrases, Phrasing, Slot, SlotKind
from nova_ui.tools.phrases.details import DEPARTMENT, IDENTITY_STATES, ROWS, ROWS_SLOT, setting
from nova_ui.tools.phrases.references import GROUP, IDENTITY, ROLE

SEARCH_IDENTITIES: Final = Phrases(
    english=(
        "identities",
        "who",
        "search/find/look/lookup [for] [identity] {q}",
        "search/find [the] identities for/with {q}",
        "reports/team of {manager_id}",
        "is there [an/a] identity [named/called] {q}",
        "someone/somebody/anyone/anybody [named/called] {q}",
        "all/everyone/everybody in/from/of [the] [department] {department}",
        "all/everyone/everybody in/at/from [the] {location} office/site/location",
        "number of identities",
    ),
    german=(
        "wer",
        "suche/such/suchen/finde/finden [nach] [identity] {q}",
        "nach {q} suchen",
        "mitarbeiter/mitarbeitende/team von {manager_id}",
        "gibt es [einen/eine/ein] identity [namens] {q}",
        "jemand/jemanden [namens] {q}",
        "alle/jeder aus/in/im [der] [abteilung] {department}",
        "alle/jeder am/vom standort {location}",
    ),
    variants=(
        setting("user_type", "contractor", ("contractors",)),
        setting("user_type", "employee", ("employees",)),
        setting("user_type", "external", ("externals",)),
        setting("user_type", "service", ("service_accounts", "service accounts/account/identities/users")),
        setting("nova_role", "administrator", ("administrators",)),
        setting("nova_role", "auditor", ("auditors",)),
        setting(
            "manager_id",
            ONESELF,
            ("who reports/report to me", "my team/reports/people/staff"),
            ("wer berichtet an mich", "wer ist mir unterstellt", "mein/meine team/mitarbeiter/leute"),
        ),
    ),
    details=(
        *IDENTITY_STATES,
        DEPARTMENT,
        ROWS,
        Phrasing(
            english=("reports/report/reporting to {manager_id}", "managed by {manager_id}"),
            german=("berichtet/berichten an {manager_id}", "unterstellt {manager_id}"),
        ),
        Phrasing(english=("first/top {limit} identities",), german=("ersten {limit} identities",)),
        setting("user_type", "contractor", ("contractors",)),
        setting("user_type", "employee", ("employees",)),
        setting("nova_role", "administrator", ("administrators",)),
        setting("nova_role", "auditor", ("auditors",)),
        Phrasing(
            english=("named/called {q}", "by name {q}", "[whose] name contains {q}"),
            german=("namens {q}", "mit [dem] namen {q}", "deren name {q} enthaelt"),
        ),
        Phrasing(
            english=("in/at/from [the] {location} office/site",),
            german=("im {location} buero",),
        ),
        Phrasing(
            english=("in/at [the] location {location}", "based/located in {location}"),
            german=("am standort {location}", "in/im buero {location}"),
        ),
        Phrasing(
            english=(
                "not signed/logged in since/after {signed_in_before}",
                "without [a] sign-in/login since {signed_in_before}",
                "inactive since {signed_in_before}",
            ),
            german=(
                "seit {signed_in_before} nicht [mehr] angemeldet/eingeloggt",
                "nicht [mehr] angemeldet/eingeloggt seit {signed_in_before}",
                "ohne anmeldung seit {signed_in_before}",
                "inaktiv seit {signed_in_before}",
            ),
        ),
        Phrasing(
            english=("leave/leaving/leaves/ends/ending before {ends_before}",),
            german=("vor {ends_before} ausscheiden", "bis {ends_before} ausscheiden"),
        ),
        Phrasing(
            english=("with/holding/having [the] role {role_id}",),
            german=("mit [der] rolle {role_id}",),
        ),
    ),
    slots=MappingProxyType(
        {
            "limit": ROWS_SLOT,
            "signed_in_before": Slot(kind=SlotKind.DAY),
            "ends_before": Slot(kind=SlotKind.DAY),
        }
    ),
    references=MappingProxyType({"manager_id": IDENTITY, "role_id": ROLE, "group_id": GROUP}),
)

GET_IDENTITY: Final = Phrases(
    english=(
        "details/status of/about/for/on [the] [identity] {identity_id}",
        "{identity_id} 's details/status/manager/department/title",
        "show/display/open [me] [the] identity {identity_id}",
        "who is {identity_id}",
        "manager/department/title/location/phone of [the] [identity] {identity_id}",
        "department/location does {identity_id} work in/at",
        "where does {identity_id} work",
        "who manages {identity_id}",
        "is {identity_id} suspended/active/disabled",
        "tell [me] about {identity_id}",
        "[show/display] [my/own] own details",
        "my details/profile/data",
    ),
    german=(
        "details/status/daten von/zu/ueber/des/der [des/der/dem] [identity] {identity_id}",
        "zeige/zeig/oeffne [mir] [den/die/das] identity [von] {identity_id}",
        "wer ist {identity_id}",
        "manager/abteilung/titel/standort/telefon von [identity] {identity_id}",
        "abteilung/standort arbeitet/ist {identity_id}",
        "wo arbeitet {identity_id}",
        "wer fuehrt {identity_id}",
        "ist {identity_id} gesperrt/aktiv/deaktiviert",
        "meine/eigenen/eigene [eigenen] daten/angaben/details",
    ),
    references=MappingProxyType({"identity_id": IDENTITY}),
)

SEARCH_DIRECTORY: Final = Phrases(
    english=(
        "email [address] of/for {q}",
        "{q} 's email [address]",
        "directory | find/search/look/lookup [for/up] {q}",
        "find/look [up] {q} | in [the] directory",
        "how can/do i reach/contact {q}",
        "contact [details] of {q}",
    ),
    german=(
        "email [adresse] von/fuer {q}",
        "suche/finde/such [nach] {q} | im verzeichnis",
        "wie erreiche ich {q}",
        "kontaktdaten von {q}",
    ),
    variants=(
        Phrasing(
            english=(
                "search/find/look/lookup [for/up] [identity] {q}",
                "who is {q}",
                "someone/somebody/anyone/anybody [named/called] {q}",
            ),
            german=(
                "suche/such/suchen/finde/finden [nach] [identity] {q}",
                "wer ist {q}",
                "jemand/jemanden [namens] {q}",
            ),
            is_second_best=True,
        ),
    ),
    details=(
        DEPARTMENT,
        ROWS,
        Phrasing(english=("lautet", "reads")),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT}),
)

GET_IDENTITY_ACCESS: Final = Phrases(
    english=(
        "access of/for [the] [identity] {identity_id}",
        "{identity_id} 's access",
        "[what/which] access | {identity_id} have/has",
        "what | can {identity_id} access/do/use",
        "what can i access/use/do",
        "am i allowed to do/use/access/see",
        "my access/roles/memberships",
        "access do i have",
        "roles do i have",
        "groups am i in",
        "my groups",
    ),
    german=(
        "access von/fuer [identity] {identity_id}",
        "access hat [identity] {identity_id}",
        "worauf/was | hat/darf/kann {identity_id} [access]",
        "was | kann/darf {identity_id} nutzen/benutzen/tun/machen",
        "meine/meinen access/rollen/memberships/gruppen",
        "access habe ich",
        "habe ich access",
        "rollen habe ich",
        "gruppen bin ich",
        "was darf/kann ich",
        "worauf kann ich zugreifen",
    ),
    details=(Phrasing(german=("worauf", "auf was")),),
    references=MappingProxyType({"identity_id": IDENTITY}),
)
