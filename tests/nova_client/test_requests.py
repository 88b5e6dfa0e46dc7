"""A path value is one plain segment, whatever a model writes there (rule I1)."""

import pytest

from nova_ui.errors import NovaInvalid
from nova_ui.nova_client.client import NovaDoor
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.nova_client.requests import parse_endpoint
from storage.ids import new_id
from tests.builders import a_caller
from tests.fakes.nova_api import FakeNova, always

ATTACKS = [
    "",
    ".",
    "..",
    "../x",
    "../../identities",
    "7/keys",
    "/7",
    "7/",
    "%2e%2e",
    "%2E%2E%2F",
    "%2f",
    "%252f",
    "..\\x",
    "7;x",
    "7?x=1",
    "7#x",
    "http://host/",
    "//host/",
    "host:80",
    "user@host",
    "7\n",
    "7\r\nX-Evil: 1",
    "7\x00",
    "7 ",
    " 7",
    "7\u200b",
    "\uff0e\uff0e",
    "\u2025",
    "\u2215",
    "\ud800",
    "ä",
    "*",
    "%",
    "x" * 101,
]


@pytest.mark.parametrize("value", ATTACKS)
@pytest.mark.parametrize(
    "endpoint", ["DELETE /groups/{group_id}", "GET /administration/assistants/{key}", "GET /groups/{group_id}/members"]
)
async def test_i1_a_path_value_leads_to_no_other_endpoint(endpoint: str, value: str) -> None:
    """Abuse case 40."""
    nova = FakeNova(always(200, {}))
    name = parse_endpoint(endpoint).parameters[0]

    with pytest.raises(NovaInvalid) as refused:
        await NovaDoor(nova).open(a_caller(), INTERFACE).call(endpoint, path={name: value})

    assert refused.value.field == name
    assert nova.reached == []
    assert not value or len(value) < 4 or value not in refused.value.detail


@pytest.mark.parametrize("value", ["7", "grp_1", "GRP_0123456789abcdefghjk", "grp_0123456789abcdefghj", "members"])
async def test_i1_an_id_has_the_form_of_an_id(value: str) -> None:
    nova = FakeNova(always(200, {}))

    with pytest.raises(NovaInvalid):
        await NovaDoor(nova).open(a_caller(), INTERFACE).call("GET /groups/{group_id}", path={"group_id": value})

    assert nova.reached == []


async def test_i1_the_ids_that_nova_makes_pass() -> None:
    nova = FakeNova(always(200, {}))
    group_id = new_id("grp")

    await NovaDoor(nova).open(a_caller(), INTERFACE).call("GET /groups/{group_id}", path={"group_id": group_id})

    assert nova.reached[0].path == f"/groups/{group_id}"


@pytest.mark.parametrize("path", [{}, {"group_id": "grp_0123456789abcdefghjk", "more": "x"}, {"other_id": "x"}])
async def test_the_values_are_exactly_those_of_the_template(path: dict[str, str]) -> None:
    nova = FakeNova(always(200, {}))

    with pytest.raises(ValueError, match="exactly"):
        await NovaDoor(nova).open(a_caller(), INTERFACE).call("GET /groups/{group_id}", path=path)

    assert nova.reached == []


@pytest.mark.parametrize(
    "endpoint",
    ["", "GET", "GET groups", "get /groups", "GET /groups/../x", "GET //host", "GET /groups?x=1", "TRACE /x"],
)
def test_only_a_method_and_a_template_are_an_endpoint(endpoint: str) -> None:
    with pytest.raises(ValueError, match="not an endpoint"):
        parse_endpoint(endpoint)
