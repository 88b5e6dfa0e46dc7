"""What happens to a second factor at the door is told to its owner."""

from datetime import timedelta

from sqlmodel import col, select

from nova_ui.auth.owner_notices import OwnerNotice
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.sign_in_policy import PasswordRule, SignInPolicy
from storage.database import Database
from storage.nova.notification_tables import NotificationRow
from tests.auth.people import PASSWORD, AddPerson, SetClock, store_policy
from tests.auth.plain_forms import live_session
from tests.auth.site import Site
from tests.auth.test_steps import ANOTHER, ada, code_of, enter, enter_password

__all__ = ["ada"]


async def told(database: Database) -> list[tuple[str, str]]:
    async with database.reading() as session:
        rows = (await session.exec(select(NotificationRow).order_by(col(NotificationRow.id)))).all()
    return [(row.kind, row.values["left"]) for row in rows]


async def recovery_codes(site: Site, database: Database, identity_id: str) -> list[str]:
    async with database.transaction() as session:
        return await site.auth.signing_in.factors.new_codes(session, identity_id, site.auth.setup.now())


async def test_a_recovery_code_at_the_door_is_told_with_how_many_are_left(
    site: Site, ada: tuple[IdentityId, str], database: Database, clock: SetClock
) -> None:
    codes = await recovery_codes(site, database, ada[0])
    async with site.visitor() as visitor:
        await enter_password(visitor)
        await enter(visitor, code="AAAA-BBBB-CCCC-DDDD")
        refused = await told(database)
        await enter(visitor, code=codes[0])
    async with site.visitor() as visitor:
        await enter_password(visitor)
        await enter(visitor, code=code_of(ada[1], clock))

    assert refused == []
    assert await told(database) == [(OwnerNotice.RECOVERY_CODE_USED, "9")]


async def test_a_recovery_code_for_a_fresh_sign_in_is_told_too(
    site: Site, ada: tuple[IdentityId, str], database: Database, clock: SetClock
) -> None:
    codes = await recovery_codes(site, database, ada[0])
    async with site.visitor() as visitor:
        await enter_password(visitor)
        await enter(visitor, code=code_of(ada[1], clock))
        session = await live_session(site, visitor)
        assert session is not None
        body = {"password": PASSWORD, "one_time_code": codes[0]}
        answer = await visitor.post("/api/v1/session/refresh", json=body, headers={"x-csrf-token": session.csrf_token})

    assert answer.status_code == 200
    assert await told(database) == [(OwnerNotice.RECOVERY_CODE_USED, "9")]


async def test_a_password_that_was_too_old_and_is_replaced_is_told(
    site: Site, database: Database, add_person: AddPerson, clock: SetClock
) -> None:
    await add_person("ada", nova_roles=["administrator"], password_changed_at=clock.now() - timedelta(days=91))
    await store_policy(database, SignInPolicy(password=PasswordRule(max_age_days=90)), clock)
    async with site.visitor() as visitor:
        await enter_password(visitor)
        await enter(visitor, password=ANOTHER, repeated=ANOTHER)

    assert await told(database) == [(OwnerNotice.PASSWORD_CHANGED, "0")]
