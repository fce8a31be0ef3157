"""No page is wider than its window: five widths, both colour schemes, empty and with long words."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.test_review_desk import submit_blocked

WIDTHS = (360, 768, 1024, 1440, 1920)
LONG = "Donaudampfschifffahrtsgesellschaft" * 12
LISTS = (
    "/",
    "/playground/",
    "/admin/",
    "/admin/analysis/check/",
    "/admin/analysis/review/",
    "/admin/analysis/review/workbench/?queues=1",
    "/admin/analysis/policy/",
    "/admin/dashboard/",
    "/admin/documents/document/",
    "/admin/usage/",
    "/account/password",
    "/account/second-factor",
    "/assistant/",
    "/memory/",
)


def too_wide(page: Page, path: str) -> list[str]:
    """Each width and scheme in which the page scrolls sideways, and by how much."""
    page.goto(path)
    overflows = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            excess = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            if excess > 0:
                overflows.append(f"{path} {scheme} {width}: {excess} px too wide")
    return overflows


@pytest.mark.timeout(420)  # every page in ten sizes, on whatever machine this is
def test_no_page_scrolls_sideways(logged_in: Page, submit: Callable[..., str]) -> None:
    overflows = [line for path in LISTS for line in too_wide(logged_in, path)]
    submit_blocked(submit)
    check = submit(
        query=LONG,
        answer=f"The {LONG} closed in 2026. It is fine.",
        sources=[{"id": "long", "title": LONG, "text": f"{LONG} closed in 2019."}],
        metadata={LONG[:200]: LONG},
    )
    full = (*LISTS, f"/admin/analysis/check/{check}/change/", f"/playground/{check}/")
    overflows += [line for path in full for line in too_wide(logged_in, path)]
    assert overflows == []


def test_the_decision_stays_in_view_on_a_phone(logged_in: Page, submit: Callable[..., str]) -> None:
    submit_blocked(submit)
    page = logged_in
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/admin/analysis/review/workbench/?queues=1")
    page.get_by_role("button", name="Review the next item").click()
    button = page.get_by_role("button", name="Decide, next item")
    button.wait_for()
    for share in (0, 0.5, 1):
        page.evaluate("share => scrollTo(0, document.body.scrollHeight * share)", share)
        box = button.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= 800 - box["height"]


OVERLAPS = """() => [...document.querySelectorAll(".wd-tile")].flatMap((tile) => {
  const boxes = [...tile.querySelectorAll("span:not(:has(*)):not(.visually-hidden)")]
    .map((part) => part.getBoundingClientRect()).sort((a, b) => a.top - b.top);
  return boxes.slice(1).filter((box, at) => box.top < boxes[at].bottom - 1)
    .map(() => tile.innerText);
})"""


def test_the_words_of_a_figure_do_not_lie_on_each_other(
    logged_in: Page, submit: Callable[..., str]
) -> None:
    submit_blocked(submit)
    for path in ("/", "/admin/dashboard/", "/admin/dashboard/reviews/"):
        logged_in.goto(path)
        for width in WIDTHS:
            logged_in.set_viewport_size({"width": width, "height": 900})
            assert logged_in.evaluate(OVERLAPS) == [], f"{path} at {width}"


def test_the_queues_are_not_cut_off(logged_in: Page, submit: Callable[..., str]) -> None:
    submit_blocked(submit)
    for path in ("/", "/admin/analysis/review/workbench/?queues=1"):
        logged_in.goto(path)
        for width in WIDTHS:
            logged_in.set_viewport_size({"width": width, "height": 900})
            excess = logged_in.locator("table.wd-table--cards").evaluate(
                "table => table.scrollWidth - table.parentElement.clientWidth"
            )
            assert excess <= 0, f"{path} at {width}"
