"""Measures what a page costs a browser with an empty cache: bytes, layout shift, first paint.

Needs Chromium and Playwright, which only developers have.
"""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
FIGURES = """() => new Promise((resolve) => {
  let shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
  }).observe({type: "layout-shift", buffered: true});
  setTimeout(() => {
    const all = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    const bytes = all.reduce((sum, one) => sum + one.transferSize, 0);
    const server = all[0].responseStart - all[0].requestStart;
    resolve({
      bytes, requests: all.length, shift, paint: paint ? paint.startTime : 0, server,
    });
  }, 1500);
})"""
HEADINGS = ("page", "first paint", "of it the server", "layout shift", "bytes", "requests")


@dataclass(frozen=True, slots=True)
class PaintFigures:
    """One page: bytes over the wire, requests, layout shift; first paint and server in ms."""

    name: str
    bytes: int
    requests: int
    shift: float
    paint: float
    server: float

    @property
    def cells(self) -> tuple[str, ...]:
        times = (f"{self.paint:.0f} ms", f"{self.server:.0f} ms")
        size = f"{self.bytes / 1000:.0f} KB"
        return (self.name, *times, f"{self.shift:.3f}", size, str(self.requests))


def measure(chromium: Browser, name: str, address: str, state: Any) -> PaintFigures:
    """Open a page in a profile that has the log-in (`state`) and nothing else."""
    context = chromium.new_context(storage_state=state, viewport={"width": 1360, "height": 900})
    page = context.new_page()
    page.goto(address)
    figures: dict[str, Any] = page.evaluate(FIGURES)
    context.close()
    return PaintFigures(name, **figures)


def median_figures(url: str, user: User, paths: dict[str, str], times: int) -> list[PaintFigures]:
    """Return for each page the figures of its median paint, after one round that is not counted."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        cookie_fields = {"name": settings.SESSION_COOKIE_NAME, "value": cookie, "path": "/"}
        more = {"domain": "127.0.0.1", "expires": -1, "httpOnly": True, "secure": False}
        state = {"cookies": [cookie_fields | more | {"sameSite": "Lax"}], "origins": []}
        rounds = [
            [measure(browser, name, url + path, state) for name, path in paths.items()]
            for _ in range(times + 1)
        ][1:]
        browser.close()
    return [
        sorted(runs, key=lambda run: run.paint)[times // 2] for runs in zip(*rounds, strict=True)
    ]
