"""Who can sign in to the sample organisation: one for each role."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nova_ui.domain.identity import Role

SIGN_INS: Final[Mapping[str, Role]] = MappingProxyType(
    {
        "mara.koenig": Role.ADMINISTRATOR,
        "paul.adler": Role.AUDITOR,
        "lea.brandt": Role.MANAGER,
        "tim.vogt": Role.USER,
    }
)
