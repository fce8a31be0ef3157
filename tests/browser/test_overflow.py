"""No page is wider than its window: in five widths, empty and with long words."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_review_desk import submit_blocked

WIDTHS = (360, 768, 1024, 1440, 1920)
LONG = "Donaudampfschifffahrtsgesellschaft" * 12
LISTS = (
    "/", "/playground/", "/admin/", "/admin/analysis/check/", "/admin/analysis/review/",
    "/admin/analysis/review/workbench/", "/admin/analysis/policy/", "/admin/dashboard/",
    "/admin/dashboard/reviews/", "/admin/dashboard/drift/", "/admin/documents/document/",
    "/admin/usage/", "/admin/probes/",
    "/admin/analysis/probe/", "/admin/evidence/", "/admin/analysis/review/oversight/",
    "/admin/analysis/review/sampling/", "/admin/analysis/case/", "/admin/analysis/case/add/",
    "/account/password", "/account/second-factor", "/assistant/", "/memory/",
)  # fmt: skip

OVERLAPS = """() => [...document.querySelectorAll(".wd-tile")].flatMap((tile) => {
  const boxes = [...tile.querySelectorAll("span:not(:has(*)):not(.visually-hidden)")]
    .map((part) => part.getBoundingClientRect()).sort((a, b) => a.top - b.top);
  return boxes.slice(1).filter((box, at) => box.top < boxes[at].bottom - 1)
    .map(() => tile.innerText);
})"""
"""The words of a figure that lie on each other."""
CUT_OFF = """() => [...document.querySelectorAll("table.wd-table--cards")]
  .filter((table) => table.scrollWidth > table.parentElement.clientWidth)
  .map((table) => table.innerText)"""
"""Queues that are wider than their place."""
TABLES_CUT_OFF = """() => [...document.querySelectorAll(".wd-scroll")]
  .filter((place) => place.scrollWidth > place.clientWidth)
  .map((place) => place.innerText)"""
"""Tables of which the reader sees a part only."""


def bad_layouts(page: Page, path: str) -> list[str]:
    """Return each width in which the page scrolls sideways or parts of it do not fit."""
    page.goto(path)
    faults = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        excess = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        where = f"{path} {width}"
        faults += [f"{where}: {excess} px too wide"] if excess > 0 else []
        faults += [f"{where}: overlaps in {text}" for text in page.evaluate(OVERLAPS)]
        faults += [f"{where}: cut off: {text}" for text in page.evaluate(CUT_OFF)]
    return faults


@pytest.mark.timeout(420)  # every page in five sizes, on whatever machine this is
def test_no_page_scrolls_sideways_and_no_words_or_queues_are_cut_off(logged_in, submit) -> None:
    faults = [line for path in LISTS for line in bad_layouts(logged_in, path)]
    submit_blocked(submit)
    check = submit(
        query=LONG,
        answer=f"The {LONG} closed in 2026. It is fine.",
        sources=[{"id": "long", "title": LONG, "text": f"{LONG} closed in 2019."}],
        metadata={LONG[:200]: LONG},
    )
    full = (*LISTS, f"/admin/analysis/check/{check}/change/", f"/playground/{check}/")
    faults += [line for path in full for line in bad_layouts(logged_in, path)]
    assert faults == []
    logged_in.goto("/")
    assert logged_in.locator("table.wd-table--cards").count() == 1
    assert logged_in.locator(".wd-tile").count() > 1


def test_a_phone_keeps_the_decision_in_view_and_names_no_keys(logged_in, submit) -> None:
    submit_blocked(submit)
    page = logged_in
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/admin/analysis/review/workbench/")
    button = page.get_by_role("button", name="Confirm")
    button.wait_for()
    expect(page.locator("kbd:visible")).to_have_count(0)
    for share in (0, 0.5, 1):
        page.evaluate("share => scrollTo(0, document.body.scrollHeight * share)", share)
        box = button.bounding_box()
        assert 0 <= box["y"] <= 800 - box["height"]
