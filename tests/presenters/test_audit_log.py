from datetime import UTC, datetime, timedelta, timezone
from typing import Final

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaUnavailable
from nova_ui.presenters.audit_filters import AuditFilters
from nova_ui.presenters.audit_log import AuditLogPresenter, AuditPage
from tests.builders import NOW
from tests.fakes.chat_doors import FakeClock
from tests.fakes.scripted_nova import Called, ScriptedNova

BERLIN_IN_WINTER: Final = timezone(timedelta(hours=1))


def an_entry(entry_id: str, *, action: str = "group.deleted", via: str | None = None) -> JsonObject:
    return {
        "id": entry_id,
        "time": NOW.isoformat(),
        "action": action,
        "outcome": "success",
        "actor": {"type": "identity", "id": "idn_1", "display": "Mara König"},
        "target": {"type": "group", "id": "grp_1", "display": "Contractors"},
        "details": {"via": via} if via else {},
        "origin": via or "interface",
        "request_id": "rid_1",
        "caused_by": None,
        "ip": None,
        "session_id": "ses_1",
    }


def a_log(*pages: list[str]) -> ScriptedNova:
    """Return a log of pages of entry ids, newest first; the cursor is the number of the next page."""

    def page(called: Called) -> JsonValue:
        number = int(str(called.query.get("cursor", 0)))
        following = str(number + 1) if number + 1 < len(pages) else None
        return {"items": [an_entry(one) for one in pages[number]], "next_cursor": following, "total": 3}

    def summary(called: Called) -> JsonValue:
        keys = {
            "actor": ["idn_1"],
            "action": ["group.deleted", "group.created"],
            "origin": ["ai_chat:helpdesk", "interface", "ai_chat:admin"],
        }[str(called.query["group_by"])]
        return {"groups": [{"key": key, "label": key.upper(), "count": 1} for key in keys]}

    return ScriptedNova({"GET /audit-log": page, "GET /audit-log/summary": summary})


def a_presenter(nova: ScriptedNova, filters: AuditFilters | None = None) -> AuditLogPresenter:
    return AuditLogPresenter(nova, FakeClock(), filters or AuditFilters())


def shown_ids(presenter: AuditLogPresenter) -> list[str]:
    return [entry.id for entry in presenter.page.entries]


def asked(nova: ScriptedNova) -> list[dict[str, str | int | bool | None]]:
    return [dict(one.query) for one in nova.called if one.endpoint == "GET /audit-log"]


async def test_the_log_is_paged_both_ways_and_filtering_starts_again_at_the_newest() -> None:
    nova = a_log(["log_1"], ["log_2"], ["log_3"])
    presenter = a_presenter(nova)

    await presenter.load()
    await presenter.older()
    await presenter.older()
    assert shown_ids(presenter) == ["log_3"]
    assert (presenter.page.has_newer, presenter.page.has_older) == (True, False)
    await presenter.newer()
    assert shown_ids(presenter) == ["log_2"]
    await presenter.use(AuditFilters(outcome="refused"))

    assert shown_ids(presenter) == ["log_1"]
    assert not presenter.page.has_newer
    assert asked(nova)[-1] == {"outcome": "refused", "limit": 50}


async def test_f2_the_origin_of_a_filter_reaches_nova_as_it_is() -> None:
    nova = a_log(["log_1"])
    presenter = a_presenter(nova, AuditFilters(origin="ai_chat"))

    await presenter.load()
    await presenter.use(AuditFilters(origin="ai_chat:helpdesk"))

    assert [query["origin"] for query in asked(nova)] == ["ai_chat", "ai_chat:helpdesk"]
    assert {"ai_chat:admin", "ai_chat:helpdesk"} <= set(presenter.choices.origins)


async def test_following_shows_the_newest_entries_and_is_silent_without_news() -> None:
    pages = [["log_1"], ["log_0"]]
    presenter = a_presenter(a_log(*pages))
    await presenter.load()
    await presenter.older()
    told: list[AuditPage] = []
    presenter.changed.subscribe(told.append)

    await presenter.follow()
    await presenter.follow()
    assert [entry.id for page in told for entry in page.entries] == ["log_1"]
    pages[0].insert(0, "log_2")
    await presenter.follow()

    assert [entry.id for entry in told[-1].entries] == ["log_2", "log_1"]


async def test_an_entry_opens_with_the_others_of_its_request() -> None:
    others: list[JsonValue] = [an_entry("log_1"), an_entry("log_2", action="session.ended"), an_entry("log_3")]
    nova = ScriptedNova(
        {
            "GET /audit-log/{entry_id}": an_entry("log_1", via="ai_chat:admin"),
            "GET /audit-log": {"items": others, "next_cursor": None, "total": 3},
        }
    )

    opened = await a_presenter(nova).open("log_1")

    assert opened.entry.origin == "ai_chat:admin"
    assert [other.id for other in opened.same_request] == ["log_2", "log_3"]
    assert opened.counted == {"session.ended": 1, "group.deleted": 1}
    assert nova.called[-1].query["request_id"] == "rid_1"


async def test_an_export_takes_what_is_filtered_and_nothing_else() -> None:
    nova = ScriptedNova(
        {
            "POST /exports": {"id": "exp_1", "status": "queued"},
            "GET /exports/{export_id}": {"id": "exp_1", "status": "ready"},
        }
    )

    path = await a_presenter(nova, AuditFilters(origin="ai_chat", range="24h")).export("csv")

    yesterday = (NOW - timedelta(hours=24)).isoformat()
    wanted: JsonObject = {"after": yesterday, "origin": "ai_chat"}
    assert nova.called[0].body == {"resource": "audit_log", "format": "csv", "filter": wanted}
    assert path == "/exports/exp_1/content"


async def test_a_log_that_cannot_be_read_says_so_and_shows_no_old_entries() -> None:
    nova = a_log(["log_1"])
    presenter = a_presenter(nova)
    await presenter.load()
    nova.answers = {"GET /audit-log": NovaUnavailable("down")}

    await presenter.reload()

    assert isinstance(presenter.page.problem, NovaUnavailable)
    assert presenter.page.entries == ()


def test_filters_survive_the_way_through_the_address() -> None:
    filters = AuditFilters(
        since="2026-03-01", actor="idn_1", action="group.*", origin="ai_chat:admin", outcome="failed", q="a & b=c"
    )

    pairs = dict(pair.split("=", 1) for pair in filters.address.removeprefix("?").split("&"))

    assert set(pairs) == {"since", "actor", "action", "origin", "outcome", "q"}
    assert pairs["q"] == "a+%26+b%3Dc"
    assert AuditFilters.from_address({**vars_of(filters), "foo": "1"}) == filters


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("range", "1y"),
        ("since", "2026-02-30"),
        ("until", "tomorrow"),
        ("outcome", "great"),
        ("origin", "ai_chat:"),
        ("action", "Group Deleted"),
        ("target_type", "nothing"),
        ("target", "x" * 65),
    ],
)
def test_what_no_filter_can_be_is_dropped_from_an_address(name: str, value: str) -> None:
    assert AuditFilters.from_address({name: value}).is_empty


def test_days_begin_and_end_where_the_person_is() -> None:
    filters = AuditFilters(range="7d").spanning("2026-03-02", "2026-03-01")

    query = filters.query(NOW, BERLIN_IN_WINTER)

    assert (filters.since, filters.until, filters.range) == ("2026-03-01", "2026-03-02", "")
    assert query["after"] == datetime(2026, 2, 28, 23, tzinfo=UTC).isoformat()
    assert query["before"] == datetime(2026, 3, 2, 22, 59, 59, 999_999, tzinfo=UTC).isoformat()
    assert AuditFilters(range="24h").having("range", None).is_empty
    assert filters.having("range", "24h") == AuditFilters(range="24h")


def vars_of(filters: AuditFilters) -> dict[str, str]:
    names = ("since", "actor", "action", "origin", "outcome", "q")
    return {name: getattr(filters, name) for name in names}
