"""How the pages look that strangers see: plain HTML, no script, nothing of NiceGUI."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from starlette.responses import Response

from nova_ui.auth.headers import PLAIN_PAGE_POLICY
from nova_ui.auth.markup import Html, document, joined, tag
from nova_ui.domain.identity import Language
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator

_ONE_MINUTE: Final = mark("Too many attempts. Please wait one minute and try again.")
_MINUTES: Final = mark("Too many attempts. Please wait {count} minutes and try again.")
LANGUAGE_NAMES: Final = {Language.ENGLISH: "English", Language.GERMAN: "Deutsch"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """In which language and under which prefix a page is shown, and what its language links keep."""

    tr: Translator
    prefix: str
    path: str
    query: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One labelled input of a form."""

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    autocomplete: str = "off"
    hint: str = ""
    is_first: bool = False
    is_wrong: bool = False


def plain_page(look: Look, title: str, *content: str, status: int = 200, is_wide: bool = False) -> Response:
    """Return a page with one card."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("title", f"{title} · Nova AI"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="robots", content="noindex"),
        tag("link", rel="icon", href=f"{look.prefix}/assets/icon.svg"),
        tag("link", rel="stylesheet", href=f"{look.prefix}/assets/nova.css"),
        tag("link", rel="stylesheet", href=f"{look.prefix}/assets/sign-in.css"),
    )
    main = tag(
        "main",
        tag("p", tag("span", class_="door__mark", aria_hidden="true"), "Nova AI", class_="door__brand"),
        tag("h1", title),
        *content,
        class_="door__card door__card--wide" if is_wide else "door__card",
    )
    body = tag("body", main, _language_links(look), class_="door")
    headers = {"Content-Security-Policy": PLAIN_PAGE_POLICY}
    return Response(
        document(head, body, language=look.tr.language.value), status, headers, media_type="text/html; charset=utf-8"
    )


def form(look: Look, fields: Sequence[Field], button: str, *, key: str, hidden: dict[str, str]) -> Html:
    """Return a form that posts to its own page; `key` tells it from the page's other forms."""
    extra = [tag("input", type="hidden", name=name, value=value) for name, value in hidden.items()]
    rows = [_row(field, f"{key}-{field.name}") for field in fields]
    submit = tag("button", button, type="submit", class_="door__button")
    return tag("form", *extra, *rows, submit, method="post", action=f"{look.prefix}{look.path}", class_="door__form")


def alert(text: str) -> Html:
    """Return what went wrong, so that a screen reader says it at once."""
    return tag("p", text, role="alert", class_="door__alert")


def wait_in_words(tr: Translator, retry_after_s: int) -> str:
    """Say how long to wait, in whole minutes."""
    return tr.plural(_ONE_MINUTE, _MINUTES, math.ceil(retry_after_s / 60))


def _row(field: Field, place: str) -> Html:
    hint = tag("span", field.hint, id=f"{place}-hint", class_="door__hint") if field.hint else Html("")
    entry = tag(
        "input",
        id=place,
        name=field.name,
        type=field.kind,
        value=field.value if field.kind != "password" else None,
        autocomplete=field.autocomplete,
        autocapitalize="none" if field.kind == "text" else None,
        spellcheck="false",
        required=True,
        autofocus=field.is_first,
        aria_invalid="true" if field.is_wrong else None,
        aria_describedby=f"{place}-hint" if field.hint else None,
    )
    return joined(tag("label", field.label, for_=place), entry, hint)


def _language_links(look: Look) -> Html:
    links = [
        tag("span", name, lang=language.value, aria_current="true")
        if language is look.tr.language
        else tag("a", name, href=_here(look, language), lang=language.value, hreflang=language.value)
        for language, name in LANGUAGE_NAMES.items()
    ]
    return tag("nav", *links, aria_label=look.tr("Language"), class_="door__languages")


def _here(look: Look, language: Language) -> str:
    return f"{look.prefix}{look.path}?" + urlencode({**look.query, "lang": language.value})
