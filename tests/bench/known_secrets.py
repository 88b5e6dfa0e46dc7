"""What knowing stored secrets again costs against redaction alone: `python -m tests.bench.known_secrets`.

The text is as long as one result may be; a thousand secrets of twenty lengths are known, none of which stands in it.
"""

import hmac
import json
import secrets
import statistics
import time
from collections.abc import Callable
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.guardrails.known_secrets import KnownSecrets, hide_known, lengths_by_beginning
from nova_ui.guardrails.redaction import redact

ROUNDS: Final = 40
_RESULT_CHARS: Final = 12_000


def a_result() -> JsonValue:
    """Return records as a list of groups has them."""
    items: list[JsonValue] = []
    while len(json.dumps(items)) < _RESULT_CHARS:
        number = len(items)
        items.append({
            "id": f"grp_{secrets.token_hex(10)}", "display_name": f"Contractors {number}", "owners": ["Anna Berg"],
            "description": "People who work for us for a while; ask the office (EG 12) before anybody is added.",
            "created_at": "2026-03-02T09:00:00Z", "mail": f"contractors-{number}@example.org", "version": number,
        })  # fmt: skip
    return {"items": items}


def known_secrets(count: int = 1_000) -> KnownSecrets:
    """Return so many of them, with fingerprints as the server makes them."""

    key = secrets.token_bytes(32)
    kept = [secrets.token_urlsafe(40)[: 12 + number % 20] for number in range(count)]
    fingerprints = frozenset(hmac.digest(key, one.encode(), "sha256") for one in kept)
    return KnownSecrets(
        recognises=lambda text: hmac.digest(key, text.encode(errors="surrogatepass"), "sha256") in fingerprints,
        lengths=lengths_by_beginning(kept),
    )


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return how long one round takes, the middle one of several."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def ratio(rounds: int = ROUNDS) -> tuple[float, float, float]:
    """Return seconds of redaction alone, of knowing again alone, and the second by the first."""
    result, known = a_result(), known_secrets()
    alone = seconds(lambda: redact(result), rounds)
    more = seconds(lambda: hide_known(result, known), rounds)
    return alone, more, more / alone


if __name__ == "__main__":
    alone, more, by = ratio()
    print(f"redaction {alone * 1000:.2f} ms, a thousand stored secrets {more * 1000:.2f} ms more: {by:.2f} times")  # noqa: T201
