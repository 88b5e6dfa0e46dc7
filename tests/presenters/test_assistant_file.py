"""Export and import of assistants: a file is checked like any create, and what it brings is switched off at first."""

import json

import pytest

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import NovaAnswer
from nova_ui.errors import NovaInvalid
from nova_ui.presenters.assistant_draft import free_key
from nova_ui.presenters.assistant_file import MAX_FILE_BYTES, NotAnAssistantFile, file_of, read_file
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter
from tests.fakes.scripted_nova import Answer
from tests.presenters.test_assistants_admin import ONE, a_nova, a_stored, an_open_form

CREATE = "POST /administration/assistants"
FILED = file_of({**a_stored(), "preset": False, "version": 3, "created_at": None, "audience_groups": []})


def test_a_file_holds_what_a_create_takes_and_nothing_else() -> None:
    assert read_file(FILED) == {**a_stored(), "enabled": False}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"format": "nova-ai-assistant/1"}',
        b'{"format": "nova-ai-assistant/3", "assistant": {"key": "a"}}',
        b'{"format": "nova-ai-assistant/1", "assistant": {}}',
        b'{"format": "nova-ai-assistant/1", "assistant": {"key": 1}}',
        b'{"format": "nova-ai-assistant/1", "assistant": {"key": "a"}, "more": 1}',
        b"[" * 100_000,
        b" " * (MAX_FILE_BYTES + 1),
    ],
)
def test_what_is_no_such_file_is_refused(content: bytes) -> None:
    with pytest.raises(NotAnAssistantFile):
        read_file(content)


def test_a_file_of_before_prompts_had_variables_means_what_it_meant() -> None:
    old = {"key": "a", "prompt": "Answer as {json}, {name}."}

    body = read_file(json.dumps({"format": "nova-ai-assistant/1", "assistant": old}).encode())

    assert body == {"key": "a", "prompt": "Answer as {{json}}, {{name}}.", "enabled": False}


async def test_an_import_is_created_switched_off_under_a_free_key() -> None:
    stored = NovaAnswer(status=201, body=a_stored("helpdesk-2"), etag='"1"')
    nova = a_nova(**{CREATE: stored})
    presenter = AssistantsAdminPresenter(nova)
    await presenter.load("helpdesk")

    assert await presenter.import_file(FILED) == "helpdesk-2"

    body = next(one.body for one in nova.called if one.endpoint == CREATE)
    assert body == {**a_stored("helpdesk-2"), "enabled": False, "names": {"en": "Helpdesk"}}


async def test_unknown_fields_of_a_file_reach_nova_which_refuses_them() -> None:
    """Nothing of a file is ignored: what Nova does not know is its refusal."""
    nova = a_nova(**{CREATE: NovaInvalid("x", field="surprise")})
    presenter = AssistantsAdminPresenter(nova)
    await presenter.load("helpdesk")
    content = json.loads(FILED)
    content["assistant"]["surprise"] = True

    with pytest.raises(NovaInvalid):
        await presenter.import_file(json.dumps(content).encode())

    assert next(one.body for one in nova.called if one.endpoint == CREATE) == {
        **a_stored("helpdesk-2"),
        "names": {"en": "Helpdesk"},
        "enabled": False,
        "surprise": True,
    }


async def test_an_export_is_what_is_stored_not_what_is_typed() -> None:
    presenter, draft = await an_open_form(a_nova())
    draft.prompt = "typed"

    made = await presenter.exported()

    assert made is not None
    assert made[0] == "assistant-helpdesk.json"
    assert json.loads(made[1])["assistant"]["prompt"] == "Help."


async def test_a_move_tells_nova_the_whole_order() -> None:
    stored = NovaAnswer(status=200, body=a_stored(), etag='"2"')
    both: JsonObject = {"items": [{**a_stored("sales"), "version": 2}, {**a_stored(), "version": 3}]}
    listed: JsonObject = {"items": [{**a_stored(), "version": 2}, {**a_stored("sales"), "version": 2}]}
    order = "PUT /administration/assistant-order"
    answers: dict[str, Answer] = {"GET /administration/assistants": listed, order: both, f"GET {ONE}": stored}
    nova = a_nova(**answers)
    presenter, draft = await an_open_form(nova)

    assert await presenter.move("helpdesk", 1)
    assert not await presenter.move("helpdesk", 1)

    assert [one.body for one in nova.called if one.endpoint == order] == [{"keys": ["sales", "helpdesk"]}]
    assert draft.etag == '"3"'


@pytest.mark.parametrize(("key", "free"), [("new", "new"), ("desk", "desk-3"), ("d" * 32, "d" * 30 + "-2")])
def test_a_taken_key_gets_a_number(key: str, free: str) -> None:
    assert free_key(key, {"desk", "desk-2", "d" * 32}) == free
