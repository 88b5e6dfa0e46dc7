"""What people say about applications."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import Phrases, Phrasing
from nova_ui.tools.phrases.details import REASON, REASON_SLOT, ROWS, ROWS_SLOT, is_so, setting
from nova_ui.tools.phrases.references import APPLICATION, IDENTITY

_APPLICATION: Final = MappingProxyType({"application_id": APPLICATION})

LIST_APPLICATIONS: Final = Phrases(
    english=(
        "applications",
        "show/open [the] application {application_id}",
        "details of/about [the] application {application_id}",
    ),
    german=(
        "anwendungen",
        "zeige/oeffne [die] anwendung {application_id}",
        "details der/zur/von anwendung {application_id}",
    ),
    details=(
        ROWS,
        setting("status", "disabled", ("disabled",)),
        setting("status", "enabled", ("active", "enabled")),
        setting("status", "draft", ("draft",), ("entwurf",)),
        setting("connection", "oidc", ("by/over/with/using oidc", "oidc"), ("ueber/mit/per oidc", "oidc")),
        setting("connection", "scim", ("by/over/with/using scim", "scim"), ("ueber/mit/per scim", "scim")),
        setting("connection", "ldap", ("by/over/with/using ldap", "ldap"), ("ueber/mit/per ldap", "ldap")),
        setting(
            "connection",
            "none",
            ("without [a] connection", "have/has no connection", "not connected/integrated"),
            (
                "nicht angebunden/angeschlossen",
                "ohne [eine] anbindung/verbindung",
                "haben/hat keine anbindung/verbindung",
            ),
        ),
        setting(
            "connection_state",
            "failing",
            ("failing", "with/have/has [a] failing connection", "whose connection fails/failed"),
            (
                "gestoert",
                "gestoerte",
                "gestoerten",
                "mit gestoerter anbindung/verbindung",
                "deren anbindung/verbindung gestoert ist",
            ),
        ),
        setting(
            "connection_state",
            "untested",
            ("untested", "with [an] untested connection"),
            ("ungetestet", "mit ungetesteter anbindung/verbindung"),
        ),
        is_so("requestable", ("requestable", "can be requested"), ("beantragt werden koennen",)),
        Phrasing(english=("connected", "integrated"), german=("angebunden", "angeschlossen")),
        Phrasing(english=("run", "in use"), german=("betreiben", "im einsatz")),
        Phrasing(english=("named/called/like/containing {q}",), german=("namens {q}", "mit {q} im namen")),
        Phrasing(
            english=("owned by [identity] {owner_id}", "{owner_id} owns"),
            german=("besitzt [identity] {owner_id}", "{owner_id} besitzt"),
        ),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT}),
    references=MappingProxyType({"application_id": APPLICATION, "owner_id": IDENTITY}),
)

TEST_APPLICATION: Final = Phrases(
    english=(
        "test/check [the] connection of/to/for [the] application {application_id}",
        "test/check [the] connection of/to/for {application_id}",
        "test/check [the] application {application_id}",
        "test/check {application_id} 's connection",
        "is [the] application {application_id} reachable",
        "does [the] connection of/to/for {application_id} work",
    ),
    german=(
        "teste/pruefe [die] anbindung/verbindung der/von/zu/zur anwendung {application_id}",
        "teste/pruefe [die] anbindung/verbindung von/zu/zur/des/der {application_id}",
        "teste/pruefe [die] anwendung {application_id}",
        "ist [die] anwendung {application_id} erreichbar",
        "funktioniert [die] anbindung/verbindung von/zu/zur/des/der {application_id}",
    ),
    references=_APPLICATION,
)

DISABLE_APPLICATION: Final = Phrases(
    english=(
        "disable [the] application {application_id}",
        "switch/turn off [the] application {application_id}",
        "take [the] application {application_id} | out of service",
    ),
    german=(
        "deaktiviere | [die] anwendung {application_id}",
        "schalte [die] anwendung {application_id} ab/aus",
        "nimm | [die] anwendung {application_id} | ausser betrieb",
    ),
    details=(REASON,),
    slots=MappingProxyType({"reason": REASON_SLOT}),
    references=_APPLICATION,
)
