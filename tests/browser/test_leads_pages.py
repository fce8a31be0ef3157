"""A lead's set-up in the admin: who is notified, who works together, when nobody works."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from accounts.models import Application, Holiday, Role, Team
from analysis.models import Review, ReviewDecision
from audit.models import Event, TrailEntry
from desk.reviews.services.reviews import decide_review
from notifications.models import EventKind, Subscription, desk_kinds
from tests.browser.accessibility import assert_accessible
from tests.browser.test_overflow import TABLES_CUT_OFF
from tests.browser.test_review_desk import submit_blocked
from tests.browser.test_workbench import log_in, member

HOOK = "https://93.184.216.34/desk"
SECONDS = 30_000
pytestmark = pytest.mark.timeout(420)  # each page is looked over twice, on whatever machine


@pytest.fixture
def lea(page, token) -> Page:
    """Log a lead of the application in through the form."""
    member("lea", Role.LEAD)
    log_in(page, "lea")
    return page


def add(page: Page, model: str) -> None:
    """Open the empty form from its list, and check both for accessibility."""
    page.goto(f"/admin/{model}/")
    assert_accessible(page)
    page.goto(f"/admin/{model}/add/")
    page.get_by_label("Application").select_option(label="Help desk")
    assert_accessible(page)


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()


def message(page: Page) -> None:
    expect(page.locator(".messagelist .success")).to_be_visible(timeout=SECONDS)


def test_a_subscription(lea) -> None:
    page = lea
    add(page, "notifications/subscription")
    page.get_by_label("Channel").select_option("webhook")
    page.get_by_label("Address").fill("http://10.0.0.5/desk")
    page.get_by_label("the rejection rate changed unusually").uncheck()
    save(page)
    expect(page.get_by_text("Only https")).to_be_visible(timeout=SECONDS)
    assert_accessible(page)
    page.get_by_label("Address").fill(HOOK)
    save(page)
    message(page)
    expect(page.locator(".messagelist .warning")).to_contain_text("shown once: whsec_")
    assert_accessible(page)
    subscription = Subscription.objects.get(target=HOOK)
    assert set(subscription.kinds) == {*desk_kinds()} - {EventKind.REJECTIONS_UNUSUAL}
    assert subscription.created_by == "lea"

    page.get_by_role("button", name="Send a test message").click()
    expect(page.get_by_text("1 test message is queued")).to_be_visible(timeout=SECONDS)
    page.get_by_role("link", name="What was sent to it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Notifications: webhook to {HOOK}")
    expect(page.locator("#result_list tbody tr")).to_have_count(1)
    assert_accessible(page)

    page.goto("/admin/notifications/subscription/")
    page.locator("#result_list").get_by_role("link", name=HOOK).click()
    page.get_by_label("Active").wait_for()
    expect(page.locator("body")).not_to_contain_text("whsec_")
    assert_accessible(page)
    page.get_by_label("Active").uncheck()
    save(page)
    message(page)
    assert not Subscription.objects.get().is_active
    trail_entries = TrailEntry.objects.filter(event=Event.SUBSCRIPTION_CHANGED)
    assert [entry.actor for entry in trail_entries] == ["lea", "lea"]


def test_a_team_with_somebody_in_it(lea) -> None:
    page = lea
    member("anna", Role.REVIEWER)
    add(page, "accounts/team")
    page.get_by_label("Name").fill("Night shift")
    page.get_by_role("checkbox", name="anna").check()
    save(page)
    message(page)
    expect(page.locator("#result_list")).to_contain_text("anna")
    assert_accessible(page)
    assert [str(member) for member in Team.objects.get(name="Night shift").members.all()] == [
        "anna"
    ]

    page.locator("#result_list").get_by_role("link", name="Night shift").click()
    page.get_by_role("link", name="Delete").wait_for()
    assert_accessible(page)
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete").wait_for()
    assert_accessible(page)
    page.get_by_role("button", name="Delete").click()
    message(page)
    assert not Team.objects.exists()


def test_somebody_is_invited_by_one_form(lea) -> None:
    page = lea
    page.get_by_role("link", name="Settings", exact=True).click()
    page.get_by_role("link", name="People and roles").click()
    assert_accessible(page)
    page.get_by_label("E-mail or username").fill("ben@example.org")
    page.get_by_role("button", name="Invite").click()
    message(page)
    expect(page.get_by_text("Send them this link, shown once:")).to_be_visible()
    expect(page.get_by_role("row", name="ben@example.org reviewer invited")).to_be_visible()
    assert_accessible(page)


def test_a_holiday(lea) -> None:
    page = lea
    add(page, "accounts/holiday")
    page.get_by_label("Day").fill("2030-12-24")
    page.get_by_label("Name").fill("Christmas Eve")
    save(page)
    message(page)
    assert_accessible(page)
    assert str(Holiday.objects.get(name="Christmas Eve").day) == "2030-12-24"


def test_notifications_and_evaluation(lea, submit) -> None:
    submit_blocked(submit)
    page = lea
    for url in ("notifications/notification/", "analysis/review/evaluation/"):
        page.goto(f"/admin/{url}")
        assert_accessible(page)
    decide_review(
        review=Review.objects.get(),
        decision=ReviewDecision.CONFIRMED,
        by=User.objects.get(username="lea"),
    )
    page.goto("/admin/analysis/review/evaluation/")
    page.get_by_role("button", name="Evaluate Help desk").click()
    expect(page.get_by_role("heading", name="All reviewed checks")).to_be_visible(timeout=60_000)
    assert_accessible(page)
    assert page.evaluate(TABLES_CUT_OFF) == []
    page.goto("/admin/advice/")
    assert page.evaluate(TABLES_CUT_OFF) == []


def test_an_application_page_by_page(logged_in, token) -> None:
    page = logged_in
    page.goto("/settings/")
    page.get_by_role("link", name="Applications").click()
    page.get_by_role("link", name="Help desk").click()
    for name in ("Desk hours", "Deadlines", "Quality control", "Limits", "Retention"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.locator(".wd-tabs [aria-current]")).to_have_text(name)
        assert_accessible(page)
    page.get_by_label("Questions, answers and sources").fill("30")
    save(page)
    message(page)
    expect(page.locator("#content")).to_contain_text("Now: kept for 30 days;")
    page.get_by_role("link", name="Desk hours", exact=True).click()
    page.get_by_label("Saturday").check()
    page.get_by_label("Opens at").fill("07:30")
    page.get_by_label("Closes at").fill("07:00")
    save(page)
    expect(page.get_by_text("The desk must close after it opens.")).to_be_visible(timeout=SECONDS)
    assert_accessible(page)
    page.get_by_label("Closes at").fill("16:00")
    save(page)
    message(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    application = Application.objects.get(slug="help-desk")
    assert (application.keep_inputs_days, application.desk_days) == (30, "123456")
