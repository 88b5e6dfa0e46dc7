"""The kinds of values that requests may carry, with their limits."""

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Final

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from nova_ui.domain.assistant import KEY_SHAPE
from nova_ui.domain.filter_grammar import MAX_CHARS

_ID: Final = re.compile(r"^([a-z]{3})_[0-9a-z]{20}$")
_E_MAIL: Final = re.compile(
    r"^[^\s@<>()\[\],;:\\\"]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?\.[A-Za-z]{2,63}$"
)
_NUMBER: Final = re.compile(r"^\s*[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?\s*$")
_DATE: Final = re.compile(r"^\d{4}-\d{2}-\d{2}$")
_TYPE_NAMES: Final = {
    "idn": "an identity",
    "grp": "a group",
    "rol": "a role",
    "ent": "an entitlement",
    "asg": "an assignment",
    "app": "an application",
    "req": "an access request",
    "apv": "an approval",
    "ses": "a session",
    "exp": "an export",
    "log": "an audit entry",
    "arn": "a run of an AI routine assistant",
    "job": "a job",
    "rtn": "a lifecycle routine",
    "lrn": "a lifecycle run",
    "ntf": "a notification",
}


def _id_of(prefix: str) -> Callable[[str], str]:
    """Return a check that names the expected type: models mix ids up."""

    def check(value: str) -> str:
        found = _ID.match(value)
        if found and found[1] == prefix:
            return value
        expected = f"the id of {_TYPE_NAMES[prefix]} ({prefix}_…)"
        if found and found[1] in _TYPE_NAMES:
            raise PydanticCustomError(
                "wrong_id_type", f"expected {expected}, this is the id of {_TYPE_NAMES[found[1]]}"
            )
        raise PydanticCustomError("wrong_id", f"expected {expected}")

    return check


IdentityRef = Annotated[str, AfterValidator(_id_of("idn")), Field(description="id of an identity (idn_…)")]
GroupRef = Annotated[str, AfterValidator(_id_of("grp")), Field(description="id of a group (grp_…)")]
RoleRef = Annotated[str, AfterValidator(_id_of("rol")), Field(description="id of a role (rol_…)")]
EntitlementRef = Annotated[str, AfterValidator(_id_of("ent")), Field(description="id of an entitlement (ent_…)")]
AssignmentRef = Annotated[str, AfterValidator(_id_of("asg")), Field(description="id of an assignment (asg_…)")]
ApplicationRef = Annotated[str, AfterValidator(_id_of("app")), Field(description="id of an application (app_…)")]
AccessRequestRef = Annotated[str, AfterValidator(_id_of("req")), Field(description="id of an access request (req_…)")]
ApprovalRef = Annotated[str, AfterValidator(_id_of("apv")), Field(description="id of an approval (apv_…)")]
SessionRef = Annotated[str, AfterValidator(_id_of("ses")), Field(description="id of a session (ses_…)")]
ExportRef = Annotated[str, AfterValidator(_id_of("exp")), Field(description="id of an export (exp_…)")]
RoutineRef = Annotated[str, AfterValidator(_id_of("rtn")), Field(description="id of a lifecycle routine (rtn_…)")]
LifecycleRunRef = Annotated[str, AfterValidator(_id_of("lrn")), Field(description="id of a lifecycle run (lrn_…)")]
JobRef = Annotated[str, AfterValidator(_id_of("job")), Field(description="id of a job (job_…)")]
NotificationRef = Annotated[str, AfterValidator(_id_of("ntf")), Field(description="id of a notification (ntf_…)")]
RunRef = Annotated[str, AfterValidator(_id_of("arn")), Field(description="id of a run (arn_…)")]
EntryRef = Annotated[str, AfterValidator(_id_of("log")), Field(description="id of an audit entry (log_…)")]


def _plain(value: str) -> str:
    """Refuse control characters, which no name or sentence needs; keep line breaks and tabs."""
    if any(unicodedata.category(one) in {"Cc", "Cs"} and one not in "\n\t" for one in value):
        raise PydanticCustomError("control_characters", "must not hold control characters")
    return unicodedata.normalize("NFC", value)


def _one_line(value: str) -> str:
    if any(unicodedata.category(one) in {"Cc", "Cs", "Zl", "Zp"} for one in value):
        raise PydanticCustomError("control_characters", "must be one line without control characters")
    return unicodedata.normalize("NFC", value)


def _e_mail(value: str) -> str:
    if not _E_MAIL.match(value) or ".." in value:
        raise PydanticCustomError("e_mail", "must be an e-mail address")
    return value


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), AfterValidator(_one_line)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200), AfterValidator(_one_line)]
Paragraph = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000), AfterValidator(_plain)]
Reason = Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000), AfterValidator(_plain)]
Words = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), AfterValidator(_one_line)
]
UserName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=100, pattern=r"^[^\s/\\?#%<>\"']+$"),
    AfterValidator(_one_line),
]
EMail = Annotated[str, StringConstraints(strip_whitespace=True, max_length=254), AfterValidator(_e_mail)]
Phone = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^\+?[0-9][0-9 ()/.-]{2,30}$")]
FilterText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_CHARS),
    Field(description='RFC 7644 filter, such as: department eq "Sales" and not (title co "lead")'),
]
FieldNames = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}(,[a-z][a-z0-9_]{0,63}){0,63}$")]
IdList = Annotated[
    str,
    StringConstraints(pattern=r"^(idn_[0-9a-z]{20}(,idn_[0-9a-z]{20}){0,199})?$"),
    Field(description="ids of identities, parted by commas; empty for nobody"),
]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,62}$")]
AssistantKeyText = Annotated[str, StringConstraints(pattern=f"^{KEY_SHAPE}$")]


def _no_number(value: object) -> None:
    """Refuse what would be read as seconds since 1970: `-1817` is a slip, not a moment."""
    if isinstance(value, int | float) or (isinstance(value, str) and _NUMBER.match(value)):
        raise PydanticCustomError("moment", "must be a moment with zone, or a date")


def _start_of_day(value: object) -> object:
    """Read a date alone as its first moment, in UTC."""
    _no_number(value)
    return f"{value}T00:00:00Z" if isinstance(value, str) and _DATE.match(value) else value


def _end_of_day(value: object) -> object:
    """Read a date alone as up to its end, in UTC."""
    _no_number(value)
    if not isinstance(value, str) or not _DATE.match(value):
        return value
    try:
        day = date.fromisoformat(value)
        return datetime.combine(day + timedelta(days=1), time(0), UTC) - timedelta(seconds=1)
    except (ValueError, OverflowError):
        return value


def _in_utc(moment: datetime) -> datetime:
    """Return `moment` in UTC, as the database keeps it; at both ends of the calendar not every one can be."""
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise PydanticCustomError("out_of_range", "must lie between the years 1 and 9999 in UTC") from None


StartMoment = Annotated[
    AwareDatetime,
    BeforeValidator(_start_of_day),
    AfterValidator(_in_utc),
    Field(description="moment with zone, or a date: its start in UTC"),
]
EndMoment = Annotated[
    AwareDatetime,
    BeforeValidator(_end_of_day),
    AfterValidator(_in_utc),
    Field(description="moment with zone, or a date: its end in UTC"),
]
