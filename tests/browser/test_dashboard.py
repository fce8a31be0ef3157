"""The dashboard in a real browser: filter by keyboard, and from a figure to what it counts."""

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from analysis.models import CheckEmbedding
from analysis.services.trends import count_waiting
from desk.dashboard.services.topics import make_topics
from tests.browser.accessibility import assert_accessible
from tests.browser.conftest import for_pictures

PATIENCE = 30_000
AXIS = [1.0] + [0.0] * 383
MILL = "The mill stands in Lyon. It was built in 1840 of grey stone."
BREAD = "Bread is made of flour and water."


def drawn(page: Page) -> None:
    page.locator("html[data-charts]").wait_for(timeout=PATIENCE)


def test_a_lead_filters_by_keyboard_and_follows_a_figure(logged_in, submit) -> None:
    for n in range(3):
        submit(answer="The mill stands in Lyon.", sources=[MILL], source_model="model-a")
        submit(
            query="How do I reset my password?", answer=f"Press the button {n} times.",
            sources=[BREAD], source_model="model-b",
        )  # fmt: skip
    count_waiting(wait=True)
    # Vectors of our own, so that no model is needed: the three questions are one and the same.
    CheckEmbedding.objects.update(model="m", query=AXIS, answer=AXIS, reason="")
    make_topics()
    page = logged_in
    page.get_by_role("link", name="Insights", exact=True).click()
    drawn(page)
    checks = page.locator(".wd-tile").first
    expect(checks.locator("a")).to_contain_text("6")
    assert page.locator(".wd-chart canvas").count() == 3
    assert_accessible(page)

    # The filter bar by keyboard alone; its state is the address.
    page.locator("#bar_application").focus()
    for _ in range(20):
        if page.evaluate("document.activeElement.id") == "bar_only":
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "bar_only"
    page.keyboard.type("model-b")
    page.keyboard.press("Tab")
    with page.expect_navigation(timeout=PATIENCE):
        page.keyboard.press("Enter")
    assert "only=source_model%3Amodel-b" in page.url
    drawn(page)
    expect(checks.locator("a")).to_contain_text("3")
    expect(page.locator("#bar_only")).to_have_value("source_model:model-b")

    # The table behind a chart, and from a figure to the checks it counts.
    behind = page.locator("details.wd-behind", has_text="Table: risk scores").first
    behind.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(behind.locator("table")).to_be_visible()
    checks.locator("a").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(3, timeout=PATIENCE)
    expect(page.get_by_role("heading", name="Source model: model-b")).to_be_visible()

    page.go_back()
    page.locator(".wd-tabs").get_by_role("link", name="Reviews").click()
    drawn(page)
    assert_accessible(page)
    page.locator(".wd-tabs").get_by_role("link", name="Uncovered topics").click()
    drawn(page)
    page.locator("details.wd-behind summary").click()
    row = page.get_by_role("row", name="password").first
    expect(row).to_be_visible(timeout=PATIENCE)
    assert_accessible(page)
    row.get_by_role("link", name="3", exact=True).first.click()
    expect(page.locator("#result_list tbody tr")).to_have_count(3, timeout=PATIENCE)


def test_on_paper_and_on_a_phone(logged_in, submit) -> None:
    submit(answer="The mill stands in Lyon.", sources=[MILL])
    count_waiting(wait=True)
    page = logged_in
    page.emulate_media(color_scheme="dark")
    page.goto("/admin/dashboard/")
    drawn(page)
    colour = "Chart.getChart(document.querySelector('canvas')).options.color"
    assert page.evaluate(colour) == "rgb(230, 230, 230)"
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(colour) in ("#333", "rgb(51, 51, 51)")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(colour) == "rgb(230, 230, 230)"
    page.set_viewport_size({"width": 390, "height": 844})
    # The charts follow the new width a frame or more later.
    page.wait_for_function("document.documentElement.scrollWidth <= window.innerWidth")


@for_pictures
@pytest.mark.timeout(1_800)
def test_pictures_of_two_months(logged_in, picture) -> None:
    """Picture made-up checks of two months, so that every chart has something to show."""
    call_command("seed_desk", checks=6_000, days=60, templates=20)
    make_topics()
    page = logged_in
    page.set_default_timeout(PATIENCE)
    for name, height in (("", 1240), ("reviews", 1000), ("topics", 1000)):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.goto(f"/admin/dashboard/{name and name + '/'}")
            drawn(page)
            page.wait_for_timeout(1_000)  # the charts grow from nothing
            parts = ["dashboard", *([name] if name else []), *(["dark"] * (scheme == "dark"))]
            if parts != ["dashboard", "topics", "dark"]:
                picture(page, f"{'-'.join(parts)}.png", height)
