from typing import Final

import pytest

from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import NovaAnswer, ToolKind
from nova_ui.errors import NovaConflict, NovaInvalid, NovaNotFound, NovaPreconditionFailed, NovaProblem
from nova_ui.presenters.assistant_draft import AssistantDraft, key_from
from nova_ui.presenters.assistant_problems import problem_words
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter, ToolFilter
from tests.fakes.scripted_nova import Answer, ScriptedNova

ONE: Final = "/administration/assistants/{key}"


def a_stored(key: str = "helpdesk", *, all_tools: bool = False) -> JsonObject:
    return {
        "key": key,
        "names": {"en": key.capitalize()},
        "descriptions": {},
        "prompt": "Help.",
        "audience": "administrators" if all_tools else "everyone",
        "audience_roles": [],
        "all_tools": all_tools,
        "tool_names": [] if all_tools else ["list_groups"],
        "starters": {"en": ["One", "Two"]},
        "enabled": True,
    }


def a_listed(name: str, kind: str, *inner_tools: str) -> JsonObject:
    return {
        "name": name,
        "title": name.replace("_", " "),
        "summary": "",
        "area": "Groups",
        "kind": kind,
        "is_flow": bool(inner_tools),
        "self_service": False,
        "inner_tools": list(inner_tools),
    }


def a_nova(**changed: Answer) -> ScriptedNova:
    tools = [
        a_listed("list_groups", "read"),
        a_listed("delete_group", "destructive"),
        a_listed("tidy_up", "destructive", "list_groups", "delete_group"),
    ]
    answers: dict[str, Answer] = {
        "GET /administration/tools": {"items": [*tools]},
        "GET /administration/ai-configuration/places": {"items": []},
        "GET /administration/ai-configuration": {"profiles": [], "default_profile": "built-in"},
        "GET /administration/assistants": {"items": [a_stored()]},
        f"GET {ONE}": NovaAnswer(status=200, body=a_stored(), etag='"2"'),
        f"PATCH {ONE}": NovaAnswer(status=200, body=a_stored(), etag='"3"'),
    }
    return ScriptedNova({**answers, **changed})


async def an_open_form(nova: ScriptedNova) -> tuple[AssistantsAdminPresenter, AssistantDraft]:
    presenter = AssistantsAdminPresenter(nova)
    await presenter.load("helpdesk")
    assert presenter.draft is not None
    return presenter, presenter.draft


async def test_what_is_typed_is_stored_against_the_version_it_was_made_from() -> None:
    nova = a_nova()
    presenter, draft = await an_open_form(nova)
    assert not presenter.has_changes

    draft.descriptions[Language.GERMAN] = " Hilft\n weiter. "
    assert presenter.has_changes
    assert await presenter.save()

    stored = next(one for one in nova.called if one.endpoint == f"PATCH {ONE}")
    assert stored.if_match == '"2"'
    assert stored.body is not None
    assert stored.body["descriptions"] == {"de": "Hilft weiter."}
    assert stored.body["starters"] == {"en": ["One", "Two"], "de": []}
    assert not presenter.has_changes
    assert (presenter.draft, draft.etag) == (draft, '"3"')  # the next change is made from what is stored now


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (NovaPreconditionFailed("x"), "Somebody else has changed this assistant meanwhile, so nothing was stored."),
        (NovaNotFound("x"), "This assistant has been deleted meanwhile."),
        (NovaConflict("x", extra={"rule": "B3"}), "All tools can be released only for an assistant restricted to"),
        (NovaConflict("x", code="protected_object", extra={"rule": "B4"}), "The preset Admin Chat always has all"),
        (NovaConflict("x", field="key"), "There is already an assistant with this key."),
        (NovaInvalid("x", field="key"), "The key is not usable"),
        (NovaInvalid("x", field="names.en"), "A name is needed"),
        (NovaInvalid("x", field="audience_roles"), "Tick at least one role"),
        (NovaInvalid("x", field="elsewhere"), "Nova did not accept the values."),
    ],
)
async def test_a_refusal_is_told_in_words_and_keeps_what_was_typed(problem: NovaProblem, words: str) -> None:
    presenter, draft = await an_open_form(a_nova(**{f"PATCH {ONE}": problem}))
    draft.prompt = "typed"

    assert not await presenter.save()

    assert presenter.problem is problem
    assert problem_words(problem).text.startswith(words)
    assert (presenter.draft, draft.prompt) == (draft, "typed")
    assert presenter.was_overtaken is isinstance(problem, NovaPreconditionFailed)


async def test_a_lost_race_is_settled_by_loading_what_is_stored() -> None:
    presenter, draft = await an_open_form(a_nova(**{f"PATCH {ONE}": NovaPreconditionFailed("x")}))
    draft.prompt = "typed"
    await presenter.save()

    await presenter.reload()

    assert presenter.draft is not None
    assert (presenter.draft.prompt, presenter.problem) == ("Help.", None)


async def test_b2_a_flow_is_released_with_its_tools_and_says_what_it_misses_later() -> None:
    presenter, draft = await an_open_form(a_nova())
    flow = next(tool for tool in presenter.tools if tool.is_flow)

    presenter.release("tidy_up", released=True)
    assert draft.tool_names == {"tidy_up", "list_groups", "delete_group"}
    assert presenter.missing_inner(flow) == ()
    presenter.release("delete_group", released=False)

    assert presenter.missing_inner(flow) == ("delete_group",)
    presenter.release("tidy_up", released=False)
    assert presenter.missing_inner(flow) == ()


async def test_b3_all_tools_beyond_administrators_is_seen_and_sent_for_nova_to_decide() -> None:
    nova = a_nova()
    presenter, draft = await an_open_form(nova)

    presenter.release_all(released=True)
    assert draft.breaks_b3
    assert presenter.released_count == 3
    draft.audience = AudienceKind.ADMINISTRATORS
    assert not draft.breaks_b3
    await presenter.save()

    body = next(one.body for one in nova.called if one.endpoint == f"PATCH {ONE}")
    assert body is not None
    assert (body["all_tools"], body["tool_names"], body["audience"]) == (True, [], "administrators")


async def test_b4_a_copy_of_the_admin_chat_is_an_ordinary_new_assistant() -> None:
    stored = NovaAnswer(status=200, body=a_stored("admin", all_tools=True), etag='"1"')
    presenter, draft = await an_open_form(a_nova(**{f"GET {ONE}": stored}))
    assert draft.is_preset

    presenter.copy()

    copied = presenter.draft
    assert copied is not None
    assert (copied.is_new, copied.is_preset, copied.key, copied.all_tools) == (True, False, "", True)
    copied.names[Language.ENGLISH] = "Other"
    assert draft.names[Language.ENGLISH] == "Admin"


async def test_tools_are_found_by_words_kind_and_being_released() -> None:
    presenter, _ = await an_open_form(a_nova())
    titles = ["Gruppen auflisten", "Gruppe löschen", "Aufräumen"]

    def found(wanted: ToolFilter) -> list[str]:
        presenter.show_tools(wanted)
        return [tool.name for tool in presenter.shown_tools(titles)]

    assert found(ToolFilter(q="LÖSCHEN")) == ["delete_group"]
    assert found(ToolFilter(kind=ToolKind.READ)) == ["list_groups"]
    assert found(ToolFilter(only_released=True)) == ["list_groups"]
    assert found(ToolFilter(q="tidy", kind=ToolKind.READ)) == []


async def test_an_assistant_that_is_gone_leaves_the_list_and_the_form_alone() -> None:
    nova = a_nova()
    presenter, draft = await an_open_form(nova)
    nova.answers = {**nova.answers, f"GET {ONE}": NovaNotFound("x"), "GET /administration/assistants": {"items": []}}

    assert not await presenter.choose("sales")

    assert (presenter.assistants, presenter.draft) == ((), draft)


@pytest.mark.parametrize(
    ("name", "key"),
    [("Help Desk", "help-desk"), ("Büro & Größe 2", "buero-groesse-2"), ("2nd line", "nd-line"), ("日本", "")],
)
def test_a_key_reads_like_the_name(name: str, key: str) -> None:
    assert key_from(name) == key
    assert len(key_from(name * 20)) <= 32
