"""Marks: on every operation, true to what is logged, and a start-up check that refuses others."""

import pytest

from nova_ui.api.marks import check_marks, marks
from nova_ui.errors import ConfigurationError
from tests.api.site import Site
from tests.api.test_impacts import CASES, body_of, prepare


def a_document(method: str = "get", **changed: object) -> dict[str, object]:
    operation = {**marks("read", "A"), **changed}
    return {"paths": {"/things": {method: {name: value for name, value in operation.items() if value is not None}}}}


def test_a_marked_operation_passes() -> None:
    check_marks(a_document())  # type: ignore[arg-type] # JSON of a test


@pytest.mark.parametrize(
    ("method", "changed"),
    [
        ("get", {"x-nova-kind": None}),
        ("get", {"x-nova-who": None}),
        ("get", {"x-nova-interface-only": None}),
        ("get", {"x-nova-audit": None}),
        ("get", {"x-nova-self-service": None}),
        ("get", {"x-nova-kind": "harmless"}),
        ("delete", {}),
        ("delete", {"x-nova-kind": "write"}),
    ],
)
def test_c1_an_operation_without_its_marks_stops_the_start(method: str, changed: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match=f"{method.upper()} /things"):
        check_marks(a_document(method, **changed))  # type: ignore[arg-type] # JSON of a test


async def test_operation_ids_are_there_once(site: Site) -> None:
    paths = site.api.openapi()["paths"]
    ids = [operation["operationId"] for methods in paths.values() for operation in methods.values()]

    assert len(ids) == len(set(ids))


async def test_secrets_are_marked_in_the_document(site: Site) -> None:
    schemas = site.api.openapi()["components"]["schemas"]

    held = {"OidcConnection": "client_secret", "ScimConnection": "bearer_token", "LdapConnection": "bind_password"}
    written = {"OidcSettings": "client_secret", "ScimSettings": "bearer_token", "LdapSettings": "bind_password"}
    for name, field in {**held, **written, "SecretRotation": "secret"}.items():
        assert schemas[name]["properties"][field]["x-nova-secret"] is True
    for name, field in {**written, "SecretRotation": "secret"}.items():
        marked = schemas[name]["properties"][field]
        assert (marked["writeOnly"], marked["format"]) == (True, "password")
        assert not {"example", "examples", "default"} & marked.keys()


@pytest.mark.parametrize("action", [action for _, action in CASES])
async def test_f3_a_destructive_operation_logs_only_what_its_mark_names(site: Site, action: str) -> None:
    ids = await prepare(site)
    before = len(await site.entries())

    answer = await site.call("mara", action.format(**ids), body=body_of(action, ids))

    assert answer.status_code == 200
    logged = {entry.action for entry in (await site.entries())[before:]}
    assert logged
    assert logged <= set(marked(site, action))


def marked(site: Site, action: str) -> list[str]:
    method, _, path = action.partition(" ")
    parts = path.split("/")
    for template, methods in site.api.openapi()["paths"].items():
        wanted = template.split("/")
        fits = len(wanted) == len(parts) and all(
            ours == theirs or (ours.startswith("{") and (theirs.startswith("{") or theirs == "spare"))
            for ours, theirs in zip(wanted, parts, strict=True)
        )
        if fits and method.lower() in methods:
            audit: list[str] = methods[method.lower()]["x-nova-audit"]
            return audit
    raise AssertionError(action)
