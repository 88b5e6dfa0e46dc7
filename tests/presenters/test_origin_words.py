"""Where an entry of the audit log came from, in words."""

import pytest

from nova_ui.components.badges import origin_text, origin_tone
from nova_ui.domain.identity import Language
from nova_ui.i18n.translator import Translators


@pytest.mark.parametrize(
    ("origin", "words", "tone"),
    [
        ("interface", "Oberfläche", "plain"),
        ("ai_chat", "KI-Chat", "ai"),
        ("ai_chat:helpdesk", "KI-Chat · helpdesk", "ai"),
        ("ai_routine:weekly", "KI-Routine · weekly", "ai"),
        ("routine", "Lebenszyklus-Routine", "plain"),
        ("system", "System", "plain"),
        ("of_a_later_version", "of_a_later_version", "plain"),
    ],
)
def test_f2_only_what_came_from_the_interface_is_called_so_and_a_model_stands_out(
    origin: str, words: str, tone: str
) -> None:
    assert origin_text(origin, Translators().for_language(Language.GERMAN)) == words
    assert origin_tone(origin) == tone
