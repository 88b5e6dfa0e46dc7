"""Foreign text made fully visible: what prints as nothing is shown by its code point."""

import re
import unicodedata
from typing import Final

from nova_ui.domain.json_value import JsonValue

# control, format, surrogate, private and unassigned characters, line and paragraph separators
_HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK_BUT_NO_SPACE: Final = frozenset({"\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\u034f"})
_KEPT: Final = frozenset({"\n"})
_QUOTES: Final = re.compile("[“”„‟]")
_WORD: Final = re.compile(r"\w+")
_NEVER_NEEDED: Final = ("MATHEMATICAL ", "FULLWIDTH ", "CIRCLED ", "PARENTHESIZED ")
_IMITATING: Final = (*_NEVER_NEEDED, "CYRILLIC ", "GREEK ", "ARMENIAN ", "CHEROKEE ")
_KEPT_IN_PROSE: Final = frozenset({"\n", "\t", "\u200c", "\u200d", "\u00ad", "\u2060"})


def show_invisible(text: str) -> str:
    """Return `text` with every invisible character as ⟨U+XXXX⟩, and spaces at the ends as ␣.

    Line breaks stay and are marked, so that nothing can hide below the fold of a line.
    """
    shown = "".join(_shown(character) for character in text)
    stripped = shown.strip(" ")
    if not stripped:
        return "␣" * len(shown)
    leading = len(shown) - len(shown.lstrip(" "))
    trailing = len(shown) - len(shown.rstrip(" "))
    return "␣" * leading + stripped + "␣" * trailing


def show_name(text: str) -> str:
    """Return a name to be set in quotation marks: also visible are marks that would end them, and foreign letters.

    A letter is foreign where it imitates the Latin ones that it stands among; a name wholly in another script stays.
    """
    shown = _QUOTES.sub(lambda found: _code_point(found[0]), show_invisible(text))
    return _WORD.sub(lambda found: _with_foreign_letters(found[0]), shown)


def _with_foreign_letters(word: str) -> str:
    is_latin = any(unicodedata.name(character, "").startswith("LATIN ") for character in word)
    return "".join(
        _code_point(character)
        if unicodedata.name(character, "").startswith(_IMITATING if is_latin else _NEVER_NEEDED)
        else character
        for character in word
    )


def _code_point(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


def _shown(character: str) -> str:
    if character in _KEPT:
        return "⏎\n"
    category = unicodedata.category(character)
    odd_space = category == "Zs" and character != " "
    if category in _HIDDEN_CATEGORIES or odd_space or character in _BLANK_BUT_NO_SPACE:
        return f"⟨U+{ord(character):04X}⟩"
    return character


def value_text(value: JsonValue) -> str:
    """Return a JSON value in full as plain text: strings bare, lists one entry a line, objects as name: value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return show_invisible(value) if value else '""'
    if isinstance(value, list):
        return "\n".join(value_text(item) for item in value) if value else "[]"
    if isinstance(value, dict):
        lines = (f"{show_invisible(name)}: {value_text(item)}" for name, item in value.items())
        return "\n".join(lines) if value else "{}"
    return str(value)


def show_deceptive(text: str) -> str:
    """Return flowing text with what could reorder or smuggle words made visible; joiners of scripts and emoji stay."""
    return "".join(f"⟨U+{ord(character):04X}⟩" if _deceives(character) else character for character in text)


def _deceives(character: str) -> bool:
    if character in _KEPT_IN_PROSE:
        return False
    return unicodedata.category(character) in _HIDDEN_CATEGORIES or character in _BLANK_BUT_NO_SPACE
