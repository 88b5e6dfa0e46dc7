"""The types that tools' arguments share: ids, days, words and limits. Each field adds its own description."""

from datetime import date
from typing import Annotated, Final

from pydantic import AfterValidator, Field

DEFAULT_ROWS: Final = 25  # so many rows of the widest list fit into one result (rule E4)
MAX_ROWS: Final = 200


def _real_day(value: str) -> str:
    date.fromisoformat(value)  # a ValueError is a refused argument
    return value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be blank")
    return value


IdentityRef = Annotated[str, Field(pattern=r"^idn_[0-9a-z]{20}$")]
GroupRef = Annotated[str, Field(pattern=r"^grp_[0-9a-z]{20}$")]
RoleRef = Annotated[str, Field(pattern=r"^rol_[0-9a-z]{20}$")]
EntitlementRef = Annotated[str, Field(pattern=r"^ent_[0-9a-z]{20}$")]
AssignmentRef = Annotated[str, Field(pattern=r"^asg_[0-9a-z]{20}$")]
ApplicationRef = Annotated[str, Field(pattern=r"^app_[0-9a-z]{20}$")]
RequestRef = Annotated[str, Field(pattern=r"^req_[0-9a-z]{20}$")]
ApprovalRef = Annotated[str, Field(pattern=r"^apv_[0-9a-z]{20}$")]
SessionRef = Annotated[str, Field(pattern=r"^ses_[0-9a-z]{20}$")]
RoutineRef = Annotated[str, Field(pattern=r"^rtn_[0-9a-z]{20}$")]
AuditEntryRef = Annotated[str, Field(pattern=r"^log_[0-9a-z]{20}$")]

Words = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_not_blank)]
LongText = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_not_blank)]
FilterText = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_not_blank)]
Day = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), AfterValidator(_real_day)]
Rows = Annotated[int, Field(ge=1, le=MAX_ROWS)]
Cursor = Annotated[str, Field(min_length=1, max_length=600)]

# Named once for all that take one: models write filters well when they see the attributes and an example.
FILTER_HELP: Final = (
    'An RFC 7644 filter, such as: department eq "Sales" and not (title co "lead"). Attributes: user_name, '
    "display_name, given_name, family_name, email, title, user_type, employee_number, organization, division, "
    "department, cost_center, location, manager.id, active, status, start_date, end_date."
)
ROWS_HELP: Final = "How many rows at most."
CURSOR_HELP: Final = "The next_cursor of the previous answer, to read on."
REASON_HELP: Final = "Why, in a sentence; it is written to the audit log."
