"""Every operation of the API has a sample, and every sample an operation."""

from tests.contract.samples import SAMPLES
from tests.contract.stage import Stage


async def test_every_operation_has_a_sample(stage: Stage) -> None:
    missing = [f"{one.id} ({one.endpoint})" for one in stage.document.by_id.values() if one.id not in SAMPLES]
    left_over = sorted(SAMPLES.keys() - stage.document.by_id.keys())

    assert missing == [], (
        "These operations have no sample. Add `operationId: Sample(…)`, one valid request, to the file of their area "
        "in tests/contract/samples (what it speaks of goes into that file's `put`); rights, kind, audit actions, "
        f"impact, bad input and lost races are then tested from their marks: {missing}"
    )
    assert left_over == [], f"There are no such operations any more; take their samples out: {left_over}"


async def test_every_destructive_operation_with_an_impact_says_how_to_read_it(stage: Stage) -> None:
    silent = [
        name
        for name, sample in SAMPLES.items()
        if stage.document.by_id[name].impact is not None and sample.impact is None
    ]

    assert silent == [], f"Add `impact=` with the query of the impact read to these samples: {silent}"


async def test_the_impact_that_a_mark_names_is_an_operation_that_only_reads(stage: Stage) -> None:
    operations = stage.document.by_id
    impacts = {one.impact for one in operations.values() if one.impact is not None}

    assert impacts <= operations.keys()
    assert {operations[one].kind for one in impacts} == {"read"}


async def test_every_destructive_operation_that_a_chat_may_reach_has_an_impact(stage: Stage) -> None:
    destructive = [one for one in stage.document.by_id.values() if one.kind == "destructive"]
    without = [one.endpoint for one in destructive if one.impact is None and not one.interface_only]

    assert without == []
