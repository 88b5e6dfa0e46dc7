"""A canary is found in whatever form it got out."""

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest

from tests.fakes.canaries import a_canary, forms_of

FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "JSON": json.dumps,
    "JSON within JSON": lambda text: json.dumps(json.dumps({"a": text})),
    "the beginning": lambda text: f"cut {text[:20]}",
    "the end": lambda text: text[-20:],
    "hex": lambda text: text.encode().hex(),
    "base64 of a longer text": lambda text: base64.b64encode(f"ab{text}cd".encode()).decode(),
    "base64 of basic credentials": lambda text: base64.urlsafe_b64encode(f"user:{text}".encode()).decode(),
    "in a query": lambda text: f"?a={quote(text)}&b",
    "in a page": html.escape,
}


@pytest.mark.parametrize("form", FORMS)
def test_a_canary_is_found_in_whatever_form(form: str) -> None:
    for plain in (True, False):
        canary = a_canary(plain=plain)
        content = FORMS[form](canary).encode()

        assert any(written in content for written in forms_of(canary))


def test_another_canary_is_none_of_it() -> None:
    one, another = a_canary(), a_canary()

    assert not any(written in another.encode() for written in forms_of(one) if len(written) > 9)
