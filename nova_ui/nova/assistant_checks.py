"""What an assistant that is stored must be beyond its own fields: a model that there is, a prompt without slips."""

from collections.abc import Sequence
from typing import Protocol

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.prompt_template import VARIABLES, find_fault
from nova_ui.errors import NovaInvalid


class ModelChecks(Protocol):
    """Knows the AI configuration; `nova.ai_configuration` says what each method raises."""

    async def check_model(self, session: AsyncSession, name: str | None) -> None:
        """Let pass what an assistant may name as its model."""

    async def check_order(self, session: AsyncSession, names: Sequence[str]) -> None:
        """Let pass what may stand in for a model, in this order."""

    async def check_temperature(self, session: AsyncSession, name: str | None, temperature: float | None) -> None:
        """Let pass a temperature that the model called `name`, or else the default, takes."""


def check_prompt(prompt: str) -> None:
    """Let pass a prompt whose variables there are.

    Raises:
        NovaInvalid: it names another one, or holds a single brace; the problem says where.

    """
    fault = find_fault(prompt)
    if fault is None:
        return
    place = f"line {fault.line}, character {fault.column}"
    known = ", ".join(f"{{{one}}}" for one in VARIABLES)
    what = f"There is no variable {{{fault.variable}}}" if fault.variable else "A brace stands alone"
    raise NovaInvalid(
        f"{what} ({place}). There are {known}; a brace itself is doubled.",
        field="prompt",
        extra={"variable": fault.variable, "line": fault.line, "column": fault.column},
    )
