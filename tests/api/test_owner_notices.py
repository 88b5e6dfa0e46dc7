"""What changes how somebody signs in is told to its owner, so that a thief shows."""

import pytest
from sqlmodel import col, select

from nova_ui.auth.owner_notices import OwnerNotice
from storage.nova.notification_tables import NotificationRow
from tests.api.site import Site
from tests.api.test_own_credentials import change, enrolled, sam

__all__ = ["sam"]


async def told(site: Site) -> list[tuple[str, str | None]]:
    mine = select(NotificationRow).where(col(NotificationRow.identity_id) == site.people["sam"].id)
    async with site.database.reading() as session:
        rows = (await session.exec(mine.order_by(col(NotificationRow.created_at), col(NotificationRow.id)))).all()
    return [(row.kind, row.link) for row in rows]


@pytest.mark.usefixtures("sam")
async def test_the_owner_is_told_of_a_new_password_and_of_no_failed_try(site: Site) -> None:
    await change(site, current="something wrong")
    await change(site)

    assert await told(site) == [(OwnerNotice.PASSWORD_CHANGED, "/me")]


@pytest.mark.usefixtures("sam")
@pytest.mark.parametrize(
    ("endpoint", "kind"),
    [
        ("DELETE /me/mfa/totp", OwnerNotice.MFA_REMOVED),
        ("POST /me/mfa/recovery-codes", OwnerNotice.RECOVERY_CODES_CREATED),
    ],
)
async def test_the_owner_is_told_of_every_change_of_its_second_factor(
    site: Site, endpoint: str, kind: OwnerNotice
) -> None:
    seed, codes = await enrolled(site)
    await site.call("sam", endpoint)

    assert {kind for kind, _ in await told(site)} == {OwnerNotice.MFA_ENROLLED, kind}
    async with site.database.reading() as session:
        kept = repr([row.model_dump() for row in (await session.exec(select(NotificationRow))).all()])
    assert not any(one in kept for one in (seed, *codes))
