"""What the main pages cost a browser with an empty cache: bytes, layout shift, first paint.

Bytes and shift are held; the time is only told (`-s`), since it is the machine's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from analysis.services.trends import count_waiting
from tests.browser.test_review_desk import submit_blocked

MOST_BYTES = 350_000
"""Uncompressed, as the test's server sends them; WhiteNoise compresses them in production."""
MOST_SHIFT = 0.1
"""What Chromium calls good."""
_FIGURES = """() => new Promise((resolve) => {
  let shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
  }).observe({type: "layout-shift", buffered: true});
  setTimeout(() => {
    const all = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    const bytes = all.reduce((sum, one) => sum + one.transferSize, 0);
    resolve({bytes, requests: all.length, shift, paint: paint ? paint.startTime : 0});
  }, 1500);
})"""
_HEAD = ("| page | first paint | layout shift | bytes | requests |", "|---|---:|---:|---:|---:|")


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one page: bytes over the wire, requests, layout shift, first paint in milliseconds."""

    name: str
    bytes: int
    requests: int
    shift: float
    paint: float

    def row(self) -> str:
        """As a line of the table in docs/pages.md."""
        figures = f"{self.paint:.0f} ms | {self.shift:.3f} | {self.bytes / 1000:.0f} KB"
        return f"| {self.name} | {figures} | {self.requests} |"


def measure(chromium: Browser, logged_in: Page, name: str, path: str) -> Figures:
    """Open a page in a profile that has the log-in and nothing else."""
    address = logged_in.url.split("/admin")[0] + path
    context = chromium.new_context(
        storage_state=logged_in.context.storage_state(), viewport={"width": 1360, "height": 900}
    )
    page = context.new_page()
    page.goto(address)
    found: dict[str, Any] = page.evaluate(_FIGURES)
    context.close()
    return Figures(name, **found)


@pytest.mark.timeout(300)
def test_the_main_pages_are_light_and_do_not_shift(
    chromium: Browser, logged_in: Page, submit: Callable[..., str]
) -> None:
    check = submit_blocked(submit)
    count_waiting()
    logged_in.goto("/admin/analysis/review/workbench/?queues=1")
    logged_in.get_by_role("button", name="Review the next item").click()
    logged_in.locator("#decide").wait_for()
    item = logged_in.url.split("/admin")[1]
    pages = {
        "Home": "/",
        "Check": f"/admin/analysis/check/{check}/change/",
        "Workbench": f"/admin{item}",
        "Dashboard": "/admin/dashboard/",
    }
    found = [measure(chromium, logged_in, name, path) for name, path in pages.items()]
    print("", *_HEAD, *(one.row() for one in found), sep="\n")
    assert [one.name for one in found if not 0 < one.bytes < MOST_BYTES] == []
    assert [one.name for one in found if one.shift > MOST_SHIFT] == []
