"""The only place that renders Markdown: a model's words, cleaned by an allow-list (rule H2).

Three walls, each enough for the worst: raw HTML is text to the renderer, links lead to http(s) and mail only, and what
the renderer gives passes an allow-list without pictures, forms, styles, ids or handlers.
"""

import html
from collections.abc import MutableMapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from nicegui import ui

from nova_ui.presenters.text_blocks import split_blocks
from nova_ui.presenters.visible import show_deceptive

LINK_SCHEMES: Final = frozenset({"http", "https", "mailto"})
MAX_NESTING: Final = 12
MAX_BLOCK_CHARS: Final = 6_000
MAX_MARKDOWN_CHARS: Final = 40_000
_TAGS: Final = frozenset(
    {"p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "a", "span", "div"}
    | {"ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"}
)
_ATTRIBUTES: Final = {"a": {"href"}, "ol": {"start"}}
_CLASSES: Final = {"span": {"nova-link-target"}, "div": {"nova-text__scroll"}}


class _Renderer(RendererHTML):
    """Shows where links lead, and pictures as the words that describe them."""

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: dict[str, Any]) -> str:
        tokens[idx].attrs = {"href": str(tokens[idx].attrGet("href") or "")}  # no title: it hides what it says
        return str(self.renderToken(tokens, idx, options, env))

    def link_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: dict[str, Any]) -> str:
        del options, env
        opening = _opening_of(tokens, idx)
        target = str(tokens[opening].attrGet("href") or "")
        shown = "".join(token.content for token in tokens[opening:idx])
        if shown in {target, target.removeprefix("mailto:")}:
            return "</a>"
        return f'</a> <span class="nova-link-target">({html.escape(target)})</span>'

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        words = self.renderInlineAsText(tokens[idx].children or [], options, env)
        return html.escape(f"[{words}]")

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        return _reachable(super().fence(tokens, idx, options, env))

    def code_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        return _reachable(super().code_block(tokens, idx, options, env))

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: dict[str, Any]) -> str:
        del tokens, idx, options, env
        return '<div class="nova-text__scroll" tabindex="0"><table>'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: dict[str, Any]) -> str:
        del tokens, idx, options, env
        return "</table></div>"


def _reachable(block: str) -> str:
    """Let the keyboard reach code that scrolls sideways."""
    return block.replace("<pre>", '<pre tabindex="0">', 1)


def _opening_of(tokens: Sequence[Token], closing: int) -> int:
    """Return where the link that ends at `closing` begins; links do not nest."""
    return next(index for index in range(closing, -1, -1) if tokens[index].type == "link_open")


def _may_link(address: str) -> bool:
    try:
        return urlsplit(address).scheme.lower() in LINK_SCHEMES
    except ValueError:
        return False


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}, renderer_cls=_Renderer)
    parser.enable(["table", "strikethrough"])
    parser.validateLink = _may_link  # type: ignore[method-assign, assignment] # the documented way
    return parser


_PARSER: Final = _parser()
_CLEANER: Final = nh3.Cleaner(
    tags=set(_TAGS),
    attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
    allowed_classes={tag: set(names) for tag, names in _CLASSES.items()},
    url_schemes=set(LINK_SCHEMES),
    url_relative="deny",
    link_rel="noopener noreferrer nofollow",
    set_tag_attribute_values={"a": {"target": "_blank"}},
    tag_attribute_values={"pre": {"tabindex": {"0"}}, "div": {"tabindex": {"0"}}},
)


def clean(markup: str) -> str:
    """Take everything out of HTML that is not on the allow-list."""
    return str(_CLEANER.clean(markup))


def render(text: str) -> str:
    """Return Markdown as HTML that is safe to show, whoever wrote it.

    Parsing takes time that everybody waits for, by the square of a block's length where somebody wants it to. So a
    block of more than `MAX_BLOCK_CHARS`, and what stands after `MAX_MARKDOWN_CHARS`, is shown as plain words.
    """
    if len(text) <= MAX_BLOCK_CHARS:
        return _render(text)
    blocks, rest = split_blocks(text)
    rendered: list[str] = []
    so_far = 0
    for block in (*blocks, rest):
        is_too_much = len(block) > MAX_BLOCK_CHARS or so_far > MAX_MARKDOWN_CHARS
        rendered.append(_as_plain_words(block) if is_too_much else _render(block))
        so_far += len(block)
    return "".join(rendered)


def _render(text: str) -> str:
    return clean(str(_PARSER.render(show_deceptive(text))))


def _as_plain_words(text: str) -> str:
    return clean(f"<p>{html.escape(show_deceptive(text))}</p>".replace("\n", "<br>"))


class ModelText(ui.html):
    """Shows Markdown of a model; the browser cleans nothing more."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        super().__init__(render(text), sanitize=clean)
        self.classes("nova-text")

    def show(self, text: str) -> None:
        """Replace the text; the same text again costs nothing."""
        if text != self._text:
            self._text = text
            self.content = render(text)
