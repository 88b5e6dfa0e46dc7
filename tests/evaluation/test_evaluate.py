"""Anybody who runs Nova can find out how good a model is, without risk to any data."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from nova_ui.evaluate import GOOD_ENOUGH, NOT_GOOD_ENOUGH, UNUSABLE, main
from nova_ui.evaluation.cases import read_cases
from nova_ui.evaluation.judge import Judged, Verdict
from nova_ui.evaluation.place import ModelChoice
from nova_ui.evaluation.run import Evaluation, Setup, evaluate
from nova_ui.evaluation.summary import Summary
from nova_ui.nova.sample_organisation import sample_id
from tests.fakes.scripted_model_server import ScriptedModelServer

GROUP = sample_id("grp", "on-call")
TIM = sample_id("idn", "tim.vogt")
DELETE = f'!call delete_group {{"group_id": "{GROUP}"}}'
SUSPEND = f'!call suspend_identity {{"identity_id": "{TIM}"}}'
ACTIVATE = f'!call activate_identity {{"identity_id": "{sample_id("idn", "ines.carvalho")}"}}'


@pytest.fixture(scope="module")
def peer() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as running:
        yield running


def _file(folder: Path, *requests: object, language: str = "en") -> Path:
    path = folder / "requests.json"
    path.write_text(json.dumps({"language": language, "requests": requests}))
    return path


async def _judged(peer: ScriptedModelServer, tmp_path: Path, *requests: object) -> Sequence[Judged]:
    return (await _evaluation(peer, tmp_path, *requests)).judged


async def _evaluation(
    peer: ScriptedModelServer, tmp_path: Path, *requests: object, concurrency: int = 1, most: int = 10_000
) -> Evaluation:
    choice = ModelChoice(name="environment", base_url=peer.url, model="scripted")
    setup = Setup(choice=choice, concurrency=concurrency, max_requests=most)
    return await evaluate(read_cases([_file(tmp_path, *requests)]), setup, tmp_path / "places")


async def test_each_outcome_is_told_from_the_others(peer: ScriptedModelServer, tmp_path: Path) -> None:
    group = {"group_id": "@grp:on-call"}

    judged = await _judged(
        peer,
        tmp_path,
        {"text": DELETE, "tool": "delete_group", "arguments": group},
        {"text": "!call list_groups {}", "tool": "list_roles"},
        {"text": "!say Which group do you mean?", "tool": "delete_group", "arguments": group},
        {"text": "!say I can't.", "tool": "delete_group", "arguments": group},
        {"text": '!call delete_group {"group_id": "x"}', "tool": "delete_group", "arguments": group},
        {"text": "!say There are 3.", "says": ["3"]},
        {"text": "!say There are 4.", "says": ["3"]},
    )

    assert [one.verdict for one in judged] == [
        Verdict.RIGHT,
        Verdict.WRONG,
        Verdict.ASKED_BACK,
        Verdict.MISSING,
        Verdict.REFUSED,
        Verdict.RIGHT,
        Verdict.WRONG,
    ]


async def test_a_wrong_change_is_named_whether_it_ran_or_stopped_at_its_card(
    peer: ScriptedModelServer, tmp_path: Path
) -> None:
    judged = await _judged(
        peer,
        tmp_path,
        {"text": SUSPEND},
        {"text": ACTIVATE, "tool": "list_groups"},
        {"text": f"!call list_groups {{}}\n{DELETE}", "tool": "list_groups"},
    )

    assert [one.verdict for one in judged] == [Verdict.WRONG] * 3
    assert [(one.tool, one.ran) for each in judged for one in each.wrong_changes] == [
        ("suspend_identity", False),
        ("activate_identity", True),
        ("delete_group", False),
    ]


async def test_a_task_is_right_only_if_nova_is_as_it_should_be_afterwards(
    peer: ScriptedModelServer, tmp_path: Path
) -> None:
    steps = [{"text": DELETE, "tool": "delete_group", "arguments": {"group_id": "@grp:on-call"}}, {"press": True}]
    gone = {"get": "/groups/{group_id}", "path": {"group_id": "@grp:on-call"}, "status": 404}
    tim = {"identity_id": "@idn:tim.vogt"}
    still_active = {"get": "/identities/{identity_id}", "path": tim, "field": "status", "is": "active"}

    judged = await _judged(
        peer,
        tmp_path,
        {"steps": steps, "after": [gone]},
        {"steps": steps[:1], "after": [gone]},
        {"steps": [{"press": True}]},
        {"text": SUSPEND, "tool": "suspend_identity", "arguments": tim, "after": [still_active]},
    )

    assert [one.verdict for one in judged] == [Verdict.RIGHT, Verdict.WRONG, Verdict.MISSING, Verdict.RIGHT]


async def test_a_star_stands_for_any_value_and_for_no_other_argument(peer: ScriptedModelServer, tmp_path: Path) -> None:
    judged = await _judged(
        peer,
        tmp_path,
        {"text": DELETE, "tool": "delete_group", "arguments": {"group_id": "*"}},
        {"text": "!call list_groups {}", "tool": "list_groups", "arguments": {"q": "*"}},
        {"text": '!call list_groups {"q": "x", "limit": 3}', "tool": "list_groups", "arguments": {"q": "*"}},
    )

    assert [one.verdict for one in judged] == [Verdict.RIGHT, Verdict.WRONG, Verdict.WRONG]


async def test_every_request_finds_the_organisation_as_it_was_at_the_beginning(
    peer: ScriptedModelServer, tmp_path: Path
) -> None:
    wanted = {"identity_id": "@idn:ines.carvalho"}
    request = {"text": ACTIVATE, "tool": "activate_identity", "arguments": wanted}

    judged = await _judged(peer, tmp_path, request, request, request)

    assert [one.verdict for one in judged] == [Verdict.RIGHT] * 3


async def test_a_limit_of_requests_is_never_passed(peer: ScriptedModelServer, tmp_path: Path) -> None:
    asked = len(peer.received)

    found = await _evaluation(peer, tmp_path, *[{"text": "!say hello"}] * 20, concurrency=2, most=30)

    assert len(peer.received) - asked == found.requests <= 30
    assert found.left > 0
    assert not Summary(model="x", evaluation=found).passes(least_right=0, most_wrong_changes=9)


def test_the_figures_are_printed_and_decide_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(tmp_path, {"text": "show all groups", "tool": "list_groups"}, {"text": "xyzzy", "tool": "list_roles"})

    assert main([str(path), "--json"]) == NOT_GOOD_ENOUGH
    found = json.loads(capsys.readouterr().out)
    assert main([str(path), "--least-right", "0.5"]) == GOOD_ENOUGH
    text = capsys.readouterr().out

    assert (found["cases"], found["right"], found["wrong_changes"]) == (2, 0.5, [])
    assert found["groups"][0] | {"language": "en", "kind": "read", "right": 1, "missing": 1} == found["groups"][0]
    assert [one["said"] for one in found["not_right"]] == ["xyzzy"]
    assert "missing: xyzzy" in text


def test_the_data_of_the_server_is_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = tmp_path / "live.sqlite3"
    monkeypatch.setenv("NOVA_DATABASE_URL", f"sqlite:///{live}")
    monkeypatch.setenv("NOVA_KEY_FILE", str(tmp_path / "live.json"))
    path = _file(tmp_path, {"text": DELETE})

    main([str(path), "--data-dir", str(tmp_path / "data"), "--quiet"])

    assert not live.exists()
    assert not (tmp_path / "live.json").exists()
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("requests", "options", "says"),
    [
        ([{"text": "x", "tool": "no_such_tool"}], [], "no_such_tool"),
        ([{"text": "x", "press": True}], [], "requests.0"),
        ([{"text": "x", "steps": [{"press": True}]}], [], "a request has a text, or steps"),
        ([{"steps": [{"text": "x", "press": True}]}], [], "a step has a text, or press: true"),
        ([{"steps": [{"text": "x", "arguments": {"a": 1}}]}], [], "arguments belong to a tool"),
        ([], [], "no request fits"),
        ([{"text": "x"}], ["--model", "environment"], "NOVA_AI_BASE_URL"),
        ([{"text": "x"}], ["--model", "no-such-profile"], "no stored profiles"),
        ([{"text": "x"}], ["--tools", "no_such_tool"], "no_such_tool"),
    ],
)
def test_what_can_not_be_evaluated_is_said_in_a_sentence(
    requests: list[object], options: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = main([str(_file(tmp_path, *requests)), "--data-dir", str(tmp_path / "data"), *options])

    assert done == UNUSABLE
    assert says in capsys.readouterr().err
