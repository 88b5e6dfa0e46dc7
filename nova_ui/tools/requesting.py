"""How the model may request access for oneself, and cancel such a request."""

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from nova_ui.domain.identity import EVERYONE, Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Tool, ToolArguments, ToolKind
from nova_ui.errors import NovaConflict, NovaInvalid
from nova_ui.tools.access_requests import AREA
from nova_ui.tools.arguments import MAX_ROWS, REASON_HELP, Day, LongText, RequestRef, RoleRef
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import requests as phrases
from nova_ui.tools.results import readable_object, rows_of

_MAX_CATALOGUE_PAGES: Final = 10
_MAX_REQUESTED: Final = 10

Justification = Annotated[str, Field(min_length=10, max_length=2000)]
RequestedRoles = Annotated[list[RoleRef], Field(min_length=1, max_length=_MAX_REQUESTED)]


class RequestAccess(ToolArguments):
    """What to request for oneself."""

    role_ids: RequestedRoles = Field(
        description="Ids of the roles (rol_…), as search_catalog returns them. A role already held is extended."
    )
    justification: Justification = Field(description="Why it is needed; at least 10 characters.")
    valid_until: Day | None = Field(None, description="Last day (UTC), as YYYY-MM-DD. Left out: as long as allowed.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """One role that is asked for, as the catalogue tells of it."""

    role_id: str
    entry: JsonObject | None


async def _request_access(arguments: RequestAccess, nova: Nova) -> JsonValue:
    """File one request for the caller; refused as a whole if one role can't be requested."""
    catalogue = await read_catalogue(nova)
    wishes = [_Wish(role_id=role_id, entry=catalogue.get(role_id)) for role_id in dict.fromkeys(arguments.role_ids)]
    items: list[JsonValue] = [_item(wish, arguments.valid_until) for wish in wishes]
    # No beneficiary: Nova takes the caller, and no argument can name another (rule A4).
    body: JsonObject = {"items": items, "justification": arguments.justification}
    return readable_object((await nova.call("POST /access-requests", body=body)).object)


async def read_catalogue(nova: Nova) -> dict[str, JsonObject]:
    """Return what can be requested, by the role's id."""
    found: dict[str, JsonObject] = {}
    cursor: str | None = None
    for _ in range(_MAX_CATALOGUE_PAGES):
        answer = (await nova.call("GET /catalog", query={"limit": MAX_ROWS, "cursor": cursor})).object
        found |= {str(row.get("role_id")): row for row in rows_of(answer)}
        following = answer.get("next_cursor")
        if not isinstance(following, str):
            break
        cursor = following
    return found


def _item(wish: _Wish, valid_until: str | None) -> JsonObject:
    if wish.entry is None:
        raise NovaInvalid(f"{wish.role_id} can't be requested; see search_catalog.", field="role_ids")
    name, open_request = wish.entry.get("display_name"), wish.entry.get("open_request_id")
    if open_request:
        raise NovaConflict(f"{name} is already asked for in the request {open_request}.")
    is_held = wish.entry.get("held") is True
    if is_held and (valid_until is None or not wish.entry.get("held_until")):
        raise NovaConflict(f"{name} is held already. To extend it, give the new last day.")
    item: JsonObject = {"role_id": wish.role_id, "action": "extend" if is_held else "grant"}
    return item if valid_until is None else item | {"valid_until": valid_until}


REQUEST_ACCESS = Tool(
    name="request_access",
    title=mark("Request access"),
    summary=mark("Request roles for oneself, or ask to extend roles one holds. Others decide on the request."),
    area=AREA,
    icon="add_task",
    kind=ToolKind.WRITE,
    roles=EVERYONE,
    is_flow=True,
    self_service=True,
    endpoints=("GET /catalog", "POST /access-requests"),
    arguments=RequestAccess,
    run=_request_access,
    phrases=phrases.REQUEST_ACCESS,
    examples={
        Language.ENGLISH: (
            Example(text="Request the role VPN Access because I work from home"),
            Example(text="I need access to Payroll for the yearly closing"),
        ),
        Language.GERMAN: (
            Example(text="Beantrage die Rolle VPN-Zugang, weil ich von zu Hause arbeite"),
            Example(text="Ich brauche Zugriff auf Payroll für den Jahresabschluss"),
        ),
    },
)


class CancelMyRequest(ToolArguments):
    """Which own request to cancel."""

    request_id: RequestRef = Field(description="Id of the request (req_…), as list_access_requests returns it.")
    reason: LongText | None = Field(None, description=REASON_HELP)


async def _cancel_my_request(arguments: CancelMyRequest, nova: Nova) -> JsonValue:
    body: JsonObject = {} if arguments.reason is None else {"reason": arguments.reason}
    path = {"request_id": arguments.request_id}
    return readable_object((await nova.call("POST /access-requests/{request_id}/cancel", path=path, body=body)).object)


CANCEL_MY_REQUEST = Tool(
    name="cancel_my_request",
    title=mark("Cancel request"),
    summary=mark("Cancel one of one's own access requests before it is completed."),
    area=AREA,
    icon="cancel",
    kind=ToolKind.WRITE,
    roles=EVERYONE,
    self_service=True,
    endpoints=("POST /access-requests/{request_id}/cancel",),
    arguments=CancelMyRequest,
    run=_cancel_my_request,
    phrases=phrases.CANCEL_MY_REQUEST,
    examples={
        Language.ENGLISH: (
            Example(text="Cancel my request for VPN Access"),
            Example(text="Withdraw my access request"),
        ),
        Language.GERMAN: (
            Example(text="Ziehe meinen Antrag auf VPN-Zugang zurück"),
            Example(text="Storniere meinen Antrag"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (
    any_tool(REQUEST_ACCESS),
    any_tool(CANCEL_MY_REQUEST),
)
