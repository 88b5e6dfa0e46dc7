"""A secret that somebody copied as plain words into another record reaches neither the model nor a chat (rule D3)."""

import json

from tests.fakes.canaries import a_canary, forms_of
from tests.fakes.scripted_model_server import ScriptedModelServer
from tests.journeys.person import JsonObject, Person, order


def test_d3_and_d4_a_stored_secret_that_was_copied_into_a_record_or_typed_is_known_again(
    mara: Person, model: ScriptedModelServer
) -> None:
    """Abuse case 46."""
    secret = a_canary(plain=True)
    group = mara.make_group("copied")
    note: JsonObject = {"description": f"The directory's old one was {secret} (ask Anna)."}
    assert mara.request("PATCH", f"/groups/{group}", note).status_code == 200
    application = mara.request("POST", "/applications", {"key": "copied", "display_name": "Copied"}).json()["id"]
    connection: JsonObject = {"kind": "ldap", "url": "ldaps://d.example", "base_dn": "dc=x", "bind_dn": "cn=x",
                              "bind_password": secret}  # fmt: skip
    assert mara.request("PUT", f"/applications/{application}/connection", connection).status_code == 200
    seen = len(model.received)

    read = mara.say("admin", f"Is it {secret}?\n{order('list_groups', q='copied')}\n!then\n!say So it says.")
    used = mara.use("admin", "list_groups", q="copied")
    card = mara.say("admin", f"{order('delete_group', group_id=group)}\n!then\n!say A card.")
    chats = {str(one["id"]): json.dumps(mara.get(f"/ai/chats/{one['id']}")) for one in mara.items("/ai/chats")}

    asked = [json.dumps(one.body, ensure_ascii=False) for one in model.received[seen:]]
    places = [*asked, *chats.values(), *(str(event.data) for heard in (read, used, card) for event in heard.events)]
    assert len(asked) >= 3
    assert read.outcomes == used.outcomes == [("ok", None)]
    assert "old one was [secret] (ask Anna)" in read.contents[0]
    assert card.preview_id
    assert [place[:80] for place in places if any(form in place.encode() for form in forms_of(secret))] == []
