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


async def test_a_declaration_counts_upwards_only_and_both_are_shown(site: Site) -> None:
    """A proxy in the house may pass everything on: only people know. Nobody declares the outside to be inside."""
    await _with_stand_ins(site)
    at = f"{BASE}/profiles"

    house = (await site.call("mara", f"PATCH {at}/house", body={"declared_mode": "external"})).json()
    cloud = (await site.call("mara", f"PATCH {at}/cloud", body={"declared_mode": "local"})).json()
    admin = (await site.call("mara", f"GET {BASE}/places")).json()["items"][0]
    back = (await site.call("mara", f"PATCH {at}/house", body={"declared_mode": None})).json()
    unknown = await site.call("mara", f"PATCH {at}/house", body={"declared_mode": "built_in"})

    said = [(one["mode"], one["mode_by_address"], one["declared_mode"]) for one in (house, cloud, back)]
    assert said == [
        ("external", "local", "external"),
        ("external", "external", "local"),
        ("local", "local", None),
    ]
    assert [(one["mode"], one["mode_by_address"], one["declared_mode"]) for one in admin["places"]] == said[:2]
    assert unknown.status_code in {400, 422}


async def test_data_of_a_local_model_does_not_go_to_a_local_address_that_passes_it_on(site: Site) -> None:
    """The order for all may not widen: what is declared counts for it as well."""
    await _a_profile(site, "house", "http://127.0.0.1:11434/v1")
    await _a_profile(site, "relay", "http://127.0.0.1:4000/v1")
    await site.call("mara", f"PATCH {BASE}/profiles/relay", body={"declared_mode": "external"})
    await site.call("mara", f"PUT {BASE}", body={"default_profile": "house"})
    await site.call("mara", f"PUT {BASE}/fall-back", body={"fall_back": ["relay"]})

    (first, *_) = (await site.call("mara", f"GET {BASE}/places")).json()["items"]

    assert (first["mode"], [one["name"] for one in first["places"]]) == ("local", ["house"])
