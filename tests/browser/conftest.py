"""A real Chromium on the real stack. Nothing is stubbed and the policy is never bypassed."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from accounts.services import create_api_key, create_application

# Playwright's sync API runs an event loop in this thread; Django would refuse the test's own
# queries in it. Here alone, since nothing else of the product runs in this process.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE_MS = 30_000
"""The time a page may take to reach an expected state, generous for slow machines."""
_COLOURS = 128
PASSWORD = "correct horse battery staple"
for_pictures = pytest.mark.skipif(
    "WATCHDOG_PICTURES" not in os.environ, reason="for pictures of the documentation alone"
)
IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Yield one browser for these tests.

    Its event loop must end with them, others run their own.
    """
    if not Path(CHROMIUM).exists():
        pytest.fail(f"{CHROMIUM} is missing: apt-get install chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def token(transactional_db) -> str:
    """Return a key of the application whose answers the tests look at."""
    application = create_application(name="Help desk", slug="help-desk", by="test")
    return create_api_key(application=application, name="browser", by="test")[1]


@pytest.fixture
def link_to(stack, token) -> Callable[..., str]:
    """Return a function that asks the API for a link to the verdict page of a check."""

    def ask(check: str, **body: object) -> str:
        with stack.client(token) as client:
            answer = client.post(f"/api/v1/checks/{check}/link", json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["url"])

    return ask


@pytest.fixture
def submit(stack, token) -> Callable[..., str]:
    """Return a function that submits an answer, awaits the verdict and returns the check's id."""

    def send(**body: object) -> str:
        with stack.client(token) as client:
            answer = client.post("/api/v1/checks", json=body)
        assert answer.status_code == 200, f"{answer.text}\n{stack.logs()}"
        return str(answer.json()["id"])

    return send


@pytest.fixture
def page(chromium, stack) -> Iterator[Page]:
    """Yield a page of a fresh browser profile; after the test, no error may have occurred in it."""
    context = chromium.new_context(base_url=stack.url, viewport={"width": 1360, "height": 900})
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(f"script error: {error}"))
    page.on(
        "dialog", lambda dialog: (troubles.append(f"dialog: {dialog.message}"), dialog.dismiss())
    )
    page.on(
        "requestfailed",
        # What a page has asked for when the reader goes on to the next is given up, not wrong.
        lambda request: (
            None
            if request.failure == "net::ERR_ABORTED"
            else troubles.append(f"failed: {request.url}: {request.failure}")
        ),
    )
    page.on(
        "console",
        # Also how Chromium reports what the Content-Security-Policy has stopped.
        lambda message: (
            troubles.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    yield page
    context.close()
    assert troubles == [], stack.logs()


@pytest.fixture
def logged_in(page, transactional_db) -> Page:
    """Log a superuser in through the form."""
    User.objects.create_superuser("root", password=PASSWORD)
    page.goto("/admin/")
    page.get_by_label("Name").fill("root")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="All records").wait_for()
    return page


@pytest.fixture
def picture() -> Callable[..., None]:
    """Return a function that saves a picture for the documentation if WATCHDOG_PICTURES is set."""

    def save(page: Page, name: str, height: int = 900) -> None:
        if os.environ.get("WATCHDOG_PICTURES"):
            was = page.viewport_size or {"width": 1360, "height": 900}
            page.set_viewport_size({"width": was["width"], "height": height})
            page.mouse.move(0, 0)  # nothing is hovered over
            page.screenshot(path=IMAGES / name, animations="disabled")
            # A picture of a page has few colours: a palette makes it a third of the size.
            with Image.open(IMAGES / name) as image:
                image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE).save(
                    IMAGES / name, optimize=True
                )
            page.set_viewport_size(was)

    return save
