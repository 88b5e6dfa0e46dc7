"""Nova as presenters of pages need it."""

from collections.abc import Mapping
from typing import Protocol

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import NovaAnswer


class NovaCalls(Protocol):
    """Endpoints of Nova, in the session of the person who looks at the page."""

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | int | bool | None] | None = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
    ) -> NovaAnswer:
        """Call an endpoint.

        Raises:
            NovaProblem: it refused or failed.

        """
