"""A rule is tried before it is kept: whom it finds, or where it breaks."""

from typing import Final

import pytest

from nova_ui.domain.filter_grammar import MAX_CHARS
from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaForbidden, NovaInvalid
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.rule_check import Broken, Found, check_rule
from tests.fakes.page_nova import PageNova

EN: Final = Translators().for_language(Language.ENGLISH)
DE: Final = Translators().for_language(Language.GERMAN)
CHECK: Final = "POST /groups/evaluate-rule"
TWO: Final[JsonObject] = {
    "count": 21,
    "sample": [{"display_name": "Anna", "department": "Sales"}, {"display_name": "Be\u202en", "department": None}],
}


async def test_whom_a_rule_finds_is_counted_and_the_first_are_named() -> None:
    nova = PageNova({CHECK: TWO})

    told = await check_rule(nova, 'department eq "Sales"', EN)

    assert told == Found(text="Finds 21 identities now.", names=("Anna · Sales", "Be⟨U+202E⟩n"), is_cut=True)
    assert nova.called[0].body == {"rule": 'department eq "Sales"'}


async def test_a_rule_that_finds_nobody_says_so() -> None:
    told = await check_rule(PageNova({CHECK: {"count": 0, "sample": []}}), "title pr", DE)

    assert told == Found(text="Findet zurzeit niemanden.", names=(), is_cut=False)


@pytest.mark.parametrize(
    ("rule", "position", "german"),
    [
        ("department is sales", 12, "Ab Zeichen 12 nicht lesbar, bei „is sales“. there is no such operator"),
        ("title eq", 9, "Am Ende nicht lesbar. there is no such operator"),
    ],
)
async def test_a_rule_that_breaks_says_at_which_character(rule: str, position: int, german: str) -> None:
    detail = f"rule: at character {position}: there is no such operator"
    nova = PageNova({CHECK: NovaInvalid(detail, field="rule", extra={"position": position})})

    assert await check_rule(nova, rule, DE) == Broken(text=german)


@pytest.mark.parametrize(("rule", "text"), [(" ", "Please fill this in."), ("x" * (MAX_CHARS + 1), "This text is too")])
async def test_what_can_be_no_rule_is_not_even_asked(rule: str, text: str) -> None:
    nova = PageNova({CHECK: TWO})

    told = await check_rule(nova, rule, EN)

    assert isinstance(told, Broken)
    assert told.text.startswith(text)
    assert nova.called == []


async def test_another_refusal_is_told_as_such() -> None:
    told = await check_rule(PageNova({CHECK: NovaForbidden("No.")}), "title pr", EN)

    assert told == Broken(text="You are not permitted to do this. No.")
