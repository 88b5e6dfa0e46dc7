import pytest
from nicegui import ui
from nicegui.testing import User

from nova_ui.nova.sample_organisation.assistants import ASSISTANTS as SAMPLES
from nova_ui.tools.registry import ALL_TOOLS
from tests.pages.conftest import Visitor

ASSISTANTS = "/administration/assistants"
NOT_FOR_ALL = "All tools can be released only for an assistant restricted to administrators."


async def patch(person: User, key: str, **body: object) -> dict[str, object]:
    token = (await person.http_client.get("/api/v1/session")).json()["csrf_token"]
    answer = await person.http_client.patch(f"/api/v1{ASSISTANTS}/{key}", json=body, headers={"X-CSRF-Token": token})
    return {"status": answer.status_code, **answer.json()}


def is_enabled(person: User, marker: str) -> bool:
    (element,) = person.find(marker=marker).elements
    assert isinstance(element, ui.switch | ui.checkbox | ui.select)
    return bool(element.enabled)


def open_to(person: User, audience: str) -> None:
    (select,) = person.find(marker="audience").elements
    assert isinstance(select, ui.select)
    assert person.client is not None
    with person.client:
        select.value = audience


async def test_b3_all_tools_are_for_administrators_in_the_form_and_behind_it(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open(f"{ASSISTANTS}?key=helpdesk")
    await mara.should_see(NOT_FOR_ALL, retries=50)
    await mara.should_see("Helpdesk is open to everyone.", retries=50)
    assert not is_enabled(mara, "all-tools")

    open_to(mara, "administrators")
    await mara.should_not_see(NOT_FOR_ALL, retries=50)
    assert is_enabled(mara, "all-tools")
    mara.find(marker="all-tools").click()
    open_to(mara, "everyone")
    await mara.should_see(NOT_FOR_ALL, retries=50)
    mara.find(marker="save").click()

    await mara.should_see(
        "Open it to administrators only, or choose its tools. What you typed is still here.", retries=50
    )
    refused = await patch(mara, "helpdesk", all_tools=True)
    assert (refused["status"], refused["rule"]) == (409, "B3")


async def test_b5_an_assistant_is_opened_to_a_group_and_says_so(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open(f"{ASSISTANTS}?key=helpdesk")
    await mara.should_see(marker="audience", retries=50)
    open_to(mara, "groups")
    await mara.should_see("Helpdesk is open to members of certain groups.", retries=50)
    mara.find(marker="save").click()
    await mara.should_see("Choose at least one group that the assistant is open to", retries=50)

    found = await mara.http_client.get("/api/v1/groups?q=Sales&limit=1")
    group = found.json()["items"][0]
    (select,) = mara.find(marker="audience-groups").elements
    assert isinstance(select, ui.select)
    assert mara.client is not None
    with mara.client:
        select.set_options({group["id"]: group["display_name"]})
        select.value = [group["id"]]
    mara.find(marker="save").click()

    await mara.should_see("tools · Members of certain groups", retries=50)
    stored = (await mara.http_client.get(f"/api/v1{ASSISTANTS}/helpdesk")).json()
    assert (stored["audience"], stored["audience_group_ids"]) == ("groups", [group["id"]])


async def test_the_model_of_an_assistant_is_chosen_among_those_there_are(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open(f"{ASSISTANTS}?key=helpdesk")
    await mara.should_see(marker="model", retries=50)
    (select,) = mara.find(marker="model").elements
    assert isinstance(select, ui.select)
    assert select.options == {"": "Default, at present built-in model", "built-in": "built-in model"}
    assert mara.client is not None
    with mara.client:
        select.value = "built-in"
    mara.find(marker="save").click()

    await mara.should_see("Stored. It counts from the next call on.", retries=50)
    assert (await mara.http_client.get(f"/api/v1{ASSISTANTS}/helpdesk")).json()["model"] == "built-in"


async def test_an_assistant_is_given_an_order_of_its_own(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open(f"{ASSISTANTS}?key=helpdesk")
    await mara.should_see(marker="own-order", retries=50)
    (own,) = mara.find(marker="own-order").elements
    assert isinstance(own, ui.switch)
    assert mara.client is not None
    with mara.client:
        own.value = True
    (order,) = mara.find(marker="stand-ins").elements
    assert isinstance(order, ui.select)
    with mara.client:
        order.value = ["built-in"]
    mara.find(marker="save").click()

    await mara.should_see("Stored. It counts from the next call on.", retries=50)
    assert (await mara.http_client.get(f"/api/v1{ASSISTANTS}/helpdesk")).json()["fall_back"] == ["built-in"]


async def test_b4_the_admin_chat_keeps_its_tools_its_audience_and_itself(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")

    await mara.open(f"{ASSISTANTS}?key=admin")

    await mara.should_see(
        "The preset Admin Chat always has all tools and is always for administrators only.", retries=50
    )
    assert not any(is_enabled(mara, marker) for marker in ("all-tools", "audience", "release-list_groups"))
    await mara.should_not_see(marker="delete", retries=50)
    refused = await patch(mara, "admin", all_tools=False, tool_names=["list_groups"])
    assert (refused["status"], refused["rule"]) == (409, "B4")


async def test_b1_a_tool_taken_off_the_list_is_refused_from_the_next_call_on(visitor: Visitor) -> None:
    mara, tim = await visitor("mara.koenig"), await visitor("tim.vogt")
    await tim.open("/?assistant=helpdesk")
    tim.find(marker="tools").click()
    tim.find(marker="tool-search_catalog").trigger("click")
    await tim.should_see(marker="run-tool", retries=50)

    await mara.open(f"{ASSISTANTS}?key=helpdesk")
    mara.find(marker="release-search_catalog").click()
    left = len(next(one for one in SAMPLES if one.key == "helpdesk").tools.names) - 1
    await mara.should_see(f"{left} of {len(ALL_TOOLS)} released", retries=50)
    mara.find(marker="save").click()
    await mara.should_see(f"{left} tools · Everyone", retries=50)  # the list tells what is stored
    tim.find(marker="run-tool").click()

    await tim.should_see("not released", retries=50)


async def test_a_lost_race_is_told_and_settled(visitor: Visitor) -> None:
    first, second = await visitor("mara.koenig"), await visitor("mara.koenig")
    for one in (first, second):
        await one.open(f"{ASSISTANTS}?key=helpdesk")
    first.find(marker="name-en").clear().type("Support desk")
    first.find(marker="save").click()
    await first.should_see(kind=ui.label, content="Support desk", retries=50)  # the list tells what is stored

    second.find(marker="name-en").clear().type("Help")
    second.find(marker="save").click()

    await second.should_see("Somebody else has changed this assistant meanwhile, so nothing was stored.", retries=50)
    second.find(marker="reload").click()
    await second.should_see("Service desk", retries=50)
    await second.should_not_see(
        "Somebody else has changed this assistant meanwhile, so nothing was stored.", retries=50
    )


async def test_a_new_assistant_is_made_copied_and_deleted_and_nothing_is_lost_unasked(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open(ASSISTANTS)
    await mara.should_see(marker="assistant-helpdesk", retries=50)
    mara.find(marker="new-assistant").click()
    await mara.should_see(marker="assistant-key", retries=50)
    mara.find(marker="name-en").type("Sales desk")
    mara.find(marker="release-list_groups").click()
    mara.find(marker="assistant-helpdesk").trigger("click")
    await mara.should_see("Discard your changes?", retries=50)
    mara.find(marker="keep").click()

    mara.find(marker="save").click()
    await mara.should_see("Stored. It counts from the next call on.", retries=50)
    await mara.should_see(marker="assistant-sales-desk", retries=50)
    mara.find(marker="copy").click()
    await mara.should_see(marker="assistant-key", retries=50)
    mara.find(marker="save").click()
    await mara.should_see(
        "The key is not usable: a small letter first, then small letters, digits, - and _; at most 32.", retries=50
    )
    mara.find(marker="assistant-sales-desk").trigger("click")
    await mara.should_see(marker="delete", retries=50)
    mara.find(marker="delete").click()
    await mara.should_see(marker="agree", retries=50)
    mara.find(marker="agree").click()

    await mara.should_not_see(marker="assistant-sales-desk", retries=50)


async def test_the_list_is_told_in_words_and_its_smallest_is_proposed_not_applied(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open(f"{ASSISTANTS}?key=my-access")
    await mara.should_see("What this list allows", retries=50)
    await mara.should_see("It changes at once, without asking", retries=50)
    mara.find(marker="find-smallest").click()
    await mara.should_see(marker="take-smallest", retries=50)
    before = (await mara.http_client.get(f"/api/v1{ASSISTANTS}/my-access")).json()

    mara.find(marker="take-smallest").click()

    wanted = (await mara.http_client.get(f"/api/v1{ASSISTANTS}/my-access/smallest-list")).json()["tool_names"]
    await mara.should_see(f"{len(wanted)} of {len(ALL_TOOLS)} released", retries=50)
    assert (await mara.http_client.get(f"/api/v1{ASSISTANTS}/my-access")).json() == before


async def test_what_an_assistant_could_do_for_somebody_is_told_with_the_rule(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    tim = (await mara.http_client.get("/api/v1/directory?q=tim.vogt&limit=1")).json()["items"][0]
    await mara.open(f"{ASSISTANTS}?key=admin")
    await mara.should_see(marker="foresee-for", retries=50)
    (select,) = mara.find(marker="foresee-for").elements
    assert isinstance(select, ui.select)
    assert mara.client is not None
    with mara.client:
        select.set_options({tim["id"]: tim["display_name"]})
        select.value = tim["id"]

    await mara.should_see(f"{tim['display_name']}: 0 allowed · 0 needs confirmation", retries=50)
    await mara.should_see("The assistant is switched off or not open to this identity.", retries=50)


async def test_assistants_are_put_in_order_and_the_open_form_can_still_be_stored(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open(f"{ASSISTANTS}?key=helpdesk")
    await mara.should_see(marker="up-helpdesk", retries=50)
    before = [one["key"] for one in (await mara.http_client.get(f"/api/v1{ASSISTANTS}")).json()["items"]]
    mara.find(marker="down-helpdesk").click()
    await mara.should_see(f"Helpdesk is now number {before.index('helpdesk') + 2}.", retries=50)
    mara.find(marker="name-en").clear().type("Support desk")
    mara.find(marker="save").click()
    await mara.should_see("Stored. It counts from the next call on.", retries=50)

    after = [one["key"] for one in (await mara.http_client.get(f"/api/v1{ASSISTANTS}")).json()["items"]]
    place = before.index("helpdesk")
    assert after.index("helpdesk") == place + 1
    assert after[place] == before[place + 1]


@pytest.mark.parametrize("login", ["paul.adler", "lea.brandt", "tim.vogt"])
async def test_b6_only_administrators_reach_the_administration(visitor: Visitor, login: str) -> None:
    other = await visitor(login)

    page = await other.http_client.get(ASSISTANTS)
    read = await other.http_client.get(f"/api/v1{ASSISTANTS}")
    written = await patch(other, "helpdesk", prompt="Obey.")

    assert page.status_code == 404
    assert read.status_code == 403
    assert written["status"] == 403


async def test_a_prompt_is_read_as_the_model_would_before_it_is_stored(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/administration/assistants?key=service-desk")
    await mara.should_see(marker="prompt", retries=50)
    mara.find(marker="prompt").clear().type("Greet {name}.")
    mara.find(marker="preview-prompt").click()
    await mara.should_see('Greet "Mara König".', retries=50)

    mara.find(marker="prompt").clear().type("Greet {nane}.")
    mara.find(marker="save").click()

    await mara.should_see("The prompt names {nane}, which there is not (line 1, character 7).", retries=50)


async def test_an_administrator_sees_how_much_an_assistant_is_used(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/administration/assistants?key=service-desk")

    await mara.should_see("Use in the last 30 days", retries=50)
    await mara.should_see("0 messages, 0 model requests", retries=50)


async def test_the_form_of_an_assistant_opens_in_german_too(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/me")
    mara.find(marker="language").click()
    mara.find("Deutsch").click()
    await mara.should_see("Eigene Einstellungen", retries=50)  # the page loads itself again
    await mara.open("/administration/assistants?key=service-desk")

    await mara.should_see("Variablen: {name}: der Name der fragenden Person", retries=50)
    await mara.should_see("Nutzung in den letzten 30 Tagen", retries=50)
