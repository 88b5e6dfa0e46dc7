"""The grammar of filters: what is read, how it binds, and where a broken one breaks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nova_ui.domain.filter_grammar import (
    MAX_CHARS,
    MAX_DEPTH,
    MAX_TESTS,
    Comparison,
    FilterError,
    Junction,
    Negation,
    Node,
    Presence,
    parse_filter,
)


def outline(node: Node) -> str:
    """Write a tree with every parenthesis."""
    match node:
        case Comparison():
            return f"{node.attribute} {node.operator} {node.value!r}"
        case Presence():
            return f"{node.attribute} pr"
        case Negation(inner):
            return f"not({outline(inner)})"
        case Junction(parts, any_of):
            return f"({(' or ' if any_of else ' and ').join(outline(part) for part in parts)})"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('title eq "Lead"', "title eq 'Lead'"),
        ('Title EQ "Lead"', "title eq 'Lead'"),
        ("end_date pr", "end_date pr"),
        ("a pr or b pr and c pr", "(a pr or (b pr and c pr))"),
        ("(a pr or b pr) AND c pr", "((a pr or b pr) and c pr)"),
        ("NOT (a pr) and b pr", "(not(a pr) and b pr)"),
        ('manager.id sw "idn_"', "manager.id sw 'idn_'"),
        ("n gt -3", "n gt -3"),
        ("n le 1.5e2", "n le 150.0"),
        ("flag ne true", "flag ne True"),
        ("x eq null", "x eq None"),
        (r'a eq "a \"b\" \\ \u00e4 \n"', "a eq 'a \"b\" \\\\ ä \\n'"),
        ('a eq "ä (not) and"', "a eq 'ä (not) and'"),
    ],
)
def test_a_filter_is_read_as_the_standard_says(text: str, read: str) -> None:
    assert outline(parse_filter(text)) == read


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ("", 1, "attribute"),
        ("a", 2, "an operator"),
        ("a eq", 5, "a value"),
        ('a is "x"', 3, "no such operator"),
        ('a eq "x', 6, "no end"),
        ("a eq 'x'", 6, "double quotes"),
        ("a eq x", 6, "a value"),
        ("a eq TRUE", 6, "a value"),
        ("a eq 01", 6, "can't be read"),
        ('a eq "\\q"', 6, "no end"),
        (r'a eq "\u0000"', 6, "NUL"),
        (r'a eq "\ud800"', 6, "half a character"),
        ("a pr b pr", 6, "`and`, `or` or the end"),
        ("a pr and", 9, "attribute"),
        ("and pr", 1, "attribute"),
        ("not a pr", 5, "parenthesis"),
        ("(a pr", 6, "closing parenthesis"),
        ("a pr)", 5, "the end"),
        ('emails[type eq "work"]', 1, "can't be read"),
        ('urn:ietf:x:User:a eq "x"', 1, "can't be read"),
        ("a\tpr", 2, "can't be read"),
        ("a eq 99999999999999999999999", 6, "too long"),
        ("(" * (MAX_DEPTH + 1) + "a pr" + ")" * (MAX_DEPTH + 1), MAX_DEPTH + 1, "deep"),
        (" or ".join(["a pr"] * (MAX_TESTS + 1)), MAX_TESTS * 8 + 1, "comparisons"),
        ("a" * (MAX_CHARS + 1), MAX_CHARS + 1, "characters"),
    ],
)
def test_a_broken_filter_names_the_character(text: str, position: int, reason: str) -> None:
    with pytest.raises(FilterError) as caught:
        parse_filter(text)

    assert caught.value.position == position
    assert reason in caught.value.reason


@given(st.text(alphabet=st.sampled_from('ab eqprnotandor()".0123\\u-'), max_size=60))
def test_any_text_is_either_read_or_refused_at_a_place(text: str) -> None:
    assert 1 <= broken_at(text) <= len(text) + 1


def broken_at(text: str) -> int:
    """Return where a text breaks, or 1 if it is a filter."""
    try:
        parse_filter(text)
    except FilterError as error:
        return error.position
    return 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('a eq "x', 'this text has no end, or holds what JSON writes as an escape such as \\n or \\"'),
        ("a eq 'x'", 'texts stand between double quotes: "…"'),
        ("a eq 01", "this can't be read here; expected is an attribute, an operator, a value or a parenthesis"),
        ("a pr b pr", "expected is `and`, `or` or the end"),
        ("not a pr", "`not` is followed by a parenthesis"),
        ("(a pr", "a closing parenthesis is missing"),
        ("a pr and", "expected is an attribute"),
        ("and pr", "expected is an attribute"),
        ("a", "expected is an operator"),
        ('a is "x"', "there is no such operator; there are eq, ne, co, sw, ew, gt, ge, lt, le, pr"),
        ("a eq", 'expected is a value: a text as "…", a number, true, false or null'),
        ("a eq x", 'expected is a value: a text as "…", a number, true, false or null'),
        (r'a eq "\udfff"', "a text must not hold NUL or half a character"),
        ("a eq 123456789012345678901", "this number is too long"),
    ],
)
def test_a_broken_filter_says_what_was_expected(text: str, words: str) -> None:
    with pytest.raises(FilterError) as caught:
        parse_filter(text)

    assert caught.value.reason == words
    assert str(caught.value) == f"at character {caught.value.position}: {words}"


def test_filters_at_their_edges_are_read() -> None:
    longest = f'a eq "{"x" * (MAX_CHARS - 7)}"'

    assert len(longest) == MAX_CHARS
    assert isinstance(parse_filter(longest), Comparison)
    assert outline(parse_filter("a eq 12345678901234567890")) == "a eq 12345678901234567890"
    assert outline(parse_filter("a eq 1e2 or a eq 1E2 or a eq 1.5")) == "(a eq 100.0 or a eq 100.0 or a eq 1.5)"
