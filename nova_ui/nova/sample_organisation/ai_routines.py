"""The AI routine assistant of the sample organisation: a weekly report to the auditor, disabled until wanted."""

from datetime import datetime

from nova_ui.domain.folding import searchable
from nova_ui.nova.sample_organisation.groups import People
from nova_ui.nova.sample_organisation.seeds import sample_id
from storage.nova.ai_tables import AiRoutineRow

_KEY = "weekly-expiring-access"
_NAMES = {"en": "Weekly report of expiring access", "de": "Wochenbericht ablaufender Zugriffe"}


def make_ai_routines(people: People, now: datetime) -> list[AiRoutineRow]:
    """Return the routine; it reads only, with the auditor's rights, and tells the auditor."""
    auditor = people["paul.adler"].id
    return [
        AiRoutineRow(
            id=sample_id("air", _KEY),
            key=_KEY,
            names=_NAMES,
            search_text=searchable(_KEY, *_NAMES.values()),
            prompt="Which access expires in the next 30 days?",
            tool_names=["list_assignments", "run_report"],
            schedule="0 7 * * 1",
            timezone="Europe/Berlin",
            acts_as=auditor,
            deliver_to=[auditor],
            scheduled_since=now,
            created_at=now,
            updated_at=now,
        )
    ]
