"""The built-in model understands a state by the word that the pages show for it."""

import json

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.routine_words import STATES
from nova_ui.tools.lifecycle import TOOLS
from nova_ui.tools.registry import offer
from tests.llm.playing import play


def _nothing(_name: str, _arguments: JsonObject) -> str:
    return json.dumps({"total": 0, "shown": 0, "items": []})


@pytest.mark.parametrize("state", STATES)
async def test_routines_are_found_by_the_shown_word_of_their_state(state: str) -> None:
    shown = Translators().for_language(Language.GERMAN)(STATES[state])

    played = await play(
        f"Zeige {shown}e Lebenszyklus-Routinen", offers=[offer(one) for one in TOOLS], answering=_nothing
    )

    assert [arguments["status"] for _name, arguments in played.calls] == [state]
