"""What may be requested, as the catalogue tells of it, and the body of a request for it."""

from dataclasses import dataclass

from nova_ui.domain.json_value import JsonObject
from nova_ui.presenters.fields import rows_in, text_at


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueItem:
    """A role or an entitlement that may be requested."""

    role_id: str
    entitlement_id: str
    name: str
    description: str
    application: str
    approval: str
    max_days: int | None
    risk: str
    is_held: bool
    held_until: str
    is_asked_for: bool

    @property
    def can_be_asked_for(self) -> bool:
        """Whether a request would make sense: not asked for yet, and not held without an end."""
        return not self.is_asked_for and not (self.is_held and not self.held_until)


def read_catalogue(body: JsonObject) -> tuple[CatalogueItem, ...]:
    """Read a page of the catalogue."""
    return tuple(
        CatalogueItem(
            role_id=text_at(row, "role_id"),
            entitlement_id=text_at(row, "entitlement_id"),
            name=text_at(row, "display_name"),
            description=text_at(row, "description"),
            application=text_at(row, "application.display_name"),
            approval=text_at(row, "approval"),
            max_days=days if isinstance(days := row.get("max_days"), int) else None,
            risk=text_at(row, "risk"),
            is_held=row.get("held") is True,
            held_until=text_at(row, "held_until"),
            is_asked_for=bool(text_at(row, "open_request_id")),
        )
        for row in rows_in(body)
    )


def request_body(
    item: CatalogueItem, justification: str, valid_until: str | None, beneficiary_id: str | None = None
) -> JsonObject:
    """Return the body of a request for one role or entitlement; what is held already is extended.

    Without `beneficiary_id` it is for oneself.
    """
    right: JsonObject = {"role_id": item.role_id} if item.role_id else {"entitlement_id": item.entitlement_id}
    asked: JsonObject = {**right, "action": "extend" if item.is_held else "grant"}
    if valid_until is not None:
        asked["valid_until"] = valid_until
    whom: JsonObject = {} if beneficiary_id is None else {"beneficiary_id": beneficiary_id}
    return {**whom, "items": [asked], "justification": justification}
