"""The AI configuration: interface only (B6), keys that are never read back (D3, D5) nor sent elsewhere."""

import pytest
from httpx import Response
from sqlalchemy import update
from sqlmodel import col, select

from nova_ui.domain.assistant import Assistant, AssistantKey, Audience, AudienceKind, ToolList
from nova_ui.errors import ModelError
from nova_ui.llm.port import Mode
from storage.nova.ai_tables import AiProfileRow
from tests.api.site import Site
from tests.llm.peer import DONE, a_peer, ask, chunk, head
from tests.llm.requests import a_request
from tests.llm.wire_bytes import SPEAKERS, Sent, Speaker

BASE = "/administration/ai-configuration"
ONE = f"{BASE}/profiles/house"
KEY = "sk-1234567890abcdef"


async def a_profile(site: Site, **fields: object) -> Response:
    body = {
        "key": "house",
        "name": "House model",
        "base_url": "http://127.0.0.1:11434/v1",
        "models": ["llama", "qwen"],
        "allow_private": True,
        "api_key": KEY,
        **fields,
    }
    return await site.call("mara", f"POST {BASE}/profiles", body=body)


async def patch(site: Site, **body: object) -> Response:
    return await site.call("mara", f"PATCH {ONE}", body=body)


def an_assistant(model: str | None) -> Assistant:
    return Assistant(
        key=AssistantKey("desk"),
        names={},
        descriptions={},
        prompt="",
        tools=ToolList(),
        audience=Audience(kind=AudienceKind.EVERYONE),
        model=model,
    )


async def test_d3_a_key_is_stored_sealed_and_never_read_back(site: Site) -> None:
    created = await a_profile(site)
    answers = [await site.call("mara", endpoint) for endpoint in (f"GET {BASE}", f"GET {ONE}")]

    assert created.status_code == 201
    assert created.json()["api_key"]["set"] is True
    assert all(KEY not in answer.text for answer in (created, *answers))
    async with site.database.reading() as session:
        row = (await session.exec(select(AiProfileRow))).one()
    assert (row.api_key or "").startswith("enc:v1:")
    assert all(KEY not in str(entry.details) for entry in await site.entries())


async def test_a_change_is_logged_by_the_names_of_its_fields_only(site: Site) -> None:
    await a_profile(site)

    await patch(site, name="Other", models=["llama"])
    await site.call("mara", f"PUT {BASE}", body={"default_profile": "house"})

    entries = await site.entries("ai_configuration.updated")
    assert [entry.details["change"] for entry in entries] == ["created", "updated", "default_chosen"]
    assert entries[1].details["changes"] == [{"field": "models"}, {"field": "name"}]


async def test_another_address_needs_the_key_again(site: Site) -> None:
    """Abuse case 50."""
    await a_profile(site)

    moved = await patch(site, base_url="http://127.0.0.1:9999/v1")
    with_key = await patch(site, base_url="http://127.0.0.1:9999/v1", api_key="sk-other-key")
    without = await patch(site, base_url="http://127.0.0.1:8888/v1", api_key=None)

    assert (moved.status_code, moved.json()["field"]) == (400, "api_key")
    assert with_key.json()["api_key"]["set"] is True
    assert (without.json()["api_key"]["set"], without.json()["base_url"]) == (False, "http://127.0.0.1:8888/v1")


async def test_a_key_is_not_sent_to_an_address_that_was_edited_in_the_row(site: Site) -> None:
    """Abuse case 50."""
    async with a_peer(head() + chunk(content="Hi") + chunk("stop") + DONE) as peer:
        await a_profile(site)
        async with site.database.transaction() as session:
            await session.exec(update(AiProfileRow).values(base_url=peer.url))
        await patch(site, name="Other")

        model = site.models.for_assistant(an_assistant("house"))
        with pytest.raises(ModelError) as failed:
            await ask_fully(model)

    assert failed.value.kind.value == "credentials"
    assert peer.heads == []


async def ask_fully(model: object) -> None:
    async for _ in model.stream(a_request()):  # type: ignore[attr-defined]  # a model of the port
        pass


async def test_a_stored_profile_answers_with_its_key_for_assistants_that_name_it_and_as_default(site: Site) -> None:
    async with a_peer(head() + chunk(content="Hi") + chunk("stop") + DONE) as peer:
        await a_profile(site, base_url=peer.url)
        before = site.models.for_assistant(an_assistant(None)).mode
        await site.call("mara", f"PUT {BASE}", body={"default_profile": "house"})
        default = site.models.for_assistant(an_assistant(None))
        other = site.models.for_assistant(an_assistant("house/qwen"))

        await ask(other, a_request())

    assert (before, default.mode, default.name, other.name) == (Mode.BUILT_IN, Mode.LOCAL, "llama", "qwen")
    assert peer.body["model"] == "qwen"
    assert f"authorization: bearer {KEY}" in peer.heads[0].lower()


@pytest.mark.parametrize(
    ("address", "allow_private", "fault"),
    [
        ("http://169.254.169.254/v1", True, "plain_http"),
        ("https://169.254.169.254/v1", True, "forbidden"),
        ("https://10.0.0.5/v1", False, "private"),
        ("http://127.0.0.1:1/v1", False, "private"),
        ("https://user:pw@host.example/v1", True, "credentials"),
        ("file:///etc/passwd", True, "scheme"),
        ("http://api.example/v1", True, "plain_http"),
    ],
)
async def test_an_address_that_may_not_be_called_is_not_stored(
    site: Site, address: str, fault: str, *, allow_private: bool
) -> None:
    refused = await a_profile(site, base_url=address, allow_private=allow_private)

    assert (refused.status_code, refused.json()["field"]) == (400, "base_url")
    assert refused.json()["fault"] == fault


@pytest.mark.parametrize(
    ("fields", "status", "field"),
    [
        ({"kind": "telepathy"}, 422, "kind"),
        ({"kind": "builtin"}, 400, "kind"),
        ({"key": "built-in"}, 409, "key"),
        ({"key": "environment"}, 409, "key"),
        ({"models": []}, 422, "models"),
        ({"api_key": "a\nb"}, 400, "api_key"),
        ({"limits": {"total_seconds": 0}}, 422, "limits.total_seconds"),
        ({"colour": "red"}, 422, "colour"),
    ],
)
async def test_what_a_profile_may_not_hold(site: Site, fields: dict[str, object], status: int, field: str) -> None:
    answer = await a_profile(site, **fields)

    assert (answer.status_code in {status, 400}, answer.json()["field"]) == (True, field)


async def test_b6_no_model_reads_or_changes_the_configuration(site: Site) -> None:
    """Abuse case 15."""
    await a_profile(site)
    attempts: list[tuple[str, dict[str, object] | None]] = [
        (f"GET {BASE}", None),
        (f"PUT {BASE}", {"default_profile": None}),
        (f"POST {BASE}/profiles", {"key": "x", "name": "X", "base_url": "https://x.example/v1", "models": ["x"]}),
        (f"GET {ONE}", None),
        (f"PATCH {ONE}", {"name": "Mine"}),
        (f"DELETE {ONE}", None),
        (f"POST {ONE}/test", {}),
    ]

    answers = [await site.call("mara", endpoint, body=body, via="admin") for endpoint, body in attempts]

    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(403, "interface_only")}


@pytest.mark.parametrize("who", ["paul", "lea", "sam"])
async def test_only_administrators_see_or_change_it(site: Site, who: str) -> None:
    await a_profile(site)

    answers = [
        await site.call(who, f"GET {BASE}"),
        await site.call(who, f"PATCH {ONE}", body={"name": "Mine"}),
        await site.call(who, f"POST {ONE}/test", body={}),
        await site.call(who, f"GET {ONE}/impact", query={"action": "delete"}),
    ]

    assert {answer.status_code for answer in answers} == {403}


async def test_a_profile_in_use_stays_and_one_that_is_not_goes_with_its_key(site: Site) -> None:
    await a_profile(site)
    await site.call("mara", f"PUT {BASE}", body={"default_profile": "house"})
    as_default = await site.call("mara", f"DELETE {ONE}")
    await site.call("mara", f"PUT {BASE}", body={"default_profile": None})
    await site.call("mara", "PATCH /administration/assistants/admin", body={"model": "house/qwen"})
    in_use = await site.call("mara", f"GET {ONE}/impact", query={"action": "delete"})
    await site.call("mara", "PATCH /administration/assistants/admin", body={"model": None})

    deleted = await site.call("mara", f"DELETE {ONE}")

    assert as_default.status_code == 409
    assert in_use.json()["refusal"]["code"] == "state_conflict"
    assert deleted.status_code == 200
    async with site.database.reading() as session:
        assert (await session.exec(select(AiProfileRow).where(col(AiProfileRow.key) == "house"))).all() == []


async def test_an_assistant_names_only_models_that_there_are(site: Site) -> None:
    await a_profile(site)
    path = "PATCH /administration/assistants/admin"

    statuses = [
        (await site.call("mara", path, body={"model": model})).status_code
        for model in ("built-in", "house", "house/llama", None, "house/gpt", "elsewhere", "environment")
    ]

    assert statuses == [200, 200, 200, 200, 400, 400, 400]


async def test_the_built_in_model_is_a_profile_that_nobody_changes(site: Site) -> None:
    found = (await site.call("mara", f"GET {BASE}")).json()
    changed = await site.call("mara", f"PATCH {BASE}/profiles/built-in", body={"name": "Mine"})
    deleted = await site.call("mara", f"DELETE {BASE}/profiles/built-in")

    assert (found["default_profile"], found["default_is_chosen"]) == ("built-in", False)
    assert [(one["key"], one["mode"], one["source"]) for one in found["profiles"]] == [
        ("built-in", "built_in", "built_in")
    ]
    assert [changed.json()["code"], deleted.json()["code"]] == ["protected_object"] * 2


async def test_a_trial_says_what_a_model_can_do_and_why_it_can_not(site: Site) -> None:
    async with a_peer(head() + chunk(content="One, ") + chunk(content="two.") + chunk("stop") + DONE) as peer:
        await a_profile(site, base_url=peer.url)
        talks = (await site.call("mara", f"POST {ONE}/test", body={"model": "qwen"})).json()
        unknown = await site.call("mara", f"POST {ONE}/test", body={"model": "gpt"})
    gone = (await site.call("mara", f"POST {ONE}/test", body={})).json()

    assert (talks["model"], talks["answers"], talks["streams"], talks["calls_tools"]) == ("qwen", True, True, False)
    assert talks["failure"] is None
    assert unknown.json()["field"] == "model"
    assert (gone["answers"], gone["failure"]) == (False, "connection")


@pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda one: one.wire.name)
async def test_a_trial_speaks_as_each_kind_of_provider_does(site: Site, speaker: Speaker) -> None:
    answer = speaker.stream(Sent(text="One, two.", size=3))
    headers = head(content_type=speaker.content_type)
    async with a_peer(headers + answer) as peer:
        await a_profile(site, base_url=peer.url, kind=speaker.wire.name, limits={"context_tokens": 8_000})
        talks = (await site.call("mara", f"POST {ONE}/test", body={})).json()

    assert (talks["answers"], talks["streams"], talks["calls_tools"], talks["failure"]) == (True, True, False, None)
    assert KEY in peer.heads[0]


async def test_a_change_made_by_another_process_is_seen_at_the_next_look(site: Site) -> None:
    await a_profile(site)
    async with site.database.transaction() as session:
        row = (await session.exec(select(AiProfileRow))).one()
        row.models = ["mistral"]
    await site.nova.ai_configuration.watch.refresh()
    unseen = site.models.for_assistant(an_assistant("house")).name
    await patch(site, name="Other")

    assert unseen == "llama"
    assert site.models.for_assistant(an_assistant("house")).name == "mistral"
