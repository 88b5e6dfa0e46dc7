"""What people say to run a report."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import Phrases, Phrasing, Slot, SlotKind
from nova_ui.tools.phrases.details import ROWS, ROWS_SLOT, setting
from nova_ui.tools.phrases.references import APPLICATION

RUN_REPORT: Final = Phrases(
    variants=(
        setting(
            "report",
            "inactive_identities",
            (
                "report on/about/of [the] inactive identities",
                "inactive identities report",
                "dormant identities",
                "who has not signed/logged in",
            ),
            (
                "bericht ueber/zu [die/den] inaktive/inaktiven identities",
                "wer hat sich | nicht angemeldet/eingeloggt",
            ),
        ),
        setting(
            "report",
            "expiring_access",
            (
                "report on/about/of [the] expiring access",
                "expiring/expire/expires access",
                "access | [that/which] expires/expire/expiring",
                "assignments | expire/expiring/expires",
                "whose access ends/expires",
            ),
            (
                "bericht ueber/zu [die/den] auslaufende/auslaufenden/ablaufende/ablaufenden access",
                "auslaufende/auslaufenden/ablaufende/ablaufenden access",
                "access | laufen/laeuft | ab/aus",
                "wessen access enden/endet/ablaufen/ablaeuft",
            ),
        ),
        setting(
            "report",
            "privileged_access",
            (
                "report on/about/of [the] privileged access",
                "who | privileged access",
            ),
            ("bericht ueber/zu [die/den] privileged access",),
        ),
        Phrasing(  # "privileged entitlements" are a list of their own
            english=("privileged access", "access | privileged"),
            german=("privileged access",),
            sets=MappingProxyType({"report": "privileged_access"}),
            is_second_best=True,
        ),
        setting(
            "report",
            "mfa_coverage",
            (
                "report on/about/of [the] mfa/second factors",
                "who | without [a] second factor",
                "who | no second factor",
                "mfa coverage",
            ),
            (
                "bericht ueber/zu [die/den] zweite/zweiten faktoren",
                "wer | ohne zweiten faktor",
                "wer | keinen zweiten faktor",
            ),
        ),
        setting(
            "report",
            "open_requests",
            ("report on/about/of [the] pending requests",),
            ("bericht ueber/zu [die/den] pending requests",),
        ),
        setting(
            "report",
            "failed_sign_ins",
            (
                "report on/about/of [the] failed sessions",
                "failed sign-ins/logins",
                "failed sign-in attempts",
                "sign-ins/logins | failed",
            ),
            (
                "bericht ueber/zu [die/den] failed anmeldungen/logins/anmeldeversuche/anmeldeversuchen",
                "failed anmeldungen/logins/anmeldeversuche",
                "anmeldungen/logins/anmeldeversuche | failed",
            ),
        ),
        setting(
            "report",
            "dormant_entitlements",
            (
                "report on/about/of [the] dormant/unused access/roles/entitlements",
                "dormant/unused access/roles/entitlements",
                "roles | nobody uses/holds",
            ),
            (
                "bericht ueber/zu [die/den] ungenutzte/ungenutzten/verwaiste/verwaisten access/rollen",
                "ungenutzte/ungenutzten access/rollen",
            ),
        ),
    ),
    details=(
        ROWS,
        Phrasing(
            english=(
                "in/within/for/of/over/during [the] next/last/past {days} days",
                "for [more/longer] [than] {days} days",
                "within/in {days} days",
                "older than {days} days",
            ),
            german=(
                "in/innerhalb/fuer/waehrend [den/der/die] naechsten/letzten/vergangenen {days} tagen/tage",
                "der/den letzten/naechsten {days} tage/tagen",
                "seit {days} tagen",
                "aelter als {days} tage",
            ),
        ),
        Phrasing(english=("run [the]",), german=("fuehre", "zeige")),
        Phrasing(
            english=("in/of/from [the] department {department}",), german=("in/aus/der [der] abteilung {department}",)
        ),
        Phrasing(
            english=("for/of/to [the] application {application_id}",),
            german=("fuer/der [die] anwendung {application_id}",),
        ),
    ),
    slots=MappingProxyType({"limit": ROWS_SLOT, "days": Slot(kind=SlotKind.COUNT)}),
    references=MappingProxyType({"application_id": APPLICATION}),
)
