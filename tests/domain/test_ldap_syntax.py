"""Names of entries and search filters, by their syntax: what a directory would take, and nothing else."""

import pytest

from nova_ui.domain.ldap_syntax import is_distinguished_name, is_filter


@pytest.mark.parametrize(
    "text",
    [
        "dc=example",
        "cn=Ada Berg,ou=People,dc=example,dc=com",
        "cn=Ada Berg, ou=People,  dc=example",
        "cn=Berg\\, Ada,dc=example",
        "cn=Berg\\2C Ada+uid=ada,dc=example",
        "2.5.4.3=Ada",
        "cn=a, 2.5.4.3=b",
        "cn=#04024869",
        "cn=",
        "cn=ends with a space\\ ",
        "cn=" + "a" * 997,
    ],
)
def test_a_distinguished_name_is_one(text: str) -> None:
    assert is_distinguished_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example",
        "cn=a,",
        ",cn=a",
        "cn=a;b=c",
        "cn= a",
        "cn=a ",
        "cn=#0",
        "cn=a\nb",
        "1cn=a",
        "cn=a\\",
        "cn=a\\x",
        "cn=" + "a" * 998,
    ],
)
def test_what_is_no_distinguished_name_is_none(text: str) -> None:
    assert not is_distinguished_name(text)


def _nested(depth: int, mark: str) -> str:
    return f"({mark}" * depth + "(cn=a)" + ")" * depth


@pytest.mark.parametrize(
    "text",
    [
        "(cn=a)",
        "(cn=*)",
        "(cn=)",
        "(cn=A*d*a)",
        "(cn;lang-de=a)",
        "(cn~=a)",
        "(cn>=1)",
        "(cn<=1)",
        "(cn:dn:2.4.6.8:=x)",
        "(:dn:caseExactMatch:=x)",
        "(cn=\\2a\\28)",
        "(&(cn=a))",
        "(|(cn=a)(!(cn=b)))",
        "(&(a=1)(|(b=2)(c=3))(!(d=4)))",
        _nested(20, "!"),
        _nested(20, "&"),
        "(cn=" + "a" * 995 + ")",
    ],
)
def test_a_search_filter_is_one(text: str) -> None:
    assert is_filter(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cn=a",
        "(cn=a",
        "cn=a)",
        "(cn=a))",
        "((cn=a))",
        "(cn=a)(cn=b)",
        " (cn=a)",
        "(cn=a) ",
        "(cn)",
        "(",
        "()",
        "(!xcn=a))",
        "(cn=a(b)",
        "(cn=a)b)",
        "(cn=\\2)",
        "(cn=a\x00)",
        "(&)",
        "(|)",
        "(!)",
        "(!(cn=a)(cn=b))",
        "(!cn=a)",
        "(&(cn=a)",
        "(&(cn=a)b)",
        "(&(cn=a)(b)",
        "(|x(cn=a))",
        _nested(21, "!"),
        _nested(21, "&"),
        "(cn=" + "a" * 996 + ")",
    ],
)
def test_what_is_no_whole_search_filter_is_none(text: str) -> None:
    assert not is_filter(text)


@pytest.mark.parametrize("opening", ["", "(&(a=1)", "(|"])
def test_a_filter_is_read_to_twenty_levels_wherever_it_stands(opening: str) -> None:
    levels = 19 if opening else 20
    closing = ")" if opening else ""

    assert is_filter(opening + "(!" * levels + "(a=1)" + ")" * levels + closing)
    assert not is_filter(opening + "(!" * (levels + 1) + "(a=1)" + ")" * (levels + 1) + closing)
