"""Pages in the midst of work, each judged by axe-core in light and dark."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.accessibility import assert_accessible, grave_violations
from tests.browser.test_review_desk import ANSWER, QUESTION, SOURCES, submit_blocked


def test_what_axe_finds_is_told(page: Page) -> None:
    page.goto("/login")
    page.evaluate("document.documentElement.removeAttribute('lang')")
    page.evaluate("document.querySelectorAll('label').forEach(found => found.remove())")
    violations = grave_violations(page)
    assert {line.split()[0] for line in violations} >= {"html-has-lang", "label"}


def test_an_item_at_the_workbench(logged_in: Page, submit: Callable[..., str]) -> None:
    submit_blocked(submit)
    page = logged_in
    page.goto("/admin/analysis/review/workbench/")
    expect(page.locator("#decide")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert_accessible(page)


def test_the_confidence_view(
    page: Page, submit: Callable[..., str], link_to: Callable[..., str]
) -> None:
    page.goto(link_to(submit(query=QUESTION, answer=ANSWER, sources=SOURCES)))
    assert_accessible(page)
    page.locator("[data-answer] a.wd-contradictory").first.click()
    expect(page.locator("#claim")).to_be_focused()
    assert_accessible(page)
