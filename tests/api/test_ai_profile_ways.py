"""Proxy, certificates, headers and parameters of a profile: checked, sealed, and asked for again on another way."""

from datetime import timedelta

import pytest
from httpx import Response
from sqlmodel import select

from nova_ui.domain.ai_profile import MAX_TEMPERATURES, ProviderKind
from nova_ui.llm.port import Model
from storage.nova.ai_tables import AiProfileRow
from tests.api.site import Site
from tests.api.test_ai_configuration import BASE, KEY, ONE, a_profile, an_assistant, patch
from tests.llm.peer import a_peer, ask
from tests.llm.requests import a_request
from tests.llm.test_profiles import HI
from tests.llm.tls import Authority, pem_of

HOUSE = "https://models.example/v1"
PROXY = "http://proxy.example:3128"
TEAM = "value-of-the-team-header"
PASSWORD = "password-of-the-proxy"
SECRETS = (KEY, TEAM, PASSWORD)
CA = Authority()
OTHER = Authority("Another CA")
EXPIRED = Authority("Old CA", expires_in=-timedelta(days=700))


async def a_whole_profile(site: Site, **fields: object) -> Response:
    whole = {
        "base_url": HOUSE,
        "allow_private": False,
        "headers": {"X-Team": TEAM},
        "proxy_url": PROXY,
        "proxy_user": "nova",
        "proxy_password": PASSWORD,
        "proxy_allow_private": True,
        "ca_certificates": CA.pem,
        "parameters": {"temperature": 0.3, "top_p": 1},
    }
    return await a_profile(site, **{**whole, **fields})


async def the_row(site: Site) -> AiProfileRow:
    async with site.database.reading() as session:
        return (await session.exec(select(AiProfileRow))).one()


def refused(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["field"]


async def test_d3_no_secret_of_a_profile_is_read_back_logged_or_stored_as_it_is(site: Site) -> None:
    created = await a_whole_profile(site)
    await patch(site, headers={"x-other": "another-value"})
    read = await site.call("mara", f"GET {BASE}")

    row = await the_row(site)
    stored = str(row.model_dump())
    entries = str([entry.details for entry in await site.entries()])
    assert created.status_code == 201
    for secret in (*SECRETS, "another-value"):
        assert secret not in created.text + read.text + stored + entries
    view = read.json()["profiles"][-1]
    assert (view["header_names"], view["proxy_user"]) == (["x-other", "x-team"], "nova")
    assert (view["proxy_password"]["set"], view["api_key"]["set"]) == (True, True)
    assert [one["subject"] for one in view["certificates"]] == ["House CA"]
    assert "headers.x-team" in entries
    assert "headers.x-other" in entries


WAYS: list[tuple[str, dict[str, object]]] = [
    ("address", {"base_url": "https://attacker.example/v1"}),
    ("port", {"base_url": "https://models.example:8443/v1"}),
    ("path", {"base_url": "https://models.example/v2"}),
    ("slash", {"base_url": f"{HOUSE}/"}),
    ("case", {"base_url": "https://MODELS.example/v1"}),
    ("default port", {"base_url": "https://models.example:443/v1"}),
    ("dot", {"base_url": "https://models.example./v1"}),
    ("kind", {"kind": "anthropic"}),
    ("proxy", {"proxy_url": "http://attacker.example:3128"}),
    ("proxy's case", {"proxy_url": "http://PROXY.example:3128"}),
    ("no proxy", {"proxy_url": None}),
    ("certificates", {"ca_certificates": OTHER.pem}),
    ("public certificates", {"ca_certificates": None}),
]


@pytest.mark.parametrize("change", [change for _, change in WAYS], ids=[name for name, _ in WAYS])
async def test_on_another_way_every_secret_is_entered_again(site: Site, change: dict[str, object]) -> None:
    """Abuse case 50."""
    await a_whole_profile(site)
    again: dict[str, object] = {"api_key": "sk-new", "headers": {"x-team": "new"}}
    if change.get("proxy_url"):
        again["proxy_password"] = "new"

    alone = await patch(site, **change)
    without_one = [await patch(site, **change, **{k: v for k, v in again.items() if k != name}) for name in again]
    all_again = await patch(site, **change, **again)

    assert refused(alone) == (400, "api_key")
    assert [refused(one) for one in without_one] == [(400, name) for name in again]
    assert all_again.status_code == 200


async def test_d3_who_vouches_for_a_proxy_over_tls_is_part_of_its_password_s_way(site: Site) -> None:
    """Abuse case 50. The certificates count for such a proxy as well: others would let somebody else stand there."""
    await a_whole_profile(site, proxy_url="https://proxy.example:3128")
    change: dict[str, object] = {"ca_certificates": OTHER.pem, "api_key": "sk-new", "headers": {"x-team": "new"}}

    without = await patch(site, **change)
    with_it = await patch(site, **change, proxy_password="new")

    assert refused(without) == (400, "proxy_password")
    assert with_it.status_code == 200


async def test_on_another_way_secrets_may_also_be_dropped(site: Site) -> None:
    await a_whole_profile(site)

    dropped = await patch(
        site, base_url="https://other.example/v1", api_key=None, headers={"X-TEAM": None}, proxy_url=None
    )

    view = dropped.json()
    assert (view["api_key"]["set"], view["header_names"]) == (False, [])
    assert (view["proxy_url"], view["proxy_user"], view["proxy_password"]["set"]) == (None, None, False)


@pytest.mark.parametrize("column", ["base_url", "proxy_url", "ca_certificates"])
async def test_an_edited_row_opens_no_secret(site: Site, column: str) -> None:
    """Abuse case 50."""
    await a_whole_profile(site)
    values = {"base_url": "https://x.example/v1", "proxy_url": "http://x.example:1", "ca_certificates": OTHER.pem}
    async with site.database.transaction() as session:
        row = (await session.exec(select(AiProfileRow))).one()
        setattr(row, column, values[column])
        session.add(row)
    await patch(site, name="Other")

    model: Model = site.models.for_assistant(an_assistant("house"))
    _, failure = await ask(model, a_request())

    assert failure is not None
    assert failure.kind.value == "credentials"


async def test_a_change_of_one_header_leaves_the_others_and_all_are_sent(site: Site) -> None:
    async with a_peer(HI) as peer:
        await a_profile(site, base_url=peer.url, headers={"X-Team": TEAM, "X-Old": "old"})
        await patch(site, headers={"x-old": None, "X-New": "new"})

        await ask(site.models.for_assistant(an_assistant("house")), a_request())

    sent = peer.heads[0].lower()
    assert f"x-team: {TEAM}" in sent
    assert "x-new: new" in sent
    assert "x-old" not in sent


@pytest.mark.parametrize(
    "name",
    [
        "Host",
        "authorization",
        "Cookie",
        "connection",
        "Transfer-Encoding",
        "content-length",
        "Proxy-Authorization",
        "x-api-key",
        "api-key",
        "X-Goog-Api-Key",
        "X-Forwarded-For",
        "te",
        "upgrade",
        "a b",
        "x:y",
        "x\ny",
        "ü",
    ],
)
async def test_a_header_that_belongs_to_the_call_is_not_added(site: Site, name: str) -> None:
    created = await a_profile(site, headers={name: "value"})
    await a_profile(site)
    changed = await patch(site, headers={name: "value"})

    assert refused(created) == refused(changed) == (400, "headers")


@pytest.mark.parametrize("headers", [{"x-a": "a\r\nb: c"}, {"x-a": " a"}, {"x-a": "ü"}, {"x-a": "1", "X-A": "2"}])
async def test_a_header_that_can_not_be_sent_is_not_stored(site: Site, headers: dict[str, str]) -> None:
    answer = await a_profile(site, headers=headers)

    assert refused(answer) == (400, "headers")
    assert (await site.call("mara", f"GET {ONE}")).status_code == 404


@pytest.mark.parametrize(
    ("pem", "fault"),
    [
        (CA.pem + pem_of(CA.key), "private_key"),
        (pem_of(CA.key), "private_key"),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----", "private_key"),
        ("no certificate at all", "no_certificate"),
        (CA.pem.replace("MII", "MIJ"), "unreadable"),
        (f"{CA.pem}\n-----BEGIN X509 CRL-----\nMIIB\n-----END X509 CRL-----", "unreadable"),
        (EXPIRED.pem, "expired"),
        (CA.pem * 21, "too_many"),
    ],
)
async def test_only_certificates_that_hold_are_stored(site: Site, pem: str, fault: str) -> None:
    answer = await a_whole_profile(site, ca_certificates=pem)

    assert refused(answer) == (400, "ca_certificates")
    assert answer.json()["fault"] == fault


async def test_of_a_bundle_the_certificates_alone_are_kept(site: Site) -> None:
    bundle = f"# subject: House CA\n{CA.pem}\nsome words\n{OTHER.pem}"

    view = (await a_whole_profile(site, ca_certificates=bundle)).json()

    assert [one["subject"] for one in view["certificates"]] == ["House CA", "Another CA"]
    assert view["ca_certificates"] == CA.pem + OTHER.pem


@pytest.mark.parametrize(
    ("fields", "field", "fault"),
    [
        ({"proxy_url": "http://169.254.169.254:80"}, "proxy_url", "forbidden"),
        ({"proxy_url": "https://10.0.0.5:3128", "proxy_allow_private": False}, "proxy_url", "private"),
        ({"proxy_url": "http://localhost:3128", "proxy_allow_private": False}, "proxy_url", "private"),
        ({"proxy_url": PROXY, "proxy_allow_private": False}, "proxy_url", "plain_http"),
        ({"proxy_url": "http://u:p@proxy.example"}, "proxy_url", "credentials"),
        ({"proxy_url": "socks5://proxy.example"}, "proxy_url", "scheme"),
        ({"proxy_url": "http://proxy.example/path"}, "proxy_url", "not_an_address"),
        ({"base_url": "https://169.254.169.254/v1"}, "base_url", "forbidden"),
        ({"base_url": "https://10.0.0.5/v1"}, "base_url", "private"),
        ({"base_url": "http://127.0.0.1:9/v1", "allow_private": True}, "proxy_url", None),
        ({"proxy_url": None}, "proxy_url", None),
        ({"proxy_user": None}, "proxy_user", None),
        ({"proxy_user": "a:b"}, "proxy_user", None),
    ],
)
async def test_a_way_that_may_not_be_gone_is_not_stored(
    site: Site, fields: dict[str, object], field: str, fault: str | None
) -> None:
    answer = await a_whole_profile(site, **fields)

    assert answer.status_code in {400, 422}
    assert (answer.json()["field"], answer.json().get("fault")) == (field, fault)


@pytest.mark.parametrize("kind", sorted(MAX_TEMPERATURES))
async def test_a_temperature_goes_as_high_as_its_kind_lets_it(site: Site, kind: ProviderKind) -> None:
    most = MAX_TEMPERATURES[kind]

    taken = await a_profile(site, kind=kind, parameters={"temperature": most})
    above = await a_profile(site, kind=kind, key="other", parameters={"temperature": most + 0.1})

    assert (taken.status_code, taken.json()["max_temperature"]) == (201, most)
    assert (above.status_code in {400, 422}, above.json()["field"]) == (True, "parameters.temperature")


async def test_another_kind_takes_only_what_it_knows(site: Site) -> None:
    await a_profile(site, parameters={"reasoning_effort": "low"}, api_key=None)

    moved = await patch(site, kind="google")
    built_in = (await site.call("mara", f"GET {BASE}")).json()["profiles"][0]

    assert refused(moved) == (400, "parameters.reasoning_effort")
    assert (built_in["supports"], built_in["max_temperature"]) == ([], None)


async def test_what_a_profile_sets_is_sent(site: Site) -> None:
    parameters = {"temperature": 0.2, "top_p": 0.9, "reasoning_effort": "low"}
    async with a_peer(HI) as peer:
        await a_profile(site, base_url=peer.url, parameters=parameters, limits={"max_tokens": 9, "gap_seconds": 5})
        await ask(site.models.for_assistant(an_assistant("house")), a_request())

    assert {name: peer.body[name] for name in parameters} == parameters
    assert peer.body["max_tokens"] == 9
