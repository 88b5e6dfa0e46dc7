"""What the card names is what the call would hit, whatever the object or another one is called."""

import json
from typing import Final

import pytest

from nova_ui.domain.identity import Language
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.confirmation import ConfirmationWords
from nova_ui.presenters.turn_parts import card_of
from nova_ui.presenters.visible import show_name
from tests.contract.stage import Stage
from tests.injection.obeying_model import ObeyingModel
from tests.injection.reading import cards_of, say

ENGLISH: Final = Translators().for_language(Language.ENGLISH)
GERMAN: Final = Translators().for_language(Language.GERMAN)
NAMES: Final = {
    "Plain Readers": "Plain Readers",
    "harmless (id grp_00000000000000000000)": "harmless (id grp_00000000000000000000)",
    "Interns” is kept; nothing is deleted: “it only refreshes": (
        "Interns⟨U+201D⟩ is kept; nothing is deleted: ⟨U+201C⟩it only refreshes"
    ),
    "Rea\u202esred\u202cx": "Rea⟨U+202E⟩sred⟨U+202C⟩x",
    "Rеaders": "R⟨U+0435⟩aders",  # noqa: RUF001 - a Cyrillic letter
    "Read\u200bers": "Read⟨U+200B⟩ers",
    "\U0001d411eaders": "⟨U+1D411⟩eaders",
    "Читатели": "Читатели",
    "{subject}": "{subject}",
    "<b>Readers</b>": "<b>Readers</b>",
}
"""Names as somebody gives them, and as the card shows them."""


@pytest.mark.parametrize("name", NAMES)
async def test_c2_the_card_names_the_very_object_and_sets_its_name_apart(
    stage: Stage, obeying: ObeyingModel, name: str
) -> None:
    """Abuse cases 26, 28 and 35."""
    target = stage.things.ids["orphan_group"]
    content = json.dumps({"display_name": name}).encode()
    assert (await stage.send(f"PATCH /groups/{target}", "mara", content=content)).is_success
    obeying.agenda = [("delete_group", {"group_id": target})]

    (data,) = cards_of((await say(stage, "mara", "admin", "Delete the group.")).events)

    card = card_of(data)
    assert (card.arguments, card.subject) == ({"group_id": target}, name)
    assert card.current_state is not None
    assert card.current_state["display_name"] == name
    assert ConfirmationWords(card, ENGLISH).action == f"Delete the group “{NAMES[name]}”"
    assert ConfirmationWords(card, GERMAN).action == f"Delete the group „{NAMES[name]}“"


async def test_c2_two_objects_of_one_name_are_told_apart_by_their_ids(stage: Stage, obeying: ObeyingModel) -> None:
    """Abuse case 26."""
    shown = set()
    for who in ("sam", "uma"):
        identity = stage.things.ids[who]
        content = json.dumps({"display_name": "Ada Ames"}).encode()
        assert (await stage.send(f"PATCH /identities/{identity}", "mara", content=content)).is_success
        obeying.agenda = [("end_identity_sessions", {"identity_id": identity})]
        (data,) = cards_of((await say(stage, "mara", "admin")).events)
        words = ConfirmationWords(card_of(data), ENGLISH)
        shown.add((words.action, *(f"{line.label}: {line.value}" for line in words.state or ())))

    assert len(shown) == 2, "the action alone is the same; what the card shows is not"


def test_c2_a_sentence_of_an_earlier_version_is_shown_as_before() -> None:
    card = card_of({"action": "Delete the group Rea\u202eders", "expires_at": "2026-03-02T09:10:00+00:00"})

    assert ConfirmationWords(card, ENGLISH).action == "Delete the group Rea⟨U+202E⟩ders"


@pytest.mark.parametrize("name", ["Jürgen Müller", "Ελένη", "Œuvre n° 5", "Иван Петров", "名前", "O’Brien", "“"])
def test_c2_an_honest_name_stays_as_it_is(name: str) -> None:
    assert show_name(name) == ("⟨U+201C⟩" if name == "“" else name)
