from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from nova_ui.domain.identity import Language
from nova_ui.errors import ConfigurationError
from nova_ui.i18n.catalogue import load_catalogue
from nova_ui.i18n.translator import Translator, Translators

AREA = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Delete the group {subject}"
msgstr "Die Gruppe {subject} löschen"

#, fuzzy
msgid "Guessed"
msgstr "Geraten"

msgid "Empty"
msgstr ""

msgid "{count} tool"
msgid_plural "{count} tools"
msgstr[0] "{count} Werkzeug"
msgstr[1] "{count} Werkzeuge"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "de" / "LC_MESSAGES"
    place.mkdir(parents=True)
    (place / "area.po").write_text(AREA, encoding="utf-8")
    return tmp_path


@pytest.fixture
def german(folder: Path) -> Translator:
    return Translators(folder, timezone=UTC).for_language(Language.GERMAN)


@pytest.fixture
def english(folder: Path) -> Translator:
    return Translators(folder, timezone=UTC).for_language(Language.ENGLISH)


def test_a_message_is_translated_and_its_values_filled_in(german: Translator) -> None:
    assert german("Delete the group {subject}", subject="{Vertrieb}") == "Die Gruppe {Vertrieb} löschen"


@pytest.mark.parametrize("message", ["Guessed", "Empty", "Unknown {brace}"])
def test_what_has_no_certain_translation_stays_english(german: Translator, message: str) -> None:
    assert german(message) == message


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 Werkzeuge"), (1, "1 Werkzeug"), (2, "2 Werkzeuge"), (1234, "1.234 Werkzeuge")]
)
def test_plurals_follow_the_number_and_numbers_the_language(german: Translator, count: int, words: str) -> None:
    assert german.plural("{count} tool", "{count} tools", count) == words


def test_english_has_plurals_without_a_catalogue(english: Translator) -> None:
    assert [english.plural("{count} tool", "{count} tools", n) for n in (1, 2)] == ["1 tool", "2 tools"]


def test_moments_and_numbers_are_written_as_the_language_does(german: Translator, english: Translator) -> None:
    moment = datetime(2026, 11, 30, 14, 2, 11, 482_000, tzinfo=UTC)

    assert (german.moment(moment), english.moment(moment)) == ("30.11.2026, 14:02:11", "30 Nov 2026, 14:02:11")
    assert (german.day(date(2026, 11, 30)), english.day(moment)) == ("30.11.2026", "30 Nov 2026")
    assert english.precise(moment) == "30 Nov 2026, 14:02:11.482 UTC"
    assert (german.seconds(249), english.seconds(249)) == ("0,2 s", "0.2 s")
    assert german.ago(moment, moment + timedelta(minutes=3)) == "vor 3 Minuten"
    assert (german.size(2048), english.size(5)) == ("2,0 KB", "5 B")
    assert (german.listed(("a", "b")), english.listed(("a", "b"))) == ("a und b", "a and b")


@pytest.mark.parametrize(
    ("header", "language"),
    [("de-DE,de;q=0.9,en;q=0.8", "de"), ("en-US", "en"), ("fr", "en"), (None, "en"), ("*;q=x", "en")],
)
def test_a_stranger_is_spoken_to_by_the_browsers_wish(header: str | None, language: str) -> None:
    assert Translators().negotiate(header) == language


def test_two_catalogues_that_disagree_stop_the_start(folder: Path) -> None:
    other = AREA.replace("Die Gruppe {subject} löschen", "Gruppe {subject} entfernen")
    (folder / "de" / "LC_MESSAGES" / "other.po").write_text(other, encoding="utf-8")

    with pytest.raises(ConfigurationError, match="differently"):
        load_catalogue(Language.GERMAN, folder)


def test_a_broken_catalogue_stops_the_start(folder: Path) -> None:
    (folder / "de" / "LC_MESSAGES" / "broken.po").write_text('msgid "open\n', encoding="utf-8")

    with pytest.raises(ConfigurationError, match=r"broken\.po"):
        load_catalogue(Language.GERMAN, folder)
