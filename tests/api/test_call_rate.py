"""How often one person may have Nova call others."""

from datetime import timedelta

from nova_ui.nova.call_rate import CALLS_PER_MINUTE
from tests.api.site import Site
from tests.api.test_connection_tests import connected


async def test_twenty_tests_in_a_minute_are_enough_for_one_person_and_connections_and_models_count_together(
    site: Site,
) -> None:
    key = await connected(site, "oidc", {"issuer": "http://localhost:1/realm"})
    first = [await site.call("mara", f"POST /applications/{key}/test") for _ in range(CALLS_PER_MINUTE - 1)]
    site.clock.moment += timedelta(seconds=15)
    tried = await site.call("mara", "POST /administration/ai-configuration/profiles/built-in/test", body={})

    again = await site.call("mara", f"POST /applications/{key}/test")
    model = await site.call("mara", "POST /administration/ai-configuration/profiles/built-in/test", body={})
    site.clock.moment += timedelta(seconds=45)
    later = await site.call("mara", f"POST /applications/{key}/test")

    assert {one.status_code for one in (*first, tried, later)} == {200}
    assert [(one.status_code, one.json()["code"]) for one in (again, model)] == [(429, "too_many_attempts")] * 2
    assert again.headers["retry-after"] == "45"


async def test_nobody_pays_for_the_tests_of_others(site: Site) -> None:
    await site.person("root", nova_roles=["administrator"])
    key = await connected(site, "oidc", {"issuer": "http://localhost:1/realm"})
    for _ in range(CALLS_PER_MINUTE):
        await site.call("mara", f"POST /applications/{key}/test")

    assert (await site.call("root", f"POST /applications/{key}/test")).status_code == 200
