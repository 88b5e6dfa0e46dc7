"""D3, D4: where a value that is given by name begins and ends in a text."""

import pytest

from nova_ui.guardrails.secret_texts import redact_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Bearer abcdef0123456789 and PASSWORD=hunter2", "Bearer [secret] and PASSWORD=[secret]"),
        ("token_count=12 password=hunter2", "token_count=12 password=[secret]"),
        ('password="token=b" token=abc1 then', 'password="[secret]" token=[secret] then'),
        ("https://nova.example/cb?code=abc123&x=1", "https://nova.example/cb?code=[secret]&x=1"),
        ("color=blue password=hunter2", "color=blue password=[secret]"),
        ('password="a=b" token=abc1 then', 'password="[secret]" token=[secret] then'),
        ('password="a b" then', 'password="[secret]" then'),
        (r'password="a\"b c" then', 'password="[secret]" then'),
        (r'password="a\\" then "b"', 'password="[secret]" then "b"'),
        (r'password="a\\\"b" then "c"', 'password="[secret]" then "c"'),
        (r"password=\"a b\" then \"c\"", r"password=\"[secret]\" then \"c\""),
        (r"password=\"a \\\" b\" then", r"password=\"[secret]\" then"),
        ('password="" then "b"', 'password="" then "b"'),
        ('password="never closed', 'password="[secret]'),
        ("password='a \"b\" c' then", "password='[secret]' then"),
        ("password=`a b` then", "password=`[secret]` then"),
        ("password=[a, b] then", "password=[[secret]] then"),
        ("password=[a, b", "password=[[secret]"),
        ("password=a,user=b", "password=[secret],user=b"),
        ("password=[secret] then", "password=[secret] then"),
        ("password=null then", "password=null then"),
        ("password: open sesame", "password: open sesame"),
        ("password: opensesame1", "password: [secret]"),
        ("password: a1b2c", "password: a1b2c"),
        ("password: a1b2c3", "password: [secret]"),
        ("password: 12345678901", "password: 12345678901"),
        ("password: " + "o" * 23, "password: " + "o" * 23),
        ("password: " + "o" * 24, "password: [secret]"),
        ("password=[[secret]] then", "password=[[secret]] then"),
        ("] password=[a] then [b]", "] password=[[secret]] then [b]"),
        (r'password="a\"" then "b"', 'password="[secret]" then "b"'),
        (r'password="a\"b"c then "d"', 'password="[secret]"c then "d"'),
        ("password='a'b' c", "password='[secret]'b' c"),
        (r"password='a\\''b", r"password='[secret]''b"),
        ("https://0123456789abcdefghij@host/x", "https://[secret]@host/x"),
        ("https://averylongusernamehere@host/x", "https://averylongusernamehere@host/x"),
    ],
)
def test_d3_a_value_ends_where_its_quote_does(text: str, shown: str) -> None:
    assert redact_text(text) == shown
