"""What the model may ask about signing in: the policy, and why somebody can't get in."""

from typing import Final, Literal

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import IdentityRef
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import sign_in as phrases
from nova_ui.tools.results import Filters, readable, readable_object, rows_of

AREA: Final = mark("Sign-in")
OVERSEERS: Final = frozenset({Role.ADMINISTRATOR, Role.AUDITOR})
_POLICY: Final = "GET /sign-in-policy"
_EVALUATE: Final = "POST /sign-in-policy/evaluate"
_SESSIONS: Final = "GET /sessions"
_LOG: Final = "GET /audit-log"
_ROWS: Final = 5


class GetSignInPolicy(ToolArguments):
    """Nothing to choose: there is one policy."""


async def _get_sign_in_policy(arguments: GetSignInPolicy, nova: Nova) -> JsonValue:
    del arguments
    policy = (await nova.call(_POLICY)).object
    rules = {name: policy.get(name) for name in ("mfa", "methods", "lockout", "session", "networks")}
    # Under another name, since redaction hides texts under one that speaks of passwords or secrets.
    rules["chosen_words_must_have"] = _plain_rules(policy.get("password"))
    rules["updated_at"] = policy.get("updated_at")
    return readable(rules)


def _plain_rules(rules: JsonValue) -> JsonValue:
    if not isinstance(rules, dict):
        return None
    blocklist = rules.get("blocklist")
    is_blocking = isinstance(blocklist, dict) and blocklist.get("enabled") is True
    plain = {name: rules.get(name) for name in ("min_length", "history", "max_age_days")}
    return {**plain, "refuses_common_words": is_blocking}


GET_SIGN_IN_POLICY = Tool(
    name="get_sign_in_policy",
    title=mark("Show sign-in policy"),
    summary=mark("Show how people sign in: second factor, passwords, lock-out, session times and networks."),
    area=AREA,
    icon="policy",
    kind=ToolKind.READ,
    roles=OVERSEERS,
    endpoints=(_POLICY,),
    arguments=GetSignInPolicy,
    run=_get_sign_in_policy,
    phrases=phrases.GET_SIGN_IN_POLICY,
    examples={
        Language.ENGLISH: (Example(text="Show the sign-in policy"), Example(text="What is our sign-in policy?")),
        Language.GERMAN: (
            Example(text="Zeige die Anmelderichtlinie"),
            Example(text="Wie lautet unsere Anmelderichtlinie?"),
        ),
    },
)


class ExplainSignIn(ToolArguments):
    """Whose sign-in to explain."""

    identity_id: IdentityRef = Field(description="Nova id of the identity (idn_…), as search_identities returns it.")
    network: str | None = Field(
        None, max_length=64, description="Address or network from which the person signs in, such as 192.0.2.7."
    )
    method: Literal["password", "totp", "recovery_code"] = Field(
        "password", description="How it signs in: password, totp (authenticator app) or recovery_code."
    )


async def _explain_sign_in(arguments: ExplainSignIn, nova: Nova) -> JsonValue:
    evaluation = (await nova.call(_EVALUATE, body=arguments.model_dump())).object
    active: Filters = {"identity_id": arguments.identity_id, "status": "active", "limit": _ROWS}
    sessions = (await nova.call(_SESSIONS, query=active)).object
    failed: Filters = {"target_id": arguments.identity_id, "action": "sign_in.failed", "limit": _ROWS}
    failures = (await nova.call(_LOG, query=failed)).object
    result: JsonObject = readable_object(evaluation)
    result["sessions_now"] = sessions.get("total")
    result["sessions"] = [
        readable_object(one, ("id", "ip", "user_agent", "created_at", "last_seen_at")) for one in rows_of(sessions)
    ]
    result["last_failures"] = [_failure(one) for one in rows_of(failures)]
    return result


def _failure(entry: JsonObject) -> JsonValue:
    details = entry.get("details")
    reason = details.get("reason") if isinstance(details, dict) else None
    return readable_object({"time": entry.get("time"), "ip": entry.get("ip"), "reason": reason})


EXPLAIN_SIGN_IN = Tool(
    name="explain_sign_in",
    title=mark("Explain sign-in"),
    summary=mark("Tell whether an identity could sign in now, what stands against it, and its last failures."),
    area=AREA,
    icon="no_accounts",
    kind=ToolKind.READ,
    roles=OVERSEERS,
    is_flow=True,
    endpoints=(_EVALUATE, _SESSIONS, _LOG),
    arguments=ExplainSignIn,
    run=_explain_sign_in,
    phrases=phrases.EXPLAIN_SIGN_IN,
    examples={
        Language.ENGLISH: (
            Example(text="Why can Tim Vogt not sign in?"),
            Example(text="Explain the sign-in of Svenja Krüger"),
        ),
        Language.GERMAN: (
            Example(text="Warum kann Tim Vogt sich nicht anmelden?"),
            Example(text="Erkläre die Anmeldung von Svenja Krüger"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(GET_SIGN_IN_POLICY), any_tool(EXPLAIN_SIGN_IN))
