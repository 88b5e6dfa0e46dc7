"""One valid request for every operation of the API, by area; a new operation needs its sample in one of these files.

An area file holds `SAMPLES` (by operationId) and `put(things)`, which puts on the stage what its samples speak of.
Whoever adds an area adds its module to `_AREAS`.
"""

from collections.abc import Mapping
from typing import Final

from storage.encryption import Encryption
from tests.contract.sample import Sample, Things
from tests.contract.samples import (
    access,
    administration,
    ai_routines,
    applications,
    chats,
    entitlements,
    groups,
    identities,
    lifecycle,
    me,
    monitoring,
    notifications,
    requests,
    sign_in,
)

_AREAS: Final = (
    identities,
    groups,
    applications,
    entitlements,
    access,
    requests,
    me,
    sign_in,
    monitoring,
    lifecycle,
    notifications,
    administration,
    ai_routines,
    chats,
)

SAMPLES: Final[Mapping[str, Sample]] = {name: sample for area in _AREAS for name, sample in area.SAMPLES.items()}


def put_things(things: Things, encryption: Encryption) -> None:
    """Put on the stage what the samples speak of; `encryption` seals the secrets among it."""
    for area in _AREAS:
        area.put(things, encryption)
