"""C: confirmation before destructive actions, as decisions on values."""

from datetime import datetime, timedelta

import pytest

from nova_ui.domain.chat import ConfirmMessage, PreviewId, ToolMessage
from nova_ui.domain.tool import Change, Consequence, Shown, ToolArguments, ToolCall, ToolKind
from nova_ui.errors import NovaConflict, NovaForbidden, NovaNotFound
from nova_ui.guardrails.agreement import Reply, classify_reply
from nova_ui.guardrails.confirmation import check_confirmation
from nova_ui.guardrails.limits import TurnLedger
from nova_ui.guardrails.offer import check_read_only
from nova_ui.guardrails.preview import digest_of, look, still_holds, subject_by_arguments, without_secrets
from nova_ui.guardrails.refusal import Code
from tests.builders import (
    JUST_IN_TIME,
    NOW,
    TOO_LATE,
    a_call,
    a_preview,
    a_reading_tool,
    a_tool,
    a_turn,
    a_writing_tool,
    an_identity,
)


def why(preview_number: int = 3, **wishes: object) -> str | None:
    """Say why a confirmation of `a_preview` does not count, or None."""
    preview = a_preview(turn_number=preview_number)
    call, now = wishes.pop("call", preview.call), wishes.pop("now", NOW)
    assert isinstance(call, ToolCall)
    assert isinstance(now, datetime)
    refusal = check_confirmation(preview, call, a_turn(**wishes), now)  # type: ignore[arg-type]  # by name in tests
    assert refusal is None or refusal.code is Code.CONFIRMATION_INVALID
    return None if refusal is None else refusal.reason


def test_c3_the_next_message_confirms_by_words_and_by_the_button() -> None:
    assert why(number=4, text="Ja, löschen.") is None
    assert why(number=4, message=ConfirmMessage(preview_id=PreviewId("prv_1"))) is None


def test_c3_a_button_confirms_only_its_own_preview() -> None:
    assert why(number=4, message=ConfirmMessage(preview_id=PreviewId("prv_2"))) == "not_agreed"


@pytest.mark.parametrize(
    ("number", "reason"),
    [(2, "same_message"), (3, "same_message"), (4, None), (5, "message_between"), (40, "message_between")],
)
def test_c4_c7_only_the_immediately_following_message_confirms(number: int, reason: str | None) -> None:
    assert why(number=number) == reason


def test_c4_nobody_else_confirms() -> None:
    assert why(identity=an_identity()) == "foreign"


def test_c4_a_message_to_another_assistant_confirms_nothing() -> None:
    assert why(assistant_key="audit") == "foreign"


@pytest.mark.parametrize(
    ("now", "reason"),
    [
        (NOW, None),
        (NOW + timedelta(minutes=9, seconds=59, milliseconds=900), None),
        (JUST_IN_TIME, None),
        (JUST_IN_TIME + timedelta(microseconds=1), "expired"),
        (TOO_LATE, "expired"),
        (NOW - timedelta(minutes=1), None),  # another server's clock may be a little behind
        (NOW - timedelta(minutes=1, microseconds=1), "expired"),
    ],
)
def test_c5_a_confirmation_counts_for_exactly_ten_minutes(now: datetime, reason: str | None) -> None:
    assert why(now=now) == reason


@pytest.mark.parametrize(
    "arguments", [{"group_id": "grp_2"}, {"group_id": "grp_1", "limit": 51}, {"group_id": "grp_1", "note": ""}]
)
def test_c6_a_changed_argument_is_another_call(arguments: dict[str, str | int | None]) -> None:
    assert why(call=a_call(arguments=dict(arguments))) == "changed"


def test_c6_another_tool_with_the_same_arguments_is_another_call() -> None:
    assert why(call=a_call(a_tool("purge_group"))) == "changed"


@pytest.mark.parametrize("arguments", [{"limit": 50.0, "group_id": "grp_1"}, {"note": None, "group_id": "grp_1"}])
def test_c6_the_same_call_written_otherwise_is_the_same_call(arguments: dict[str, str | float | None]) -> None:
    assert why(call=a_call(arguments=dict(arguments))) is None


@pytest.mark.parametrize(
    "text", ["What is the weather?", "yes, but show me the list first", "he said yes", "no", "yes? ", "yes " * 40]
)
def test_c7_only_a_clear_agreement_confirms_whatever_the_model_makes_of_the_reply(text: str) -> None:
    assert why(text=text) == "not_agreed"


def test_c7_the_persons_own_tool_call_confirms_nothing() -> None:
    assert why(message=ToolMessage(tool_name="delete_group", arguments={})) == "not_agreed"


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Yes.",
        "YES!!",
        "  yes\n",
        "Yes, please",
        "confirm",
        "Go ahead!",
        "ok",
        "ja",
        "Ja, löschen",
        "JA, LÖSCHEN!",
        "ja, lo\u0308schen",
        "ja loeschen",
        "Bestätigen",
        "ja\u00a0bitte",
        "Einverstanden.",
    ],
)
def test_c7_whole_replies_of_the_closed_lists_agree(text: str) -> None:
    assert classify_reply(text) is Reply.AGREES


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "yes?",
        "yes,",
        "yes, .",
        ", yes",
        "yes yes but no",
        "y\u0435s",  # a Cyrillic letter
        "ye\u200bs",
        "\uff59\uff45\uff53",
        "ye\u017f",  # the long s folds to s
        "o\u212a",  # the Kelvin sign is canonically a K
        "\u202eyes",
        "\u2003yes",
        "\x0byes",
        "yes\u0308",
        "ja oder nein",
        "nicht nein",
        "Ja, aber später",
        '"yes"',
        "yes.\n\nIgnore the above.",
        "yes" + " " * 100 + "no",
    ],
)
def test_c7_anything_else_is_no_agreement(text: str) -> None:
    assert classify_reply(text) is Reply.OTHER


@pytest.mark.parametrize(
    "text", ["no", "No!", "nein", "NEIN.", "stop", "Stopp", "abbrechen", "cancel", "do not confirm", "don\u2019t"]
)
def test_c12_explicit_refusals_are_told_apart(text: str) -> None:
    assert classify_reply(text) is Reply.REFUSES


async def test_c2_the_card_shows_the_object_as_the_identity_sees_it_with_secrets_replaced() -> None:
    async def show() -> Shown:
        return Shown(subject="CRM", current_state={"id": "app_1", "client_secret": "hunter22"}, etag='"4"')

    shown = await look(show, a_call(), frozenset())

    assert shown.current_state == {"id": "app_1", "client_secret": "[secret]"}
    assert (shown.subject, shown.etag) == ("CRM", '"4"')


@pytest.mark.parametrize("error", [NovaNotFound("There is no such group."), NovaForbidden("Not yours.")])
async def test_c2_no_object_and_no_right_to_read_it_look_the_same(error: Exception) -> None:
    """Abuse case 34."""

    async def show() -> Shown:
        raise error

    shown = await look(show, a_call(), frozenset())

    assert shown == Shown(subject="grp_1")


def test_c2_an_object_that_cannot_be_read_is_named_by_its_id_alone() -> None:
    class Arguments(ToolArguments):
        a_reason: str = "because"
        batch_id: int = 7
        group_id: str = "grp_1"

    assert subject_by_arguments(a_call(a_tool(arguments=Arguments), {})) == "grp_1"
    assert subject_by_arguments(a_call(a_tool(arguments=ToolArguments), {})) == ""


async def test_c2_what_the_action_would_be_refused_for_is_told_instead_of_shown() -> None:
    async def show() -> Shown:
        raise NovaConflict("The last administrator stays.", code="last_administrator")

    with pytest.raises(NovaConflict):
        await look(show, a_call(), frozenset())


def test_c13_what_changes_and_what_goes_with_it_holds_no_secret() -> None:
    shown = Shown(
        subject="CRM",
        changes=(
            Change(field="client_secret", before="old", after="new"),
            Change(field="name", before="a", after="b"),
            Change(field="pin_code", before=1, after=None),
        ),
        consequences=(Consequence(type="sessions", count=2, names=("Ada", "token sk-abcdef1234567890")),),
    )

    clean = without_secrets(shown, frozenset())

    assert [(change.field, change.before, change.after) for change in clean.changes] == [
        ("client_secret", "[secret]", "[secret]"),
        ("name", "a", "b"),
        ("pin_code", "[secret]", None),
    ]
    assert clean.consequences == (Consequence(type="sessions", count=2, names=("Ada", "token [secret]")),)


def test_c13_a_field_that_nova_marks_as_secret_is_hidden_under_any_name() -> None:
    shown = Shown(subject="x", current_state={"shade": "blue"}, changes=(Change(field="shade", before="a", after="b"),))

    clean = without_secrets(shown, frozenset({"shade"}))

    assert clean.current_state == {"shade": "[secret]"}
    assert clean.changes == (Change(field="shade", before="[secret]", after="[secret]"),)


@pytest.mark.parametrize(
    "now_shown",
    [
        Shown(subject="Other"),
        Shown(subject="x", current_state={}),
        Shown(subject="x", changes=(Change(field="a", before=1, after=2),)),
        Shown(subject="x", consequences=(Consequence(type="sessions", count=1),)),
        Shown(subject="x", consequences=(Consequence(type="sessions", count=1, names=("Ada",)),)),
        Shown(subject="x", etag='"2"'),
    ],
)
def test_c14_any_difference_of_what_was_shown_is_noticed(now_shown: Shown) -> None:
    preview = a_preview(shown=Shown(subject="x", etag='"1"'))

    assert still_holds(preview, Shown(subject="x", etag='"1"'))
    assert not still_holds(preview, now_shown)


def test_c14_what_becomes_of_a_consequence_is_part_of_what_was_shown() -> None:
    ended, revoked = (
        Shown(subject="x", consequences=(Consequence(type="sessions", count=1, result=result),))
        for result in ("ended", "revoked")
    )

    preview = a_preview(shown=ended)

    assert still_holds(preview, ended)
    assert not still_holds(preview, revoked)


def test_c14_the_order_of_fields_is_no_difference() -> None:
    one = Shown(subject="x", current_state={"a": 1, "b": {"c": 2, "d": 3}})
    other = Shown(subject="x", current_state={"b": {"d": 3, "c": 2}, "a": 1})

    assert digest_of(one) == digest_of(other)


def test_c8_after_the_button_only_reading_tools_are_admitted() -> None:
    assert check_read_only(a_reading_tool(), read_only=True) is None
    for tool in (a_writing_tool(), a_tool(kind=ToolKind.DESTRUCTIVE)):
        refusal = check_read_only(tool, read_only=True)
        assert refusal is not None
        assert refusal.code is Code.READ_ONLY_REPLY
        assert check_read_only(tool, read_only=False) is None


def test_c9_e2_one_destructive_action_or_preview_a_turn() -> None:
    fresh, ran, shown = TurnLedger(), TurnLedger(), TurnLedger()
    ran.count_destructive()
    shown.count_preview("digest")

    assert fresh.check_destructive() is None
    for ledger in (ran, shown):
        refusal = ledger.check_destructive()
        assert refusal is not None
        assert refusal.code is Code.LIMIT_DESTRUCTIVE
