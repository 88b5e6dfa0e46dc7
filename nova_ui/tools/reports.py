"""What the model may ask of the reports."""

from typing import Final, Literal

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import CURSOR_HELP, DEFAULT_ROWS, ROWS_HELP, ApplicationRef, Cursor, Rows, Words
from nova_ui.tools.audit_log import AREA
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import reports as phrases
from nova_ui.tools.results import readable_object, rows_of, why_empty

RUN: Final = "GET /reports/{key}"

ReportName = Literal[
    "inactive_identities",
    "expiring_access",
    "privileged_access",
    "mfa_coverage",
    "open_requests",
    "failed_sign_ins",
    "dormant_entitlements",
]
REPORTS_HELP: Final = (
    "inactive_identities (active people who have not signed in for so many days), expiring_access (what ends within so "
    "many days), privileged_access (who holds privileged rights now), mfa_coverage (who signs in without a "
    "second factor, administrators first), open_requests (what waits for which decision, at "
    "least so many days old), failed_sign_ins (attempts in the last days by person or address), dormant_entitlements "
    "(rights that nobody holds who signed in within the days)."
)


class RunReport(ToolArguments):
    """Which report to run, with which parameters."""

    report: ReportName = Field(description=f"Which report: {REPORTS_HELP}")
    days: int | None = Field(
        None, ge=1, le=3650, description="How many days back or ahead. Not for privileged and mfa."
    )
    department: Words | None = Field(
        None, description="Only people of this department. Not for failed_sign_ins and dormant_entitlements."
    )
    application_id: ApplicationRef | None = Field(
        None,
        description="Only this application (app_…). For expiring_access, privileged_access and dormant_entitlements.",
    )
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _run_report(arguments: RunReport, nova: Nova) -> JsonValue:
    query = arguments.model_dump(exclude={"report"})
    answer = (await nova.call(RUN, path={"key": arguments.report}, query=query)).object
    rows = rows_of(answer)
    result: JsonObject = {"total": answer.get("total"), "shown": len(rows)}
    result["figures"] = {
        str(count["key"]): count.get("count") for count in rows_of({"items": answer.get("counts")}) if "key" in count
    }
    result["parameters"] = answer.get("parameters")
    if answer.get("next_cursor"):
        result["next_cursor"] = answer["next_cursor"]
    told: JsonObject = readable_object(result) | {"items": [readable_object(row) for row in rows]}
    if rows or arguments.cursor is not None:
        return told
    filters = arguments.model_dump(include={"days", "department", "application_id"})
    return told | await why_empty(nova, RUN, filters=filters, path={"key": arguments.report})


RUN_REPORT = Tool(
    name="run_report",
    title=mark("Run report"),
    summary=mark(
        "Run a report: inactive identities, expiring access, privileged access, second factors, open requests, failed "
        "sign-ins, or rights that nobody uses."
    ),
    area=AREA,
    icon="summarize",
    kind=ToolKind.READ,
    roles=frozenset({Role.ADMINISTRATOR, Role.AUDITOR}),
    endpoints=(RUN,),
    arguments=RunReport,
    run=_run_report,
    phrases=phrases.RUN_REPORT,
    examples={
        Language.ENGLISH: (
            Example(text="Which access expires in the next 30 days?", arguments={"report": "expiring_access"}),
            Example(text="Run the report on failed sign-ins", arguments={"report": "failed_sign_ins"}),
        ),
        Language.GERMAN: (
            Example(
                text="Welche Zugriffe laufen in den nächsten 30 Tagen ab?", arguments={"report": "expiring_access"}
            ),
            Example(text="Zeige den Bericht über inaktive Identitäten", arguments={"report": "inactive_identities"}),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(RUN_REPORT),)
