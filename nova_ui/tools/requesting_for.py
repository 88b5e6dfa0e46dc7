"""How a manager or an administrator has the model request access for somebody else."""

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from nova_ui.domain.identity import EVERYONE, Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Tool, ToolArguments, ToolKind
from nova_ui.tools.access_requests import AREA
from nova_ui.tools.arguments import Day, IdentityRef
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import requests as phrases
from nova_ui.tools.requesting import Justification, RequestedEntitlements, RequestedRoles
from nova_ui.tools.results import readable_object


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


REQUEST_ACCESS_FOR = Tool(
    name="request_access_for",
    title=mark("Request access for somebody"),
    summary=mark("File a request for a report, or as an administrator for anybody. Others decide on the request."),
    area=AREA,
    icon="group_add",
    kind=ToolKind.WRITE,
    roles=EVERYONE,  # Nova refuses whoever neither manages nor administers
    endpoints=("POST /access-requests",),
    arguments=RequestAccessFor,
    run=_request_access_for,
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
