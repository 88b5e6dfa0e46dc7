from typing import Final

import pytest

from nova_ui.domain.assistant import Assistant, AudienceKind
from nova_ui.domain.chat import CallStatus
from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import CallId, ToolKind
from nova_ui.guardrails.refusal import Code
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.assistant_words import scope_text
from nova_ui.presenters.call_words import REFUSAL_WORDS, main_arguments, outcome_text
from nova_ui.presenters.composer import MAX_MESSAGE_CHARS, parse_typed
from nova_ui.presenters.field_words import effect_text, field_label, field_value
from nova_ui.presenters.turn_parts import CallLine
from tests.builders import a_reading_tool, a_tool, an_admin_chat, an_assistant

ENGLISH: Final = Translators().for_language(Language.ENGLISH)
GERMAN: Final = Translators().for_language(Language.GERMAN)
TOOLS: Final = (a_tool(), a_reading_tool())


def test_every_refusal_code_has_words() -> None:
    assert set(REFUSAL_WORDS) == {code.value for code in Code}


def test_main_arguments_name_what_is_known_and_stay_short() -> None:
    arguments: JsonObject = {
        "group_id": "grp_1",
        "confirmed": True,
        "note": "x" * 60,
        "empty": None,
        "limit": 5,
        "more": 1,
    }

    words = main_arguments(arguments, {"grp_1": "Contractors"}, ENGLISH)

    assert words == f"Group: Contractors · note: {'x' * 39}… · At most: 5 · …"


def test_arguments_are_worded_in_the_language_of_the_person() -> None:
    arguments: JsonObject = {"identity_ids": ["idn_1", "idn_2"], "status": "suspended"}

    words = main_arguments(arguments, {"idn_1": "Jonas Weber"}, GERMAN)

    assert words == "Identitäten: Jonas Weber, idn_2 · Status: gesperrt"


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (None, None, "running …"),
        (CallStatus.OK, None, ""),
        (CallStatus.ERROR, "not_found", "failed"),
        (CallStatus.REFUSED, "not_released", "not released for this assistant"),
        (CallStatus.UNKNOWN, "outcome_unknown", "outcome unknown: please check before you repeat it"),
    ],
)
def test_a_line_says_in_words_what_became_of_it(status: CallStatus | None, code: str | None, words: str) -> None:
    line = CallLine(
        call_id=CallId("c"),
        tool_name="t",
        title="T",
        icon="i",
        kind=ToolKind.READ,
        arguments={},
        status=status,
        code=code,
    )

    assert outcome_text(line, ENGLISH) == words


@pytest.mark.parametrize(
    ("assistant", "words"),
    [
        (an_admin_chat(), "All tools · administrators only"),
        (an_assistant(), "2 tools · everyone"),
        (
            an_assistant(
                "list_groups", audience=AudienceKind.ROLES, roles=frozenset({Role.ADMINISTRATOR, Role.AUDITOR})
            ),
            "1 tool, all reading · administrators and auditors",
        ),
    ],
)
def test_an_assistant_says_what_it_may_use_and_for_whom(assistant: Assistant, words: str) -> None:
    assert scope_text(assistant, TOOLS, ENGLISH) == words


def test_fields_and_effects_speak_the_persons_language() -> None:
    assert (field_label("department", GERMAN), field_label("never_heard_of", GERMAN)) == ("Abteilung", "never heard of")
    assert field_value("status", "active", GERMAN) == "aktiv"
    assert field_value("display_name", "active", GERMAN) == "active"
    assert field_value("manager", {"id": "idn_1", "display_name": "Lea\u200b"}, GERMAN) == "Lea⟨U+200B⟩"
    assert (effect_text("account", 1, GERMAN), effect_text("new_kind", 2, GERMAN)) == ("1 Konto", "2 × new kind")


@pytest.mark.parametrize("value", [None, 7, {}, [], ["a", "b"], "", "  \n", "x" * (MAX_MESSAGE_CHARS + 1)])
def test_what_a_browser_of_ours_would_not_send_is_dropped(value: object) -> None:
    assert parse_typed(value) is None


@pytest.mark.parametrize("value", ["Hello", ["Hello"]])
def test_a_typed_text_is_taken_as_it_is(value: object) -> None:
    assert parse_typed(value) == "Hello"
