"""Where data may go: for whoever uses an assistant, and for administrators over all of them; never with a key."""

from tests.api.site import Site

BASE = "/administration/ai-configuration"
KEY = "sk-1234567890abcdef"


async def _a_profile(site: Site, key: str, address: str) -> None:
    body = {"key": key, "name": key, "base_url": address, "models": ["m"], "allow_private": True, "api_key": KEY}
    created = await site.call("mara", f"POST {BASE}/profiles", body=body)
    assert created.status_code == 201


async def _with_stand_ins(site: Site) -> None:
    await _a_profile(site, "house", "http://127.0.0.1:11434/v1")
    await _a_profile(site, "cloud", "https://models.example/v1")
    await site.call("mara", f"PUT {BASE}", body={"default_profile": "house"})
    answer = await site.call("mara", f"PUT {BASE}/fall-back", body={"fall_back": ["cloud"], "may_widen": True})
    assert answer.status_code == 200


async def test_b6_administrators_see_every_place_of_every_assistant(site: Site) -> None:
    await _with_stand_ins(site)

    answer = await site.call("mara", f"GET {BASE}/places")

    by_key = {one["key"]: one for one in answer.json()["items"]}
    assert by_key["admin"]["type"] == "assistant"
    assert by_key["admin"]["mode"] == "external"
    assert [(one["name"], one["mode"], one["host"]) for one in by_key["admin"]["places"]] == [
        ("house", "local", "127.0.0.1:11434"),
        ("cloud", "external", "models.example"),
    ]
    assert KEY not in answer.text
    for person in ("paul", "lea", "tim"):
        assert (await site.call(person, f"GET {BASE}/places")).status_code in {403, 404}


async def test_without_any_profile_nothing_leaves(site: Site) -> None:
    (first, *_) = (await site.call("mara", f"GET {BASE}/places")).json()["items"]

    assert (first["mode"], [one["mode"] for one in first["places"]]) == ("built_in", ["built_in"])
