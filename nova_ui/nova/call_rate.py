"""How often one person may have Nova call others: tests of connections, trials of models."""

import math
from datetime import timedelta
from typing import Final

from nova_ui.errors import NovaTooMany
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from storage.nova import sign_in_attempts
from storage.nova.locks import take_lock

CALLS_PER_MINUTE: Final = 20
_MINUTE: Final = timedelta(minutes=1)


async def count_call(core: Core, context: RequestContext) -> None:
    """Count a call that the caller has Nova make, over all processes; one that comes too early does not count.

    Each may last long, costs at the other end, and tells whether an address answers.

    Raises:
        NovaTooMany: as many as one may have in a minute were made.

    """
    subject, now = sign_in_attempts.call_subject(context.identity.id), core.clock.now()
    async with core.database.transaction() as session:
        await take_lock(session, subject)
        made = await sign_in_attempts.newest(session, subject, since=now - _MINUTE, limit=CALLS_PER_MINUTE)
        if len(made) >= CALLS_PER_MINUTE:
            wait = max(1, math.ceil((made[-1] + _MINUTE - now).total_seconds()))
            raise NovaTooMany(f"Too many tests. Try again in {wait} seconds.", extra={"retry_after": wait})
        await sign_in_attempts.add(session, [subject], now)
