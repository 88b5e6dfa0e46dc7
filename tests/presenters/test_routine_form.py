"""What the forms of lifecycle routines send: actions with what they need, names, days and schedules."""

from typing import Final

import pytest

from nova_ui.domain.json_value import JsonObject
from nova_ui.presenters.object_form import NEEDED, NO_CHOICE, NO_NUMBER, fill, fill_changes
from nova_ui.presenters.routine_form import EDIT_FIELDS, NEW_FIELDS, shape_routine
from nova_ui.presenters.schedule_plan import Plan, Rhythm, plan_of, read_time

ROLE: Final = "rol_0123456789abcdefghjk"
NOW: Final[JsonObject] = {
    "names": {"en": "Sleepers", "de": "Schläfer"},
    "type": "inactivity",
    "actions": [
        {"action": "notify", "recipients": ["manager"]},
        {"action": "assign_role", "role_id": ROLE, "days": None},
    ],
    "notice_days": [14, 7],
    "schedule": "0 2 * * *",
    "timezone": "UTC",
    "max_affected": 20,
    "inactive_days": 90,
    "grace_days": 0,
    "dry_run": True,
}
AS_IT_IS: Final = {
    "name_en": "Sleepers",
    "name_de": "Schläfer",
    "actions": [
        {"action": "notify", "recipients": ["manager"]},
        {"action": "assign_role", "role_id": ROLE, "days": ""},
    ],
    "notice_days": "14, 7",
    "schedule": "0 2 * * *",
    "timezone": "UTC",
    "max_affected": "20",
    "inactive_days": "90",
    "grace_days": "0",
    "dry_run": True,
}


def changed(**entered: object) -> JsonObject:
    filled = fill_changes(EDIT_FIELDS, {**AS_IT_IS, **entered}, NOW)
    assert filled.problems == {}
    return shape_routine(filled.body, NOW)


def test_a_form_that_was_not_touched_changes_nothing() -> None:
    assert changed() == {}


def test_actions_keep_their_order_and_what_each_needs() -> None:
    rows = [{"action": "suspend"}, {"action": "assign_role", "role_id": ROLE, "days": "30"}]

    assert changed(actions=rows) == {
        "actions": [{"action": "suspend"}, {"action": "assign_role", "role_id": ROLE, "days": 30}]
    }


def test_a_new_name_in_one_language_keeps_the_other() -> None:
    assert changed(name_de="Ruhende") == {"names": {"en": "Sleepers", "de": "Ruhende"}}


def test_notice_days_are_several_numbers_and_can_be_emptied() -> None:
    assert changed(notice_days="30, 7 1") == {"notice_days": [30, 7, 1]}
    assert changed(notice_days="") == {"notice_days": []}


@pytest.mark.parametrize(
    ("entered", "problems"),
    [
        ({"actions": []}, {"actions": NEEDED}),
        (
            {"actions": [{"action": "assign_role", "days": "x"}]},
            {"actions.0.role_id": NEEDED, "actions.0.days": NO_NUMBER},
        ),
        ({"actions": [{"action": "format_disk"}]}, {"actions.0": NO_CHOICE}),
        ({"actions": [{"action": "notify", "recipients": []}]}, {"actions.0.recipients": NEEDED}),
        ({"notice_days": "7, soon"}, {"notice_days": NO_NUMBER}),
        ({"notice_days": "9" * 5000}, {"notice_days": "This text is too long."}),
        ({"max_affected": "9" * 40}, {"max_affected": NO_NUMBER}),
        ({"schedule": ""}, {"schedule": NEEDED}),
    ],
)
def test_what_is_wrong_is_told_at_its_place(entered: dict[str, object], problems: dict[str, str]) -> None:
    assert fill_changes(EDIT_FIELDS, {**AS_IT_IS, **entered}, NOW).problems == problems


@pytest.mark.parametrize(
    ("kind", "action", "fits"),
    [("leaver", "revoke_assignments", True), ("joiner", "disable", False), (None, "disable", True), ("no", "no", True)],
)
def test_only_actions_that_make_sense_for_the_type_are_offered(kind: str | None, action: str, *, fits: bool) -> None:
    [rows] = [one for one in NEW_FIELDS if one.name == "actions"]

    assert rows.fits({"type": kind, "action": action}) is fits


def test_a_new_routine_needs_a_name_a_type_and_an_action() -> None:
    problems = fill(NEW_FIELDS, {"schedule": "0 2 * * *", "timezone": "UTC", "max_affected": 20}).problems

    assert problems == {"key": NEEDED, "name_en": NEEDED, "type": NEEDED, "actions": NEEDED}


@pytest.mark.parametrize(
    ("expression", "rhythm"),
    [
        ("15 * * * *", Rhythm.HOURLY),
        ("0 2 * * *", Rhythm.DAILY),
        ("0 6 * * MON-FRI", Rhythm.WORKING_DAYS),
        ("30 3 * * SUN", Rhythm.WEEKLY),
        ("0 4 28 * *", Rhythm.MONTHLY),
        ("0 4 L * *", Rhythm.MONTHLY),
        ("0 4 31 * *", Rhythm.CUSTOM),
        ("*/10 8-18 * * *", Rhythm.CUSTOM),
        ("60 2 * * *", Rhythm.CUSTOM),
        ("0 2 * 3 *", Rhythm.CUSTOM),
        ("", Rhythm.CUSTOM),
    ],
)
def test_a_schedule_taken_apart_and_put_together_is_the_same(expression: str, rhythm: Rhythm) -> None:
    plan = plan_of(expression)

    assert (plan.rhythm, plan.expression) == (rhythm, expression)


def test_weekdays_by_number_are_those_of_cron() -> None:
    assert [plan_of(f"0 2 * * {day}").weekday for day in (0, 1, 6, 7)] == ["SUN", "MON", "SAT", "SUN"]
    assert plan_of("0 2 * * 1-5") == Plan(rhythm=Rhythm.WORKING_DAYS)


@pytest.mark.parametrize(
    ("text", "time"),
    [("2:05", (2, 5)), ("23:59", (23, 59)), ("24:00", None), ("", None), ("2", None), ("\u0662:\u0660\u0660", None)],
)
def test_times_of_day_are_read(text: str, time: tuple[int, int] | None) -> None:
    assert read_time(text) == time
