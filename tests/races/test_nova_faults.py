"""Nova is slow, fails or cuts its answer: the outcome is told as unknown, nothing is repeated, the turn goes on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.person import Heard, JsonObject, Person, order, problem
from tests.races.kill_checks import objects
from tests.races.planted import FALTERING, HOW_VARIABLE
from tests.races.site import ADMINISTRATOR, RaceSite, race_site

ASSISTANT = "admin"


@pytest.fixture(scope="module")
def how(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that says how Nova falters."""
    return tmp_path_factory.mktemp("nova") / "how"


@pytest.fixture(scope="module")
def faltering(tmp_path_factory: pytest.TempPathFactory, how: Path) -> Iterator[RaceSite]:
    folder = tmp_path_factory.mktemp("faltering")
    with race_site(folder, processes=1, fault=FALTERING, **{HOW_VARIABLE: str(how)}) as site:
        yield site


@pytest.fixture
def mara(faltering: RaceSite, how: Path) -> Iterator[Person]:
    how.write_text("")
    with faltering.sign_in(login=ADMINISTRATOR) as signed_in:
        yield signed_in


@pytest.mark.parametrize(
    ("how_it_falters", "is_done"), [("slow", False), ("fail before", False), ("fail after", True), ("cut", True)]
)
def test_c10_a_confirmed_call_whose_answer_is_lost_is_unknown_and_never_repeated(
    mara: Person, how: Path, how_it_falters: str, *, is_done: bool
) -> None:
    """Abuse case 25."""
    doomed = mara.make_group(f"doomed-{how_it_falters}")
    shown = mara.say(ASSISTANT, order("delete_group", group_id=doomed))
    how.write_text(how_it_falters)

    heard = mara.confirm(ASSISTANT, shown.preview_id)

    how.write_text("")
    [card] = objects(mara.get(f"/ai/chats/{shown.chat_id}")["previews"])
    assert heard.outcomes == [("error", "outcome_unknown")]
    assert heard.events[-1].name == "done"
    assert (card["closed"], card["outcome"]) == ("executed", "unknown")
    assert problem(mara.post_message(ASSISTANT, {"confirm": shown.preview_id})) == (409, "confirmation_invalid")
    assert mara.has_group(doomed) is not is_done
    assert len(mara.items("/audit-log", action="group.deleted", target_id=doomed)) == int(is_done)


@pytest.mark.parametrize("how_it_falters", ["slow", "fail before", "cut"])
def test_h4_a_reading_call_that_fails_is_told_and_the_turn_goes_on(
    mara: Person, how: Path, how_it_falters: str
) -> None:
    how.write_text(how_it_falters)

    heard: Heard = mara.say(ASSISTANT, f"{order('list_groups')}\n!then\n!say I could not read it.")

    how.write_text("")
    result: JsonObject = heard.one("tool_result")
    assert (result["status"], result["code"]) == ("error", "unavailable")
    assert "Nothing was changed" in str(result["content"])
    assert heard.text == "I could not read it."
    assert mara.say(ASSISTANT, order("list_groups")).outcomes == [("ok", None)]
