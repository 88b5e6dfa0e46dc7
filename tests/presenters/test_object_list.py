from typing import Final

import pytest

from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaForbidden, NovaUnavailable
from nova_ui.presenters.group_kind import GROUP_LIST
from nova_ui.presenters.object_list import ListPresenter
from tests.builders import an_administrator, an_identity
from tests.fakes.moving_clock import MovingClock
from tests.fakes.page_nova import Answer, PageNova
from tests.fakes.scripted_nova import Called

OWNER: Final = "idn_0123456789abcdefghjk"


def pages(called: Called) -> JsonObject:
    """Three pages of one row each."""
    number = int(str(called.query.get("cursor", "1")))
    row: JsonObject = {"id": f"grp_{number}", "display_name": f"group {number}", "source": "nova"}
    return {"items": [row], "total": 3, "next_cursor": str(number + 1) if number < 3 else None}


def a_list(answer: Answer = pages, **given: str) -> tuple[ListPresenter, PageNova]:
    nova = PageNova({"GET /groups": answer, "GET /identities/{identity_id}": {"display_name": "Lea Brandt"}})
    return ListPresenter(nova, MovingClock(), an_administrator(), GROUP_LIST, given), nova


def shown(presenter: ListPresenter) -> list[str]:
    return [str(row["display_name"]) for row in presenter.page.rows]


async def test_pages_go_forwards_and_back_by_cursor() -> None:
    presenter, _ = a_list()
    await presenter.load()

    await presenter.next()
    await presenter.next()
    assert (shown(presenter), presenter.page.has_next, presenter.page.has_previous) == (["group 3"], False, True)

    await presenter.next()
    await presenter.previous()
    assert (shown(presenter), presenter.page.has_next) == (["group 2"], True)


async def test_another_filter_starts_at_the_first_page() -> None:
    presenter, nova = a_list()
    await presenter.load()
    await presenter.next()

    await presenter.use(presenter.filters.having("source", "nova"))

    assert nova.called[-1].query == {"source": "nova", "limit": 50}
    assert shown(presenter) == ["group 1"]


async def test_an_object_in_a_filter_is_shown_by_its_name() -> None:
    presenter, _ = a_list(owner_id=OWNER)

    await presenter.load()

    assert presenter.names == {OWNER: "Lea Brandt"}


async def test_a_list_that_is_not_open_is_no_page_and_a_failure_is_said_on_it() -> None:
    closed, _ = a_list(NovaForbidden("no"))
    failing, _ = a_list(NovaUnavailable("down"))

    with pytest.raises(NovaForbidden):
        await closed.load()
    await failing.load()

    assert isinstance(failing.page.problem, NovaUnavailable)


def test_only_administrators_are_offered_to_create() -> None:
    presenter, nova = a_list()
    other = ListPresenter(nova, MovingClock(), an_identity(), GROUP_LIST, {})

    assert [one.key for one in presenter.actions] == ["new"]
    assert other.actions == ()
