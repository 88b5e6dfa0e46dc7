"""Plain HTML whose texts can't become markup."""

from html import escape
from typing import Final

_VOID: Final = frozenset({"input", "link", "meta"})


class Html(str):
    """Markup that `tag` made; any other string is a text and is escaped."""

    __slots__ = ()


def tag(element: str, /, *children: str, **attributes: str | bool | None) -> Html:
    """Return an element. `class_` and `for_` lose their underscore, other underscores become hyphens.

    An attribute of True stands alone, one of False or None is left out.
    """
    words = [element]
    for key, value in attributes.items():
        attribute = key.removesuffix("_").replace("_", "-")
        if value is True:
            words.append(attribute)
        elif isinstance(value, str):
            words.append(f'{attribute}="{escape(value)}"')
    opening = f"<{' '.join(words)}>"
    if element in _VOID:
        return Html(opening)
    return Html(f"{opening}{joined(*children)}</{element}>")


def joined(*children: str) -> Html:
    """Return children one after the other, texts escaped."""
    return Html("".join(child if isinstance(child, Html) else escape(child) for child in children))


def document(*children: str, language: str) -> bytes:
    """Return a whole document."""
    return f"<!doctype html>{tag('html', *children, lang=language)}".encode()
