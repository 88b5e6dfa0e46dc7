"""The two readings of a filter agree: what the database finds, and what `holds` says of each identity's values."""

import asyncio
from datetime import UTC, datetime
from typing import Final
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from nova_ui.domain.filter_grammar import FilterError, parse_filter
from nova_ui.domain.filter_meaning import Kind, Stored, holds, understand
from nova_ui.nova.identity_views import primary_email
from nova_ui.nova.list_filters import IDENTITIES
from storage.database import Database
from storage.nova import filter_conditions
from storage.nova.filter_conditions import condition_of
from storage.nova.tables import IdentityRow
from tests.api.site import an_identity

_TEXTS: Final = ("Sales", "SALES  DACH", "sale", "Straße", "STRASSE", "İzmir", "ﬁnance", "50%_a\\b", " ", "", None, "ς")
_MOMENTS: Final = (
    None,
    datetime(2026, 3, 1, 23, 59, 59, 999_999, tzinfo=UTC),
    datetime(2026, 3, 2, 0, 0, tzinfo=UTC),
    datetime(2026, 3, 2, 12, 0, tzinfo=UTC),
    datetime(2026, 3, 3, 0, 0, tzinfo=UTC),
)
_DAYS: Final = (None, "2026-03-01", "2026-03-02", "2026-12-31")
_STATES: Final = ("active", "staged", "suspended", "disabled")
_ROLES: Final[tuple[list[str], ...]] = ([], ["administrator"], ["auditor", "administrator"])


def _people() -> list[IdentityRow]:
    people = [
        an_identity(
            f"person-{number}",
            department=text,
            title=_TEXTS[-number],
            given_name=text or "",
            start_date=_DAYS[number % 4],
            last_sign_in_at=_MOMENTS[number % 5],
            status=_STATES[number % 4],
            nova_roles=_ROLES[number % 3],
            emails=[] if number % 4 == 0 else [{"value": f"{text}@x.example", "type": "work", "primary": True}],
        )
        for number, text in enumerate(_TEXTS)
    ]
    for person in people[1:]:
        person.manager_id = people[0].id if person.status == "active" else None
    return people


def values_of(row: IdentityRow) -> dict[str, Stored]:
    return {
        **row.model_dump(include=set(IDENTITIES)),
        "email": primary_email(row.emails),
        "manager.id": row.manager_id,
        "active": row.status == "active",
    }


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\") + '"'


_words: Final = st.sampled_from([text for text in _TEXTS if text and text.strip()]).flatmap(
    lambda text: st.sampled_from([text, text.upper(), text.lower(), text[:3], text[-3:], text[1:4] or "a"])
)
_texts: Final = st.builds(
    "{} {} {}".format,
    st.sampled_from(["department", "title", "given_name", "email"]),
    st.sampled_from(["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"]),
    _words.map(_quoted),
)
_parts: Final = st.sampled_from(["eq", "ne", "co", "sw", "ew"])
_orders: Final = st.sampled_from(["eq", "ne", "gt", "ge", "lt", "le"])
_others: Final = st.one_of(
    st.builds(
        "status {} {}".format, st.sampled_from(["eq", "ne", "co", "sw", "ew"]), st.sampled_from(['"act"', '"ACTIVE"'])
    ),
    st.builds("start_date {} {}".format, _orders, st.sampled_from(['"2026-03-02"', '"2026-03-01"'])),
    st.builds(
        "last_sign_in_at {} {}".format,
        _orders,
        st.sampled_from(['"2026-03-02"', '"2026-03-02T12:00:00Z"', '"2026-03-02T01:00:00+01:00"']),
    ),
    st.builds(
        "nova_roles {} {}".format,
        st.sampled_from(["eq", "ne"]),
        st.sampled_from(['"auditor"', '"admin"', r'"auditor\", \"administrator"', '"%"']),
    ),
    st.builds("active {} {}".format, st.sampled_from(["eq", "ne"]), st.sampled_from(["true", "false"])),
    st.builds("{} {}".format, st.sampled_from(sorted(IDENTITIES)), st.sampled_from(["pr", "eq null", "ne null"])),
)
_filters: Final = st.recursive(
    _texts | _others,
    lambda inner: st.one_of(
        inner.map("not ({})".format),
        st.builds("({}) and ({})".format, inner, inner),
        st.builds("({}) or ({})".format, inner, inner),
    ),
    max_leaves=6,
)


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(_filters, min_size=40, max_size=40), few=st.sampled_from([0, 200]))
def test_the_database_finds_exactly_those_of_whom_the_filter_holds(
    database_url: str, texts: list[str], few: int
) -> None:
    asyncio.run(_compare(database_url, texts, few))


async def _compare(url: str, texts: list[str], few: int) -> None:
    database = Database(url)
    with mock.patch.object(filter_conditions, "FEW", few):  # so that both ways to name many values are taken
        async with database.transaction() as session:
            people = _people()
            session.add_all(people[:1])
            await session.flush()
            session.add_all(people[1:])
            await session.flush()
            for text in texts:
                condition = understand(parse_filter(text), {name: one.kind for name, one in IDENTITIES.items()})
                wanted = select(IdentityRow.user_name).where(await condition_of(session, condition, IDENTITIES))
                found = set((await session.exec(wanted.order_by(col(IdentityRow.id)))).all())

                assert found == {one.user_name for one in people if holds(condition, values_of(one))}, text
            await session.rollback()
    await database.close()


def test_every_attribute_of_identities_has_values_to_be_read() -> None:
    values = values_of(_people()[0])

    assert set(values) == set(IDENTITIES)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ('who eq "x"', 1),
        ("name eq 3", 9),
        ('name eq " "', 9),
        ("name gt null", 6),
        ("on gt true", 4),
        ('on eq "true"', 7),
        ('state gt "a"', 7),
        ("number eq 1.5", 11),
        ("number eq true", 11),
        ("number eq 3000000000", 11),
        ('day eq "2026-02-30"', 8),
        ('day eq "2026-W10-1"', 8),
    ],
)
def test_what_can_not_be_compared_is_refused_at_its_place(text: str, position: int) -> None:
    kinds = {"name": Kind.TEXT, "on": Kind.FLAG, "state": Kind.KEY, "number": Kind.NUMBER, "day": Kind.DAY}

    with pytest.raises(FilterError) as caught:
        understand(parse_filter(text), kinds)

    assert caught.value.position == position
