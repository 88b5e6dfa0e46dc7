"""How an identity that leaves is taken out of Nova: one card for the whole plan, steps from safe to unsafe."""

from typing import Final

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Change, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import REASON_HELP, IdentityRef, LongText
from nova_ui.tools.definition import any_tool
from nova_ui.tools.flow import run_steps
from nova_ui.tools.identities import AREA
from nova_ui.tools.identity_endings import STATE_FIELDS
from nova_ui.tools.offboarding_plan import ONE, READS, TRANSFER, Leaving, make_plan
from nova_ui.tools.phrases import identity_endings as phrases
from nova_ui.tools.results import readable_object
from nova_ui.tools.showing import Look, find_object


class OffboardIdentity(ToolArguments):
    """Who leaves, and who takes over."""

    identity_id: IdentityRef = Field(description="Id of the identity that leaves (idn_…).")
    successor_id: IdentityRef = Field(
        description="Id of the identity (idn_…) that takes over what is owned, decided or managed."
    )
    reason: LongText | None = Field(None, description=REASON_HELP)


def _leaving(arguments: OffboardIdentity, leaver: JsonObject) -> Leaving:
    return Leaving(
        leaver=leaver,
        identity_id=arguments.identity_id,
        successor_id=arguments.successor_id,
        reason=arguments.reason,
    )


async def _offboard_identity(arguments: OffboardIdentity, nova: Nova) -> JsonValue:
    leaver = (await nova.call(ONE, path={"identity_id": arguments.identity_id})).object
    plan = await make_plan(_leaving(arguments, leaver), nova)
    return await run_steps(plan.steps, nova)


async def _show_offboarding(arguments: OffboardIdentity, nova: Nova) -> Shown:
    found = await find_object(nova, Look(endpoint=ONE, path={"identity_id": arguments.identity_id}))
    if found is None:
        return Shown(subject=arguments.identity_id)
    leaving = _leaving(arguments, found.object)
    plan = await make_plan(leaving, nova)
    succession = Change(field="successor", before=None, after=plan.successor)  # the arguments say it by id alone
    ending = Change(field="status", before=found.object.get("status"), after="disabled")
    return Shown(
        subject=leaving.name,
        current_state=readable_object(found.object, STATE_FIELDS),
        changes=(succession,) if leaving.is_disabled else (succession, ending),
        consequences=plan.consequences,
        etag=found.etag,
    )


OFFBOARD_IDENTITY = Tool(
    name="offboard_identity",
    title=mark("Offboard identity"),
    summary=mark(
        "Take a leaver out in one go: hand over to a successor, end sessions, revoke assignments, remove memberships, "
        "then disable. Stops at the first failure; calling it again continues."
    ),
    area=AREA,
    icon="directions_walk",
    kind=ToolKind.DESTRUCTIVE,
    roles=frozenset({Role.ADMINISTRATOR}),
    is_flow=True,
    endpoints=(*READS, TRANSFER),
    inner_tools=("end_identity_sessions", "revoke_assignment", "remove_group_member", "disable_identity"),
    arguments=OffboardIdentity,
    run=_offboard_identity,
    action=mark("Offboard the identity {subject}"),
    show=_show_offboarding,
    phrases=phrases.OFFBOARD_IDENTITY,
    examples={
        Language.ENGLISH: (
            Example(text="Offboard Tim Vogt, Lea Brandt takes over"),
            Example(text="Jan Holm leaves the company, offboard him with successor Lea Brandt"),
        ),
        Language.GERMAN: (
            Example(text="Führe den Austritt von Tim Vogt durch, Lea Brandt übernimmt"),
            Example(text="Jan Holm verlässt das Unternehmen, Nachfolgerin ist Lea Brandt"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(OFFBOARD_IDENTITY),)
