"""Bad input: always a problem object, never an echo, never a stack trace, nothing half done."""

import pytest

from nova_ui.errors import NovaConflict
from tests.api.site import Site

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"{", 400),
        (b'{"display_name": "a"} x', 400),
        (b'{"display_name": "a", "display_name": "b"}', 400),
        (b'{"display_name": NaN}', 400),
        (b'{"display_name": 1e400}', 400),
        (b'{"display_name": "a\\u0000b"}', 400),
        (b'{"display_name": "\\ud800"}', 400),
        (b"\xff\xfe", 400),
        (b"[" * 100_000, 400),
        (b'{"a":' * 40 + b"1" + b"}" * 40, 400),
        (b"9" * 5000, 400),
        (b"[]", 422),
        (b'"text"', 422),
        (b"null", 422),
        (b"{}", 422),
        (b'{"display_name": 7}', 422),
        (b'{"display_name": "a", "owner_ids": "idn_1"}', 422),
        (b'{"display_name": "a", "secret-\\u202e": 1}', 422),
    ],
)
async def test_a_body_that_is_not_right(site: Site, content: bytes, status: int) -> None:
    token = {"Authorization": f"Bearer {site.people['mara'].token}"}

    answer = await site.outside("POST /groups", content=content, headers={**JSON, **token})

    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "validation_failed"
    assert await site.entries() == []


async def test_how_large_a_body_may_be_is_not_decided_here(site: Site) -> None:
    token = {"Authorization": f"Bearer {site.people['mara'].token}"}
    spacious = b'{"display_name": "Large"' + b" " * 1_100_000 + b"}"

    answer = await site.outside("POST /groups", content=spacious, headers={**JSON, **token})

    assert answer.status_code == 201


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_a_body_that_is_not_json_is_not_read(site: Site, content_type: str) -> None:
    headers = {"Authorization": f"Bearer {site.people['mara'].token}", "Content-Type": content_type}

    answer = await site.outside("POST /groups", content=b'{"display_name": "a"}', headers=headers)

    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    ("endpoint", "field"),
    [
        ("GET /identities?colour=red", "colour"),
        ("GET /me?colour=red", "colour"),
        ("GET /identities?status=gone", "status"),
        ("GET /identities?department=", "department"),
        ("GET /identities?limit=201", "limit"),
        ("GET /identities?limit=0", "limit"),
        ("GET /identities?limit=ten", "limit"),
        ("GET /identities?sort=password_hash", "sort"),
        ("GET /identities?status=active&status=disabled", "status"),
        ("GET /identities?q=%00", "q"),
        ("GET /identities?cursor=x%F0", "cursor"),
        ("GET /identities?manager_id=grp_00000000000000000000", "manager_id"),
        ("GET /directory", "q"),
        ("GET /directory?q=a", "q"),
        ("GET /identities/grp_00000000000000000000", "identity_id"),
        ("GET /groups/..%2fidentities", "group_id"),
        ("GET /audit-log?after=2026-13-01", "after"),
        ("GET /audit-log?after=2026-03-01T10:00:00", "after"),
        ("GET /audit-log?after=-1817", "after"),
        ("GET /audit-log?before=1772442000", "before"),
        ("GET /groups/grp_00000000000000000000/impact", "action"),
        ("DELETE /groups/grp_00000000000000000000?force=true", "force"),
    ],
)
async def test_a_query_or_path_that_is_not_right_names_the_field(site: Site, endpoint: str, field: str) -> None:
    answer = await site.call("mara", endpoint)

    if answer.status_code == 404:
        assert "%2f" in endpoint
        return
    assert (answer.status_code, answer.json()["field"]) == (400, field)


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"])
async def test_a_moment_that_is_none_in_utc_is_refused(site: Site, moment: str) -> None:
    grant = {"identity_id": site.people["sam"].id, "role_id": "rol_00000000000000000000"}

    for name in ("after", "before"):
        listed = await site.call("mara", "GET /audit-log", query={name: moment})
        counted = await site.call("mara", "GET /audit-log/summary", query={name: moment, "group_by": "day"})
        assert (listed.status_code, listed.json()["code"], listed.json()["field"]) == (400, "validation_failed", name)
        assert (counted.status_code, counted.json()["field"]) == (400, name)
    granted = await site.call("mara", "POST /assignments", body={**grant, "valid_until": moment})
    assert (granted.status_code, granted.json()["field"]) == (422, "valid_until")


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])
async def test_the_ends_of_the_calendar_are_moments(site: Site, moment: str) -> None:
    answer = await site.call("mara", "GET /audit-log", query={"after": moment, "before": moment})

    assert (answer.status_code, answer.json()["items"]) == (200, [])


async def test_a_mixed_up_id_is_told_apart(site: Site) -> None:
    answer = await site.call("mara", "GET /identities/grp_00000000000000000000")

    assert "id of an identity (idn_…)" in answer.json()["detail"]
    assert "id of a group" in answer.json()["detail"]


async def test_no_value_is_echoed(site: Site) -> None:
    """Abuse case 48."""
    body = {
        "user_name": "x",
        "display_name": 5,
        "emails": [{"value": "hunter2-secret"}],
        "department": ["hunter2-secret"],
    }

    answer = await site.call("mara", "POST /identities", body=body)

    assert answer.status_code == 422
    assert "hunter2" not in answer.text


async def test_a_body_that_nobody_reads_is_refused(site: Site) -> None:
    answer = await site.call("mara", f"POST /identities/{site.people['sam'].id}/unlock", body={"force": True})

    assert (answer.status_code, answer.json()["field"]) == (400, "body")


async def test_unknown_routes_and_methods_are_problems(site: Site) -> None:
    missing, method = await site.call("mara", "GET /nothing"), await site.call("mara", "PUT /groups", body={})

    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    assert (method.status_code, method.json()["code"]) == (405, "method_not_allowed")


async def test_an_unexpected_failure_tells_a_reference_and_nothing_else(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Abuse case 48."""
    secret = f"hunter{2}-secret"  # not in one piece, since lines of the source may be logged

    async def fail(*_: object) -> None:
        raise RuntimeError(secret)

    monkeypatch.setattr(site.nova.profile, "get", fail)

    answer = await site.call("mara", "GET /me")

    assert answer.status_code == 500
    assert answer.json()["reference"] in caplog.text
    assert secret not in answer.text + caplog.text


async def test_an_error_in_the_middle_leaves_nothing_half_done(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise NovaConflict("meanwhile")

    monkeypatch.setattr("nova_ui.nova.follow_ups.belongings.delete_chats", fail)
    monkeypatch.setattr("nova_ui.nova.identity_endings.belongings.delete_rows_of", fail)

    answer = await site.call("mara", f"DELETE /identities/{site.people['sam'].id}")

    assert answer.status_code == 409
    assert site.ended == []
    assert (await site.call("sam", "GET /me")).status_code == 200
    assert [entry.outcome for entry in await site.entries()] == ["refused"]


async def test_the_docs_load_nothing_from_elsewhere(site: Site) -> None:
    answer = await site.outside("GET /docs")

    assert answer.status_code == 200
    assert "DELETE /groups/{group_id}" in answer.text
    assert "<script" not in answer.text
    assert "http://" not in answer.text
    assert "https://" not in answer.text
