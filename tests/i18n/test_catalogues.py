"""Every text a person reads is in the catalogues, and nothing else is."""

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from nova_ui import errors
from nova_ui.domain.identity import Language
from nova_ui.i18n.catalogue import catalogue_files

SOURCES = Path(errors.__file__).parent
TRANSLATES = {"tr", "_tr"}  # as a name or as an attribute: tr(…), self.tr(…)
TRANSLATED = [language for language in Language if language is not Language.ENGLISH]
Message = str | tuple[str, ...]


def _marked_in(source: str) -> Iterator[Message]:
    """Find messages by the syntax tree: an element's method `.mark(…)` of NiceGUI is none of ours."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            yield from _error_keys(node)
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = _called(node.func)
        texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if name == "plural" and len(texts) == 2:
            yield texts[0], texts[1]
        elif name in {"tr", "mark"} and texts:
            yield texts[0]


def _error_keys(node: ast.ClassDef) -> Iterator[str]:
    """Find the message id that an error class carries as its `key`."""
    for statement in node.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        value = getattr(statement, "value", None)
        is_key = isinstance(target, ast.Name) and target.id == "key"
        if is_key and isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value


def _called(func: ast.expr) -> str:
    match func:
        case ast.Name(id=name) if name in TRANSLATES:
            return "tr"
        case ast.Name(id="mark"):
            return "mark"
        case ast.Attribute(attr=name) if name in TRANSLATES:
            return "tr"
        case ast.Attribute(attr="plural"):
            return "plural"
        case _:
            return ""


def _extracted() -> Iterator[tuple[Message, str]]:
    """Yield each marked message with the file it stands in."""
    for path in sorted(SOURCES.rglob("*.py")):
        for message in _marked_in(path.read_text(encoding="utf-8")):
            yield message, str(path.relative_to(SOURCES))


def _entries(language: Language) -> Iterator[tuple[str, Message, Message, bool]]:
    """Yield file, message, translation and whether it is only guessed, of each entry of the catalogues."""
    for path in catalogue_files(language):
        with path.open("rb") as file:
            for entry in read_po(file, locale=language.value):
                if entry.id:
                    yield path.name, _plain(entry.id), _plain(entry.string), entry.fuzzy


def _plain(text: object) -> Message:
    return tuple(str(part) for part in text) if isinstance(text, (tuple, list)) else str(text or "")


def _forms(message: Message) -> tuple[str, ...]:
    return message if isinstance(message, tuple) else (message,)


def _names(text: str) -> set[str]:
    return {name for _literal, name, _spec, _conversion in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language: Language) -> None:
    complete = [message for _file, message, text, _fuzzy in _entries(language) if all(_forms(text))]
    translated = {*complete, *(form for message in complete for form in _forms(message))}

    missing = sorted({f"{where}: {message}" for message, where in _extracted() if message not in translated})

    assert missing == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_guessed(language: Language) -> None:
    assert [f"{file}: {message}" for file, message, _text, fuzzy in _entries(language) if fuzzy] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_left_over(language: Language) -> None:
    used = {message for message, _where in _extracted()}

    unused = sorted(
        f"{file}: {message}"
        for file, message, _text, _fuzzy in _entries(language)
        if message not in used and not used.issuperset(_forms(message))
    )

    assert unused == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_names_the_same_values(language: Language) -> None:
    different = [
        f"{file}: {message} / {text}"
        for file, message, text, _fuzzy in _entries(language)
        if _names(_forms(message)[-1]) != _names(_forms(text)[-1])
    ]

    assert different == []
