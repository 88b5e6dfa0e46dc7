"""What the idle server and one more open page weigh: `python -m tests.bench.memory`."""

import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from tests.bench.table import show
from tests.conftest import CHROMIUM
from tests.fakes.running_server import DEMO_PASSWORD, RunningServer
from tests.journeys.test_browser import FLAGS

PAGES: Final = 20
_SETTLE_S: Final = 3.0


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    found = re.search(r"^VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024


def measure() -> list[tuple[str, str]]:
    """Start a server, open pages one after the other, and read its memory."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = RunningServer(Path(folder) / "data")
        first_start_s = server.start()
        server.stop()
        start_s = server.start()
        time.sleep(_SETTLE_S)
        idle = resident_mb(server.pid)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        context = browser.new_context(base_url=server.url)
        first = context.new_page()
        first.goto("/")
        first.locator("input[name=login]").fill("mara.koenig")
        first.locator("input[name=password]").fill(DEMO_PASSWORD)
        first.locator("button[type=submit]").click()
        first.wait_for_function("window.did_handshake === true")
        time.sleep(_SETTLE_S)
        one_page = resident_mb(server.pid)
        for _ in range(PAGES):
            page = context.new_page()
            page.goto("/")
            page.wait_for_function("window.did_handshake === true")
        time.sleep(_SETTLE_S)
        many = resident_mb(server.pid)
        browser.close()
        server.stop()
    return [
        ("first start, with loading the sample organisation, until ready, s", f"{first_start_s:.2f}"),
        ("later start until ready, s", f"{start_s:.2f}"),
        ("idle server, MB", f"{idle:.1f}"),
        ("with the first page, MB", f"{one_page:.1f}"),
        (f"one more open page (mean of {PAGES}), KB", f"{(many - one_page) * 1024 / PAGES:.0f}"),
    ]


if __name__ == "__main__":
    show("Memory", measure(), sys.stdout)
