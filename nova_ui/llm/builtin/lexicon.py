"""Which words mean the same, in English and German, and how a word that no phrase explains counts.

A concept is named after one of its English words. Phrases use that word, or any other of the concept. Participles such
as "deleted" are no verbs here: a request to act uses the imperative or the infinitive.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_VERBS: Final[Mapping[str, str]] = {
    "delete": "delete erase purge wipe loesche loeschen loesch",
    "remove": "remove kick drop entferne entfernen entfern herausnehmen rausnehmen streiche austragen",
    "create": "create erstelle erstellen erstell anlegen erzeuge erzeugen einrichten register registriere",
    "add": "add include insert enrol enroll hinzufuegen fuege fueg fuegen aufnehmen eintragen",
    "suspend": "suspend lock sperre sperren sperr blockiere blockieren block suspendiere suspendieren aussetzen",
    "disable": "disable deactivate deaktiviere deaktivieren deaktivier",
    "activate": "activate enable reactivate re-activate re-enable reenable unsuspend aktiviere aktivieren aktivier"
    " reaktiviere reaktivieren freischalten",
    "unlock": "unlock entsperre entsperren entsperr",
    "unblock": "unblock freigeben freigib entblocken",
    "revoke": "revoke entziehe entziehen entzieh aberkennen widerrufe widerrufen unassign",
    "assign": "assign grant zuweisen weise weis vergib vergeben gewaehre gewaehren erteile erteilen",
    "extend": "extend prolong verlaengere verlaengern shorten verkuerze verkuerzen",
    "rename": "rename umbenennen benenne benennen",
    "change": "change update modify edit switch aendere aendern aender setze setzen stelle stell stellen passe anpassen"
    " aktualisiere aktualisieren wechsle wechseln",
    "approve": "approve genehmige genehmigen bewillige bewilligen zustimmen",
    "deny": "deny reject decline refuse ablehnen lehne",
    "cancel": "cancel withdraw retract storniere stornieren zurueckziehen ziehe",
    "end": "end terminate kill beende beenden beend",
    "logout": "logout log-out signout sign-out abmelden",
    "export": "export exportiere exportieren exportier",
    "offboard": "offboard off-board offboarden offboarde ausscheiden",
    "reset": "reset zuruecksetzen",
    "other_action": "archive archiviere archivieren restore merge send sende senden"
    " schicke schicken"
    " invite promote demote import importiere reboot restart shutdown install uebertrage uebertragen"
    " move verschiebe verschieben replace ersetze ersetzen destroy kill zerstoere vernichte raeume"
    " clear overwrite write schreib schreibe schreiben run execute",
    "relocate": "relocate transfer versetze versetzen",
    "onboard": "onboard on-board onboarden onboarde onboarding",
    "copy": "copy kopiere kopieren duplicate uebernimm uebernehmen",
    "request": "request apply beantrage beantragen beantrag",
}
_NOUNS: Final[Mapping[str, str]] = {
    "identities": "identities users accounts persons people staff colleagues identitaeten benutzer benutzern"
    " nutzer nutzern konten personen mitarbeiter mitarbeitern mitarbeitende mitarbeitenden mitarbeiterinnen"
    " kollegen kolleginnen leute benutzerkonten nutzerkonten accounts everyone"
    " everybody workers",
    "identity": "identity user account person employee colleague login identitaet benutzer benutzers benutzerin nutzer"
    " nutzerin konto kontos mitarbeiter mitarbeiters mitarbeiterin kollege kollegen kollegin benutzerkonto"
    " nutzerkonto",
    "groups": "groups gruppen usergroups benutzergruppen",
    "group": "group gruppe usergroup benutzergruppe",
    "roles": "roles rollen",
    "role": "role rolle",
    "members": "members mitglieder mitgliedern",
    "member": "member mitglied members mitglieder",
    "memberships": "memberships mitgliedschaften gruppenmitgliedschaften",
    "applications": "applications apps anwendungen applikationen programme",
    "application": "application app anwendung applikation programm",
    "assignments": "assignments zuweisungen rollenzuweisungen",
    "assignment": "assignment zuweisung rollenzuweisung",
    "requests": "requests antraege antraegen anfragen zugriffsantraege access-requests",
    "a_request": "request antrag antrags anfrage zugriffsantrag access-request",
    "approvals": "approvals decisions genehmigungen freigaben entscheidungen",
    "approval": "approval decision genehmigung freigabe entscheidung zustimmung",
    "sessions": "sessions sitzungen sign-ins logins anmeldungen",
    "session": "session sitzung",
    "audit": "audit-log auditlog audit audit-protokoll auditprotokoll audit-trail audit-eintraege protokoll log logs"
    " audit-logs aenderungsprotokoll pruefprotokoll",
    "entries": "entries actions activities aktionen aktivitaeten events eintraege ereignisse records audit-eintraege",
    "access": "access rights permissions permission entitlements privileges zugriff zugriffe zugriffsrechte rechte"
    " berechtigung berechtigungen zugang zugaenge",
    "single_rights": "entitlements einzelberechtigungen einzelrechte einzelrechten",
    "single_right": "entitlement einzelberechtigung einzelrecht",
    "details": "details detail data information info profile record daten angaben informationen profil einzelheiten"
    " stammdaten detailinformationen",
    "manager": "manager managers boss bosses supervisor supervisors vorgesetzte vorgesetzter vorgesetzten"
    " chef chefin fuehrungskraft",
    "department": "department dept abteilung bereich",
    "departments": "departments abteilungen",
    "compare": "compare vergleiche vergleichen vergleich comparison",
    "report": "report bericht auswertung",
    "catalog": "catalog catalogue katalog",
    "name": "name bezeichnung",
    "description": "description beschreibung",
    "title": "title titel position jobtitel",
    "location": "location office site standort ort buero",
    "risk": "risk risiko",
    "email": "email e-mail mail email-address e-mail-address mailadresse e-mail-adresse emailadresse mail-adresse",
    "address": "address adresse",
    "phone": "phone telephone telefonnummer telefon phone-number rufnummer",
    "number": "number nummer",
    "language": "language sprache",
    "directory": "directory verzeichnis adressbuch",
    "successor": "successor nachfolger nachfolgerin nachfolge",
    "status": "status state zustand",
    "everywhere": "everywhere ueberall",
    "password": "password passwort passworts kennwort kennworts",
}
_STATES: Final[Mapping[str, str]] = {
    "suspended": "suspended ausgesetzt ausgesetzte ausgesetzten locked blocked gesperrt gesperrte gesperrten gesperrter"
    " gesperrtes blockierte blockierten blockiert suspendiert suspendierte suspendierten",
    "disabled": "disabled deactivated inactive deaktiviert deaktivierte deaktivierten inaktiv inaktive inaktiven",
    "active": "active enabled aktiv aktive aktiven",
    "staged": "staged planned vorbereitet vorbereitete vorbereiteten vorgemerkt vorgemerkte vorgemerkten",
    "archived": "archived archiviert archivierte archivierten",
    "pending": "pending open waiting offen offene offenen ausstehend ausstehende ausstehenden wartend"
    " wartende wartenden"
    " unentschieden undecided",
    "denied": "denied rejected declined abgelehnt abgelehnte abgelehnten",
    "approved": "approved genehmigt genehmigte genehmigten",
    "completed": "completed done finished erledigt erledigte erledigten abgeschlossen abgeschlossene abgeschlossenen",
    "cancelled": "cancelled canceled withdrawn storniert stornierte stornierten zurueckgezogen zurueckgezogene",
    "expired": "expired abgelaufen abgelaufene abgelaufenen",
    "contractors": "contractors contractor externe externen externer freelancer freelancers dienstleister"
    " auftragnehmer",
    "externals": "externals",
    "employees": "employees angestellte angestellten festangestellte",
    "service_accounts": "dienstkonten dienstkonto servicekonten service-konten service-accounts technische technical",
    "privileged": "privileged privilegiert privilegierte privilegierten privilegierter",
    "requestable": "requestable beantragbar beantragbare beantragbaren",
    "administrators": "administrators administrator admins admin administratoren administratorin administratorinnen",
    "auditors": "auditors auditor pruefer auditoren revisor revisoren",
    "high": "high hoch hohe hohem hohes hohen",
    "medium": "medium mittel mittlere mittlerem mittleres mittleren",
    "low": "low niedrig niedrige niedrigem niedriges niedrigen gering geringes geringem",
    "critical": "critical kritisch kritische kritischem kritisches kritischen",
    "failed": "failed fehlgeschlagen fehlgeschlagene fehlgeschlagenen gescheitert gescheiterte gescheiterten",
    "refused": "refused verweigert verweigerte verweigerten abgewiesen abgewiesene abgewiesenen",
    "deleted": "deleted removed geloescht geloeschte geloeschten",
    "created": "created angelegt erstellt erstellte erstellten angelegte angelegten",
    "changed": "changed updated modified geaendert geaenderte geaenderten veraendert bearbeitet",
    "did": "did do done made gemacht getan macht tat",
    "signed_in": "signed-in logged-in angemeldet eingeloggt",
}
_SHOWING: Final = (
    "show list display view print present zeige zeig zeigen liste listen auflisten anzeigen ansehen nenne nennen"
    " sehen see lists overview uebersicht find search look lookup suche suchen such finde finden nachschlagen tell"
    " sag sage get give gib want check pruefe nachsehen zaehle count anzahl welchen"
)
_FILLING: Final = (
    "the a an der die das den dem des ein eine einen einer eines einem please bitte me mir mich us uns kindly"
    " just now jetzt mal doch once sofort immediately again wieder wiederum currently right derzeit aktuell"
    " momentan gerade gerne gern hi hello hallo hey moin thanks thank danke there es so also too auch then i'd"
    " like d ll need brauche would could you your du sie ihr kannst koennen koennten koenntest kann-du wuerden"
    " wuerdest moechte moechten will wollen want wish let's lets permanently endgueltig dauerhaft definitely fully"
    " vollstaendig komplett to zu ich i we wir man nova company firma unternehmen organisation organization system"
    " unserer unsere our ours called named namens genannt s 's there exist exists existieren is are be been ist"
    " sind sein war waren were am do does have has haben hat habe hast had gibt gab wurde wurden worden gibt's up"
    " hinzu auf an ab um zurueck raus heraus weg durch rein hinein frei aus fest ja ok okay well actually"
    " eigentlich bitte alles-klar him-self many viele viel much existing bestehende bestehenden vorhanden"
    " vorhandene vorhandenen new neue neuen neues neuer neu im still noch able can kann what's who's where's it's"
)
_QUESTIONS: Final = (
    "how what why who whom whose when which where was wer wie warum wann welche welcher welches welchen welchem"
    " wo wieso weshalb wen wem wessen wieviele wofuer worauf what's who's where's how's"
)
_CONDITIONS: Final = (
    "if whether should shall may might must happens happen happened passiert geschieht wenn falls ob soll sollte"
    " sollen sollten darf duerfen duerfte muss was were wurde wurden wuerde waere would've unless except ausser"
    " ohne without instead statt before bevor only nur maybe vielleicht pretend imagine suppose angenommen explain"
    " erklaere erklaer why did"
)
_NEGATIONS: Final = (
    "not no never don't nicht kein keine keinen keiner keinem keines niemals nie keinesfalls none nobody"
)
_QUANTITIES: Final = (
    "all every each both any everything everyone everybody alle aller allen alles jede jeden jeder beide saemtliche"
)
_PREPOSITIONS: Final = (
    "in into of for from with at on onto out by as about within inside von vom aus zum zur beim bei mit fuer nach"
    " ueber unter seit since until bis gegen and und or oder that who dass who's den"
)
_PRONOUNS: Final = (
    "it him her them they he she this that these those ihn ihm er sie ihnen dieser diese dieses diesen diesem"
    " jene es myself himself herself sich someone somebody jemand jemanden"
)
_LIGHT: Final = (
    "let lass lasse need want like brauche benoetige moechte will haette sign log melde take put make give gib"
    " schalte schalt stell lege leg fuege nimm nehmen wirf weise weis ziehe zieh hebe set setze stelle stimme lehne"
    " mache mach leaves verlaesst rid fuehre fuehren gebe trage richte stufe tritt"
)
_OWN: Final = "my mine own mein meine meinen meiner meinem meines eigene eigenen eigener selbst myself mich"

WORDS_OF: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {concept: frozenset(words.split()) for table in (_VERBS, _NOUNS, _STATES) for concept, words in table.items()}
)
ACTIONS: Final = frozenset(_VERBS)
# Words that also stand in harmless requests ("request" as a noun, "end of the year"): alone they forbid nothing.
AMBIGUOUS_VERBS: Final = frozenset({"request", "end", "log"})

SHOWING: Final = frozenset(_SHOWING.split())
FILLING: Final = frozenset(_FILLING.split())
QUESTIONS: Final = frozenset(_QUESTIONS.split())
CONDITIONS: Final = frozenset(_CONDITIONS.split())
NEGATIONS: Final = frozenset(_NEGATIONS.split())
QUANTITIES: Final = frozenset(_QUANTITIES.split())
PREPOSITIONS: Final = frozenset(_PREPOSITIONS.split())
PRONOUNS: Final = frozenset(_PRONOUNS.split())
LIGHT_VERBS: Final = frozenset(_LIGHT.split())  # verbs only together with the other words of a phrase
OWN: Final = frozenset(_OWN.split())

_CONCEPTS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        word: frozenset(concept for concept, others in WORDS_OF.items() if word in others)
        for word in {word for words in WORDS_OF.values() for word in words}
    }
)
_NONE: Final[frozenset[str]] = frozenset()


def concepts_of(folded: str) -> frozenset[str]:
    """Return the concepts that a folded word may mean."""
    return _CONCEPTS.get(folded, _NONE)


def is_action(folded: str) -> bool:
    """Whether a word tells somebody to do something to Nova."""
    return folded not in AMBIGUOUS_VERBS and bool(concepts_of(folded) & ACTIONS)
