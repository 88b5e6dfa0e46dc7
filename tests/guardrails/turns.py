"""Turns whose message confirms, for the tests of section C at the gate."""

from nova_ui.domain.chat import ConfirmMessage
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import Preview
from nova_ui.domain.tool import Nova, Shown, ToolArguments
from tests.builders import Run, a_reading_tool, a_tool, a_turn, a_writing_tool
from tests.guardrails.doors import Counted, Turnstile, a_turnstile

CONFIRMED: dict[str, JsonValue] = {"group_id": "grp_1", "confirmed": True}
OTHER: dict[str, JsonValue] = {"group_id": "grp_2", "confirmed": True}


class Changing:
    """A card whose object changes after each look at it."""

    def __init__(self) -> None:
        self.looks = 0

    async def __call__(self, _arguments: ToolArguments, _nova: Nova) -> Shown:
        self.looks += 1
        return Shown(subject="Contractors", current_state={"members": self.looks}, etag=f'"{self.looks}"')


def agreed_to(preview: Preview, run: Counted, **more: object) -> Turnstile:
    """A turn whose message agrees to `preview` in words."""
    turnstile = a_turnstile(a_tool(run=run, **more))  # type: ignore[arg-type]  # by name in tests
    turnstile.change(agreed=preview)
    return turnstile


def pressed(preview: Preview, run: Run, **more: object) -> Turnstile:
    """A turn whose message is a press of the button of `preview`."""
    turnstile = a_turnstile(
        a_tool(run=run, **more),  # type: ignore[arg-type]  # by name in tests
        a_reading_tool(),
        a_writing_tool(),
    )
    turnstile.change(turn=a_turn(message=ConfirmMessage(preview_id=preview.id)), read_only=True)
    return turnstile
