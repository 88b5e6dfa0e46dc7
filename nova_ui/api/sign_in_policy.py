"""`/sign-in-policy`: how people get in."""

from fastapi import APIRouter

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views.sign_in import EvaluateBody, EvaluationView, SignInPolicyBody, SignInPolicyView


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def get(self, context: Signed) -> SignInPolicyView:
        """Read the sign-in policy."""
        return await self._nova.sign_in_policy.get(context)

    async def put(self, context: Signed, body: SignInPolicyBody, if_match: IfMatch = None) -> SignInPolicyView:
        """Replace the sign-in policy."""
        return await self._nova.sign_in_policy.replace(context, body, if_match)

    async def evaluate(self, context: Signed, body: EvaluateBody) -> EvaluationView:
        """Tell whether an identity would get in."""
        return await self._nova.sign_in_policy.evaluate(context, body)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of the sign-in policy."""
    routes, policy = NovaRoutes(nova, "Sign-in policy"), _Endpoints(nova)
    routes.add("GET /sign-in-policy", policy.get, "get_sign_in_policy", marks("read", "A U"))
    put = marks("write", "A", audit=["sign_in_policy.updated", "session.ended"], interface_only=True)
    routes.add("PUT /sign-in-policy", policy.put, "replace_sign_in_policy", put)
    evaluate = marks("read", "A U")
    routes.add("POST /sign-in-policy/evaluate", policy.evaluate, "evaluate_sign_in", evaluate)
    return routes.router
