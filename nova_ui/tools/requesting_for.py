"""How a manager or an administrator has the model request access for somebody else."""

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from nova_ui.domain.identity import EVERYONE, Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.tools.access_requests import AREA
from nova_ui.tools.arguments import Day, IdentityRef
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import requests as phrases
from nova_ui.tools.requesting import (
    Justification,
    RequestedEntitlements,
    RequestedRoles,
    asked_for,
    read_catalogue,
)
from nova_ui.tools.results import readable_object
from nova_ui.tools.showing import Look, find_object, name_of

_ONE: Final = "GET /identities/{identity_id}"
_STATE: Final = ("id", "display_name", "status", "title", "department", "manager")


class RequestAccessFor(ToolArguments):
    """What to request for whom."""

    beneficiary_id: IdentityRef = Field(
        description="Id of who is to get it (idn_…): one's report; administrators: any."
    )
    role_ids: RequestedRoles = Field(default_factory=list, description="Ids of the roles (rol_…).")
    entitlement_ids: RequestedEntitlements = Field(
        default_factory=list, description="Ids of single entitlements (ent_…)."
    )
    action: Literal["grant", "extend"] = Field("grant", description="Whether to give it, or to extend what is held.")
    justification: Justification = Field(description="Why it is needed; at least 10 characters.")
    valid_until: Day | None = Field(None, description="Last day (UTC), as YYYY-MM-DD. Left out: as long as allowed.")

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if not self.role_ids and not self.entitlement_ids:
            raise ValueError("name at least one role or entitlement")
        return self


async def _request_access_for(arguments: RequestAccessFor, nova: Nova) -> JsonValue:
    until: JsonObject = {} if arguments.valid_until is None else {"valid_until": arguments.valid_until}
    items: list[JsonValue] = [
        {field: right_id, "action": arguments.action, **until}
        for field, ids in (("role_id", arguments.role_ids), ("entitlement_id", arguments.entitlement_ids))
        for right_id in dict.fromkeys(ids)
    ]
    body: JsonObject = {
        "beneficiary_id": arguments.beneficiary_id,
        "items": items,
        "justification": arguments.justification,
    }
    return readable_object((await nova.call("POST /access-requests", body=body)).object)


async def _show_request(arguments: RequestAccessFor, nova: Nova) -> Shown:
    """Show what is asked for, and for whom; Nova refuses the catalogue of whoever may not be asked for."""
    catalogue = await read_catalogue(nova, arguments.beneficiary_id)
    found = await find_object(nova, Look(endpoint=_ONE, path={"identity_id": arguments.beneficiary_id}))
    return Shown(
        subject=arguments.beneficiary_id if found is None else name_of(found.object, arguments.beneficiary_id),
        current_state=None if found is None else readable_object(found.object, _STATE),
        consequences=asked_for(arguments.role_ids, arguments.entitlement_ids, catalogue),
    )


REQUEST_ACCESS_FOR = Tool(
    name="request_access_for",
    title=mark("Request access for somebody"),
    summary=mark("File a request for a report, or as an administrator for anybody. Others decide on the request."),
    area=AREA,
    icon="group_add",
    kind=ToolKind.WRITE,
    roles=EVERYONE,  # Nova refuses whoever neither manages nor administers
    endpoints=("POST /access-requests", "GET /catalog", _ONE),
    arguments=RequestAccessFor,
    run=_request_access_for,
    action=mark("Request access for {subject}"),
    show=_show_request,
    phrases=phrases.REQUEST_ACCESS_FOR,
    examples={
        Language.ENGLISH: (
            Example(text="Request the role VPN Access for Tim Vogt because he works from home"),
            Example(text="Request the role Payroll on behalf of Lea Brandt because she closes the year"),
        ),
        Language.GERMAN: (
            Example(text="Beantrage für Tim Vogt die Rolle VPN-Zugang, weil er von zu Hause arbeitet"),
            Example(text="Beantrage für Lea Brandt die Rolle Payroll, weil sie den Abschluss macht"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(REQUEST_ACCESS_FOR),)
