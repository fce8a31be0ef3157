"""An auditor's task: the history of a decision, its record, and both verified in the browser."""

import pytest
from playwright.sync_api import expect

from accounts.models import Role
from audit.seals import seal_trail
from tests.browser.accessibility import assert_accessible
from tests.browser.test_review_desk import submit_blocked
from tests.browser.test_workbench import log_in, member

pytestmark = pytest.mark.timeout(420)  # each page is looked over twice, on whatever machine


def test_an_auditor_verifies_a_decision_and_its_trail(page, submit) -> None:
    check = submit_blocked(submit)
    member("arun", Role.AUDITOR)
    seal_trail()
    log_in(page, "arun")
    page.goto(f"/admin/analysis/check/{check}/change/")
    history = page.locator("#history")
    expect(history.get_by_text("as sealed").first).to_be_visible()
    assert_accessible(page)
    with page.expect_download() as download:
        history.get_by_role("link", name="PDF").click()

    history.get_by_role("button", name="Verify this decision").click()
    expect(page.get_by_text("The decision is stored as it was made and sealed.")).to_be_visible()
    assert_accessible(page)
    page.get_by_label("Decision record (PDF or JSON)").set_input_files(download.value.path())
    page.get_by_role("button", name="Verify", exact=True).click()
    expect(page.get_by_text("Valid: the record is what was handed out")).to_be_visible()
    assert_accessible(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    page.set_viewport_size({"width": 1360, "height": 900})

    page.get_by_role("button", name="Verify now").click()
    expect(page.get_by_text("entries as sealed")).to_be_visible(timeout=60_000)
    assert_accessible(page)
    page.get_by_role("link", name="WATCHDOG").click()
    expect(page.get_by_text("entries as sealed")).to_be_visible()
    assert_accessible(page)
