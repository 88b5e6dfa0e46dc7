from typing import Final

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaConflict, NovaInvalid, NovaPreconditionFailed
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.directory_words import text_of_field, why_text
from nova_ui.presenters.fields import Field, Shown
from nova_ui.presenters.problem_sentences import problem_told

EN: Final = Translators().for_language(Language.ENGLISH)
DE: Final = Translators().for_language(Language.GERMAN)
SINCE: Final = "2026-09-25T22:28:35Z"


@pytest.mark.parametrize(
    ("item", "english", "german"),
    [
        (
            {"source": "request", "granted_by": {"display_name": "Lea Brandt"}, "valid_from": SINCE},
            "Requested, and approved by Lea Brandt, since 25 Sept 2026",
            "Beantragt und von Lea Brandt genehmigt, seit 25.09.2026",
        ),
        ({"source": "direct"}, "Granted directly", "Direkt vergeben"),
        ({"source": "group", "source_id": "grp_1"}, "Comes with the group sales", "Kommt mit der Gruppe sales"),
        ({"source": "birthright"}, "Comes by the rule of the role", "Kommt durch die Regel der Rolle"),
        (
            {"source": "birthright", "rule": 'title eq "CFO"'},
            'Comes by the rule of the role: title eq "CFO"',
            'Kommt durch die Regel der Rolle: title eq "CFO"',
        ),
    ],
)
def test_why_a_right_is_held_is_said_in_each_language(item: JsonObject, english: str, german: str) -> None:
    groups = {"grp_1": "sales"}

    assert (why_text(item, groups, EN), why_text(item, groups, DE)) == (english, german)


@pytest.mark.parametrize(
    ("shown", "value", "text"),
    [
        (Shown.STATE, "suspended", "suspended"),
        (Shown.DAY, "2026-11-30", "30 Nov 2026"),
        (Shown.DAY, "no day", "no day"),
        (Shown.OBJECTS, [{"id": "a", "display_name": "Anna"}, {"id": "b", "display_name": "Ben"}], "Anna, Ben"),
        (Shown.SECRET, {"set": True, "updated_at": "2026-05-12T10:00:00Z"}, "set on 12 May 2026"),
        (Shown.SECRET, {"set": False}, "not set"),
        (Shown.YES_NO, False, "no"),
        (Shown.TEXT, None, "–"),
        (Shown.TEXT, "a\u202eb", "a⟨U+202E⟩b"),
    ],
)
def test_values_are_shown_in_words(shown: Shown, value: object, text: str) -> None:
    one: JsonObject = {"x": value}  # type: ignore[dict-item] # JSON of a test

    assert text_of_field(Field(name="x", label="X", shown=shown), one, EN) == text


def test_a_lost_race_is_told_as_changed_meanwhile() -> None:
    told = problem_told(NovaPreconditionFailed("The object has changed since you read it. Read it again."), DE)

    assert told.text == "Jemand anderes hat dies inzwischen geändert, deshalb wurde nichts getan."
    assert told.next_step == "Sehen Sie sich den aktuellen Stand an und versuchen Sie es dann erneut."


def test_a_wrong_value_is_told_by_the_word_of_its_field() -> None:
    told = problem_told(NovaInvalid("end_date: must be after start_date", field="end_date"), EN)

    assert (told.text, told.next_step) == (
        "End date: Nova did not accept this value.",
        "end_date: must be after start_date",
    )


def test_a_conflict_that_has_no_words_of_ours_keeps_those_of_nova() -> None:
    told = problem_told(NovaConflict("A group with this display_name exists already."), DE)

    assert told.next_step == "A group with this display_name exists already."
