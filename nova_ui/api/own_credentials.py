"""`/me/password` and `/me/mfa`: in the interface only, since secrets go in and out."""

from typing import Annotated

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import DeleteImpactQuery, Done, Impact
from nova_ui.nova.views.credentials import (
    EnrolmentView,
    MfaView,
    PasswordChange,
    PasswordChanged,
    RecoveryCodes,
    TotpConfirmation,
)


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def change_password(self, context: Signed, body: PasswordChange) -> PasswordChanged:
        """Change my password."""
        return await self._nova.credentials.change_password(context, body)

    async def mfa(self, context: Signed) -> MfaView:
        """Tell which second factors I have."""
        return await self._nova.credentials.mfa(context)

    async def begin(self, context: Signed) -> EnrolmentView:
        """Begin to set up an authenticator app."""
        return await self._nova.credentials.begin_totp(context)

    async def confirm(self, context: Signed, body: TotpConfirmation) -> RecoveryCodes:
        """Confirm my authenticator app by a code of it."""
        return await self._nova.credentials.confirm_totp(context, body.one_time_code.get_secret_value())

    async def remove(self, context: Signed) -> Done[MfaView]:
        """Remove my second factor."""
        return await self._nova.credentials.remove_totp(context)

    async def impact(self, context: Signed, query: Annotated[DeleteImpactQuery, Query()]) -> Impact:
        """Tell what removing my second factor would do."""
        del query
        return await self._nova.credentials.impact_of_removal(context)

    async def codes(self, context: Signed) -> RecoveryCodes:
        """Replace my recovery codes."""
        return await self._nova.credentials.new_recovery_codes(context)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of one's own credentials."""
    routes, own = NovaRoutes(nova, "Me"), _Endpoints(nova)

    def write(*audit: str) -> dict[str, object]:
        return marks("write", "*", audit=audit, interface_only=True, self_service=True)

    routes.add(
        "POST /me/password",
        own.change_password,
        "change_my_password",
        write("identity.password_changed", "session.ended", "sign_in.failed"),
        is_kept=False,
    )
    read = marks("read", "*", interface_only=True, self_service=True)
    routes.add("GET /me/mfa", own.mfa, "get_my_mfa", read)
    begun, enrolled = write("identity.mfa_begun"), write("identity.mfa_enrolled", "session.ended")
    routes.add("POST /me/mfa/totp", own.begin, "begin_my_totp", begun, is_kept=False)
    routes.add("POST /me/mfa/totp/confirm", own.confirm, "confirm_my_totp", enrolled, is_kept=False)
    routes.add("GET /me/mfa/totp/impact", own.impact, "get_my_totp_impact", read)
    remove = marks(
        "destructive",
        "*",
        audit=["identity.mfa_removed", "session.ended"],
        impact="get_my_totp_impact",
        interface_only=True,
        self_service=True,
    )
    routes.add("DELETE /me/mfa/totp", own.remove, "remove_my_totp", remove)
    codes = write("identity.recovery_codes_created", "session.ended")
    routes.add("POST /me/mfa/recovery-codes", own.codes, "replace_my_recovery_codes", codes, is_kept=False)
    return routes.router
