"""What the rules would give to somebody who joins or moves, told before anything is changed."""

from collections.abc import Iterable

from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.following import difference_for
from nova_ui.nova.given import Given, Membership
from nova_ui.nova.identities import visible_identity
from nova_ui.nova.permissions import require_overseer
from nova_ui.nova.views import BirthrightCheck, BirthrightsFound, Ref, RuledRole
from storage.ids import new_id
from storage.nova.tables import IdentityRow


class Birthrights:
    """Looks ahead with the very rules that follow a write of an identity."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def evaluate(self, context: RequestContext, body: BirthrightCheck) -> BirthrightsFound:
        """Return what would come and go with these attributes; nothing is changed.

        Raises:
            NovaForbidden: the caller oversees nothing.
            NovaNotFound: there is no such identity.

        """
        require_overseer(context.identity)
        wanted = body.model_dump(exclude_unset=True, exclude={"identity_id"})
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            if body.identity_id is None:
                nobody = {
                    "id": new_id("idn"),
                    "user_name": "",
                    "user_name_key": "",
                    "created_at": now,
                    "updated_at": now,
                }
                row = IdentityRow.model_validate({**nobody, **wanted})
            else:
                found = await visible_identity(session, context, body.identity_id)
                row = IdentityRow.model_validate({**found.model_dump(), **wanted})
            difference = await difference_for(session, row, row.status, now)
        return BirthrightsFound(
            joining=_groups(difference.joining),
            leaving=_groups(difference.leaving),
            granted=_roles(difference.granted),
            revoked=_roles(difference.revoked),
        )


def _groups(memberships: Iterable[Membership]) -> list[Ref]:
    return [Ref(id=one.group_id, display_name=one.group) for one in memberships]


def _roles(given: Iterable[Given]) -> list[RuledRole]:
    return [
        RuledRole(role=Ref(id=one.role_id, display_name=one.role), source=one.source, source_id=one.source_id)
        for one in given
    ]
