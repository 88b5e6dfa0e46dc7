"""Entitlements and bundles for the tests of what people may use."""

from nova_ui.domain.folding import fold
from storage.ids import new_id
from storage.nova.entitlement_tables import EntitlementRow, RoleChildRow, RoleEntitlementRow
from storage.nova.tables import ApplicationRow
from tests.api.site import NOW, Site


def an_application(key: str = "crm", **fields: object) -> ApplicationRow:
    values = {"id": new_id("app"), "key": key, "display_name": key.upper(), "created_at": NOW, "updated_at": NOW}
    return ApplicationRow.model_validate({**values, **fields})


def an_entitlement(application_id: str, name: str = "crm.read", **fields: object) -> EntitlementRow:
    values = {
        "id": new_id("ent"),
        "application_id": application_id,
        "native_name": name,
        "native_key": fold(name),
        "display_name": name.replace(".", " ").title(),
        "requestable": True,
        "created_at": NOW,
        "updated_at": NOW,
    }
    return EntitlementRow.model_validate({**values, **fields})


async def add_entitlements(site: Site, *names: str, **fields: object) -> list[str]:
    """Add one application with these entitlements; return their ids."""
    application = an_application(f"app{new_id('app')[4:9]}")
    rows = [an_entitlement(application.id, name, **fields) for name in names]
    ids = [row.id for row in rows]
    await site.add(application)
    await site.add(*rows)
    return ids


async def bundle(site: Site, role_id: str, *entitlement_ids: str, children: tuple[str, ...] = ()) -> None:
    """Put entitlements and other roles into a role."""
    await site.add(
        *(RoleEntitlementRow(role_id=role_id, entitlement_id=one) for one in entitlement_ids),
        *(RoleChildRow(role_id=role_id, child_role_id=one) for one in children),
    )
