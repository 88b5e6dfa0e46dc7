"""Each kind of notification has its words, and they break on no value."""

import pytest

from nova_ui.auth.owner_notices import OwnerNotice
from nova_ui.i18n.notice_words import NOTICE_WORDS, told
from nova_ui.nova.notices import NoticeKind


def test_every_kind_of_notification_has_words_and_no_other() -> None:
    assert set(NOTICE_WORDS) == {kind.value for kind in (*NoticeKind, *OwnerNotice)}


def test_a_missing_value_leaves_a_gap() -> None:
    assert told("new_report", {}) == (" reports to you", "You are now the manager of .")


def test_a_value_is_never_taken_for_a_pattern() -> None:
    assert told("message", {"title": "{body}", "body": "{0.__class__} %s"}) == ("{body}", "{0.__class__} %s")


@pytest.mark.parametrize("kind", ["", "of_tomorrow"])
def test_a_kind_that_nobody_knows_still_says_something(kind: str) -> None:
    assert told(kind, {"title": "x"}) == ("News from Nova", "")
