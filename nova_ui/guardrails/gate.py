"""The only way from a model, a person or a confirmation to a tool."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from nova_ui.domain.chat import PreviewId
from nova_ui.domain.preview import Preview
from nova_ui.domain.tool import AnyTool, RawCall
from nova_ui.guardrails.limits import TurnLedger
from nova_ui.guardrails.marks import EndpointMarks, Marks
from nova_ui.guardrails.outcome import Outcome
from nova_ui.guardrails.passage import Passage
from nova_ui.guardrails.running import Runner
from nova_ui.guardrails.situation import PreviewStore, Situation, SituationSource, ToolDoor

__all__ = ["Gate", "PreviewStore", "Situation", "SituationSource", "ToolDoor"]

_NO_MARKS: Final[Mapping[str, EndpointMarks]] = MappingProxyType({})


class Gate:
    """The gate to all tools; one for the process, and it keeps nothing between calls."""

    def __init__(
        self, tools: Mapping[str, AnyTool], *, new_preview_id: Callable[[], PreviewId], marks: Marks = _NO_MARKS
    ) -> None:
        self._tools = tools
        self._new_preview_id = new_preview_id
        self._marks = marks

    async def pass_call(
        self,
        raw: RawCall,
        situation: SituationSource,
        ledger: TurnLedger,
        door: ToolDoor,
        previews: PreviewStore,
        *,
        by_person: bool = False,
    ) -> Outcome:
        """Pass one call of a model, or of a person from the `/` menu, and say what became of it.

        Calls of one turn are passed one after the other. `situation` is asked afresh for this call and for each of
        its inner calls.
        """
        passage = self._passage(situation, ledger, door, previews)
        return await passage.ask(raw, by_person=by_person)

    async def run_confirmed(
        self,
        preview: Preview,
        situation: SituationSource,
        ledger: TurnLedger,
        door: ToolDoor,
        previews: PreviewStore,
    ) -> Outcome:
        """Run exactly the call of a preview whose button was pressed (rule C8).

        The preview was consumed in the transaction that accepted the message. Rights, list, limits and secrets are
        tested again (C11); if the object is not as it was shown, a new preview is stored instead (C14).
        """
        passage = self._passage(situation, ledger, door, previews)
        return await passage.press(preview)

    def _passage(
        self, situation: SituationSource, ledger: TurnLedger, door: ToolDoor, previews: PreviewStore
    ) -> Passage:
        runner = Runner(tools=self._tools, marks=self._marks, door=door, situation=situation)
        return Passage(
            tools=self._tools,
            runner=runner,
            situation=situation,
            ledger=ledger,
            previews=previews,
            new_preview_id=self._new_preview_id,
        )
