"""The desk's pages, each judged by axe-core in light and dark."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Application
from analysis.services.policies import active_policy
from audit.models import TrailEntry
from tests.browser.accessibility import assert_accessible, grave_violations
from tests.browser.test_review_desk import ANSWER, QUESTION, SOURCES, submit_blocked


def test_what_axe_finds_is_told(page: Page) -> None:
    page.goto("/admin/login/")
    page.evaluate("document.documentElement.removeAttribute('lang')")
    page.evaluate("document.querySelectorAll('label').forEach(found => found.remove())")
    found = grave_violations(page)
    assert {line.split()[0] for line in found} >= {"html-has-lang", "label"}


@pytest.mark.timeout(420)  # a dozen pages, each looked over twice, on whatever machine this is
def test_the_pages_of_the_desk(logged_in: Page, submit: Callable[..., str]) -> None:
    check = submit_blocked(submit)
    policy = active_policy(Application.objects.get(slug="help-desk").pk)
    version = f"/admin/analysis/policy/{policy.pk}"
    page = logged_in
    for url in (
        "/admin/",
        "/admin/analysis/check/",
        f"/admin/analysis/check/{check}/change/",
        "/admin/analysis/review/",
        "/admin/analysis/review/agreement/",
        f"{version}/change/",
        f"{version}/new/",
        f"{version}/replay/?sample=10",
        f"{version}/replay/?sample=20000",
        "/admin/analysis/job/",
        "/admin/audit/trailentry/",
        f"/admin/audit/trailentry/{TrailEntry.objects.latest('pk').pk}/change/",
        f"{version}/trial/",
        "/admin/analysis/review/workbench/",
    ):
        page.goto(url)
        assert_accessible(page)


def test_an_item_at_the_workbench(logged_in: Page, submit: Callable[..., str]) -> None:
    submit_blocked(submit)
    page = logged_in
    page.goto("/admin/analysis/review/workbench/")
    page.keyboard.press("n")
    expect(page.locator("#decide [data-codes]")).to_be_hidden()
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
