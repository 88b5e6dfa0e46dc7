"""Administrators come back as they are named, and one who can sign in is always left."""

import pytest
from sqlmodel import select

from nova_ui.errors import NovaConflict
from nova_ui.nova.identity_endings import plan_by_itself
from storage.nova.notification_tables import NotificationRow
from storage.nova.tables import IdentityRow, SessionRow
from tests.api.site import Site


async def set_on(site: Site, name: str, **values: object) -> str:
    async with site.database.transaction() as session:
        row = await session.get_one(IdentityRow, site.people[name].id)
        for field, value in values.items():
            setattr(row, field, value)
    return site.people[name].id


async def freshen(site: Site, name: str) -> None:
    async with site.database.transaction() as session:
        (await session.get_one(SessionRow, site.people[name].session_id)).confirmed_at = site.clock.moment


@pytest.mark.parametrize("status", ["suspended", "disabled"])
async def test_b6_no_chat_brings_an_administrator_back(site: Site, status: str) -> None:
    """Activating asks for no confirmation, so hostile text could have a former administrator let in again."""
    otto = await set_on(site, "otto", status=status)
    await freshen(site, "mara")

    answer = await site.call("mara", f"POST /identities/{otto}/activate", via="admin")

    assert (answer.status_code, answer.json()["code"]) == (403, "interface_only")
    assert (await site.get(IdentityRow, otto)).status == status
    [entry] = await site.entries("identity.activated")
    assert (entry.outcome, entry.via) == ("refused", "ai_chat:admin")


async def test_a_session_alone_brings_no_administrator_back_and_every_administrator_is_told(site: Site) -> None:
    otto = await set_on(site, "otto", status="disabled")

    stolen = await site.call("mara", f"POST /identities/{otto}/activate")
    await freshen(site, "mara")
    fresh = await site.call("mara", f"POST /identities/{otto}/activate")

    assert (stolen.status_code, stolen.json()["code"]) == (403, "fresh_sign_in_required")
    assert (fresh.status_code, fresh.json()["status"]) == (200, "active")
    async with site.database.reading() as session:
        told = (await session.exec(select(NotificationRow.identity_id))).all()
    assert set(told) == {otto, site.people["mara"].id}


async def test_others_come_back_through_the_chat_as_before(site: Site) -> None:
    sam = await set_on(site, "sam", status="suspended")

    assert (await site.call("mara", f"POST /identities/{sam}/activate", via="admin")).status_code == 200


async def test_an_administrator_without_a_password_is_not_the_other_one(site: Site) -> None:
    """A leaver routine would else take the last one who can sign in."""
    await set_on(site, "otto", password_hash=None)
    mara = await site.get(IdentityRow, site.people["mara"].id)

    async with site.database.reading() as session:
        with pytest.raises(NovaConflict) as refused:
            await plan_by_itself(session, mara, "disable", site.clock.moment)

    assert refused.value.code == "last_administrator"
