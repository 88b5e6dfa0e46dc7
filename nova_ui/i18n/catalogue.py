"""The words of one language: every .po file of it, parsed and merged when the program starts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from babel.messages.pofile import PoFileError, read_po

from nova_ui.domain.identity import Language
from nova_ui.errors import ConfigurationError

LOCALE_FOLDER: Final = Path(__file__).parent / "locale"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Translations by message id; a plural is found by its singular. A language without files is empty."""

    messages: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    plurals: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def find(self, message: str) -> str | None:
        """Return the translation of `message`, or None where there is none."""
        return self.messages.get(message)

    def find_plural(self, singular: str, form: int) -> str | None:
        """Return plural form number `form` (0: one, 1: all others) of a message, or None."""
        forms = self.plurals.get(singular, ())
        return forms[form] if form < len(forms) else None


def catalogue_files(language: Language, folder: Path = LOCALE_FOLDER) -> tuple[Path, ...]:
    """Return the .po files of `language`, one per area, in the order of their names."""
    return tuple(sorted((folder / language.value / "LC_MESSAGES").glob("*.po")))


def load_catalogue(language: Language, folder: Path = LOCALE_FOLDER) -> Catalogue:
    """Parse and merge the files of `language`; fuzzy entries and empty translations do not count.

    Raises:
        ConfigurationError: a file can't be read, or two files translate one message differently.

    """
    messages: dict[str, str] = {}
    plurals: dict[str, tuple[str, ...]] = {}
    for path in catalogue_files(language, folder):
        for key, translation in _entries(path, language):
            known: str | tuple[str, ...] | None = (
                plurals.get(key) if isinstance(translation, tuple) else messages.get(key)
            )
            if known is not None and known != translation:
                raise ConfigurationError(f"{path.name} translates {key!r} differently from another catalogue")
            if isinstance(translation, tuple):
                plurals[key] = translation
            else:
                messages[key] = translation
    return Catalogue(messages=MappingProxyType(messages), plurals=MappingProxyType(plurals))


def _entries(path: Path, language: Language) -> list[tuple[str, str | tuple[str, ...]]]:
    """Return message id and translation of each usable entry of one file."""
    try:
        with path.open("rb") as file:
            parsed = read_po(file, locale=language.value, abort_invalid=True)
    except (OSError, UnicodeDecodeError, PoFileError) as error:
        raise ConfigurationError(f"the catalogue {path.name} can't be read: {error}") from error
    found: list[tuple[str, str | tuple[str, ...]]] = []
    for entry in parsed:
        if not entry.id or entry.fuzzy:
            continue
        if isinstance(entry.id, tuple):
            forms = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
            if all(forms):
                found.append((entry.id[0], forms))
        elif isinstance(entry.string, str) and entry.string:
            found.append((str(entry.id), entry.string))
    return found
