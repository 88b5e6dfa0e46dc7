"""The sample routine can be enabled as it is: its tools exist and only read, its schedule counts."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import cast

from nova_ui.domain.schedule import Cron
from nova_ui.guardrails.unattended import find_unusable
from nova_ui.nova.ai_routine_views import routine_of
from nova_ui.nova.sample_organisation.ai_routines import make_ai_routines
from nova_ui.nova.sample_organisation.groups import People
from nova_ui.tools.registry import build_registry


def test_b1_the_sample_routine_is_disabled_reads_only_and_is_usable() -> None:
    people = cast("People", {"paul.adler": SimpleNamespace(id="idn_paul")})

    [row] = make_ai_routines(people, datetime(2026, 3, 2, 9, 0, tzinfo=UTC))

    assert (row.enabled, row.read_only) == (False, True)
    assert find_unusable(row.tool_names, build_registry(), routine_of(row).kinds) == ()
    assert Cron(row.schedule, row.timezone).following(datetime(2026, 3, 2, 9, 0, tzinfo=UTC)) is not None
