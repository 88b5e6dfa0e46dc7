"""How the model may request access for oneself, and cancel such a request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from nova_ui.domain.identity import EVERYONE, Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Consequence, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.errors import NovaConflict, NovaInvalid
from nova_ui.tools.access_requests import AREA, REQUEST_ROW
from nova_ui.tools.arguments import MAX_ROWS, REASON_HELP, Day, EntitlementRef, LongText, RequestRef, RoleRef
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import requests as phrases
from nova_ui.tools.results import readable_object, rows_of
from nova_ui.tools.showing import Look, name_of, show_object, told

_MAX_CATALOGUE_PAGES: Final = 10
_MAX_REQUESTED: Final = 10
_ONE: Final = "GET /access-requests/{request_id}"

Justification = Annotated[str, Field(min_length=10, max_length=2000)]
RequestedRoles = Annotated[list[RoleRef], Field(max_length=_MAX_REQUESTED)]
RequestedEntitlements = Annotated[list[EntitlementRef], Field(max_length=_MAX_REQUESTED)]


class RequestAccess(ToolArguments):
    """What to request for oneself."""

    role_ids: RequestedRoles = Field(
        default_factory=list,
        description="Ids of the roles (rol_…), as search_catalog returns them. A role already held is extended.",
    )
    entitlement_ids: RequestedEntitlements = Field(
        default_factory=list,
        description="Ids of single entitlements (ent_…), as search_catalog returns them; held ones are extended.",
    )
    justification: Justification = Field(description="Why it is needed; at least 10 characters.")
    valid_until: Day | None = Field(None, description="Last day (UTC), as YYYY-MM-DD. Left out: as long as allowed.")

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if not self.role_ids and not self.entitlement_ids:
            raise ValueError("name at least one role or entitlement")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """One role or entitlement that is asked for, as the catalogue tells of it."""

    field: str
    right_id: str
    entry: JsonObject | None


async def _wishes(arguments: RequestAccess, nova: Nova) -> list[_Wish]:
    catalogue = await read_catalogue(nova)
    return [
        _Wish(field=field, right_id=right_id, entry=catalogue.get(right_id))
        for field, ids in (("role_id", arguments.role_ids), ("entitlement_id", arguments.entitlement_ids))
        for right_id in dict.fromkeys(ids)
    ]


async def _request_access(arguments: RequestAccess, nova: Nova) -> JsonValue:
    """File one request for the caller; refused as a whole if one thing can't be requested."""
    wishes = await _wishes(arguments, nova)
    items: list[JsonValue] = [_item(wish, arguments.valid_until) for wish in wishes]
    # No beneficiary: Nova takes the caller, and no argument can name another (rule A4).
    body: JsonObject = {"items": items, "justification": arguments.justification}
    return readable_object((await nova.call("POST /access-requests", body=body)).object)


async def _show_request(arguments: RequestAccess, nova: Nova) -> Shown:
    wishes = await _wishes(arguments, nova)
    for wish in wishes:
        _item(wish, arguments.valid_until)  # what can't be asked for is told before anybody is to confirm it
    catalogue = {wish.right_id: wish.entry for wish in wishes if wish.entry is not None}
    lines = asked_for(arguments.role_ids, arguments.entitlement_ids, catalogue)
    return Shown(subject=", ".join(name for line in lines for name in line.names), consequences=lines)


def asked_for(
    role_ids: Sequence[str], entitlement_ids: Sequence[str], catalogue: Mapping[str, JsonObject]
) -> tuple[Consequence, ...]:
    """Tell what is asked for, by the names of the catalogue."""
    return tuple(
        line
        for kind, ids in (("role", role_ids), ("entitlement", entitlement_ids))
        for line in told(kind, [name_of(catalogue.get(id_, {}), id_) for id_ in dict.fromkeys(ids)], "requested")
    )


async def read_catalogue(nova: Nova, beneficiary_id: str | None = None) -> dict[str, JsonObject]:
    """Return what can be requested, by the id of the role or the entitlement; for oneself unless for somebody."""
    found: dict[str, JsonObject] = {}
    cursor: str | None = None
    for _ in range(_MAX_CATALOGUE_PAGES):
        query = {"limit": MAX_ROWS, "cursor": cursor, "for": beneficiary_id}
        answer = (await nova.call("GET /catalog", query=query)).object
        found |= {str(row.get("role_id") or row.get("entitlement_id")): row for row in rows_of(answer)}
        following = answer.get("next_cursor")
        if not isinstance(following, str):
            break
        cursor = following
    return found


def _item(wish: _Wish, valid_until: str | None) -> JsonObject:
    if wish.entry is None:
        raise NovaInvalid(f"{wish.right_id} can't be requested; see search_catalog.", field=f"{wish.field}s")
    name, open_request = wish.entry.get("display_name"), wish.entry.get("open_request_id")
    if open_request:
        raise NovaConflict(f"{name} is already asked for in the request {open_request}.")
    is_held = wish.entry.get("held") is True
    if is_held and (valid_until is None or not wish.entry.get("held_until")):
        raise NovaConflict(f"{name} is held already. To extend it, give the new last day.")
    item: JsonObject = {wish.field: wish.right_id, "action": "extend" if is_held else "grant"}
    return item if valid_until is None else item | {"valid_until": valid_until}


REQUEST_ACCESS = Tool(
    name="request_access",
    title=mark("Request access"),
    summary=mark("Request roles or entitlements for oneself, or ask to extend what one holds. Others decide on it."),
    area=AREA,
    icon="add_task",
    kind=ToolKind.WRITE,
    roles=EVERYONE,
    is_flow=True,
    self_service=True,
    endpoints=("GET /catalog", "POST /access-requests"),
    arguments=RequestAccess,
    run=_request_access,
    action=mark("Request access: {subject}"),
    show=_show_request,
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


def names_of_items(request: JsonObject) -> str:
    """Return the names of what a request asks for."""
    rights = (item.get("role") or item.get("entitlement") for item in rows_of(request))
    return ", ".join(name_of(right, "?") for right in rights if isinstance(right, dict))


class CancelMyRequest(ToolArguments):
    """Which own request to cancel."""

    request_id: RequestRef = Field(description="Id of the request (req_…), as list_access_requests returns it.")
    reason: LongText | None = Field(None, description=REASON_HELP)


async def _cancel_my_request(arguments: CancelMyRequest, nova: Nova) -> JsonValue:
    body: JsonObject = {} if arguments.reason is None else {"reason": arguments.reason}
    path = {"request_id": arguments.request_id}
    answer = await nova.call("POST /access-requests/{request_id}/cancel", path=path, body=body, if_match=nova.if_match)
    return readable_object(answer.object)


async def _show_cancelling(arguments: CancelMyRequest, nova: Nova) -> Shown:
    shown = await show_object(
        nova,
        Look(endpoint=_ONE, path={"request_id": arguments.request_id}),
        None,
        fields=REQUEST_ROW,
        unknown=arguments.request_id,
        after={"status": "cancelled"},
    )
    names = names_of_items(shown.current_state or {})
    return replace(shown, subject=names) if names else shown


CANCEL_MY_REQUEST = Tool(
    name="cancel_my_request",
    title=mark("Cancel request"),
    summary=mark("Cancel one of one's own access requests before it is completed."),
    area=AREA,
    icon="cancel",
    kind=ToolKind.WRITE,
    roles=EVERYONE,
    self_service=True,
    endpoints=("POST /access-requests/{request_id}/cancel", _ONE),
    arguments=CancelMyRequest,
    run=_cancel_my_request,
    action=mark("Cancel the request {subject}"),
    show=_show_cancelling,
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
