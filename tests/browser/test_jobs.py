"""The clicks, keys and page loads that the daily jobs cost. Each begins at the page it names."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from playwright.sync_api import Locator, Page, expect

from accounts.models import Role
from analysis.models import Check, Review, TrendCell
from analysis.services.trends import count_waiting
from audit.seals import seal_trail
from tests.browser.conftest import PASSWORD
from tests.browser.test_review_desk import submit_blocked
from tests.browser.test_workbench import LOADED, log_in, member

pytestmark = pytest.mark.timeout(420)  # on whatever machine
TICKET = "NH-4104"


@dataclass
class Hands:
    """Works at a page, and counts."""

    page: Page
    costs: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    clicks: int = 0
    keys: int = 0
    loads: int = 0

    def click(self, target: Locator) -> None:
        self.clicks += 1
        target.click()

    def press(self, key: str) -> None:
        self.keys += 1
        self.page.keyboard.press(key)

    @contextmanager
    def job(self, name: str, start: str = "") -> Iterator[None]:
        """Count what is done within; `start` is the page that is open before."""
        if start:
            self.page.goto(start)
        self.page.wait_for_load_state()
        self.clicks = self.keys = self.loads = 0
        yield
        self.page.wait_for_load_state()
        self.costs[name] = (self.clicks, self.keys, self.loads)
        print(f"{name}: {self.clicks} clicks, {self.keys} keys, {self.loads} loads")

    def count_load(self, _: Page) -> None:
        self.loads += 1


@pytest.fixture
def hands(page, token) -> Hands:
    member("lea", Role.LEAD)
    working = Hands(page)
    page.on("domcontentloaded", working.count_load)
    return working


def test_a_lead_and_reviewer(hands, submit) -> None:
    submit(answer="The mill stands in Lyon.", sources=["The mill stands in Lyon."])
    count_waiting(wait=True)
    TrendCell.objects.update(bucket=F("bucket") - timedelta(days=40))  # the period before
    for _ in range(3):
        submit_blocked(submit)
    count_waiting(wait=True)
    page = hands.page
    log_in(page, "lea")
    page.reload()
    page.locator(LOADED).wait_for()
    with hands.job("decide the open item"):
        first = page.url
        hands.press("1")
        expect(page).not_to_have_url(first)
    page.locator(LOADED).wait_for()
    with hands.job("decide a chosen item of the list"):
        first = page.url
        hands.press("j")
        expect(page).not_to_have_url(first)
        second = page.url
        page.locator(LOADED).wait_for()  # while it is read, the next is loaded
        hands.press("1")
        expect(page).not_to_have_url(second)
    assert Review.objects.exclude(decision=None).count() == 2
    with hands.job("why did rejections rise, an example", "/admin/dashboard/"):
        hands.click(page.locator("#what-changed tbody a").first)
        hands.click(page.locator("#result_list tbody a").first)
        expect(page.get_by_role("heading", name="BLOCK", level=1)).to_be_visible()
    with hands.job("a threshold changed, in force", "/admin/analysis/policy/"):
        hands.click(page.locator("#result_list tbody a").first)
        hands.click(page.get_by_role("link", name="Edit"))
        page.get_by_label("Warn from").fill("50")
        page.get_by_label("Why", exact=True).fill("Fewer warnings")
        hands.click(page.get_by_role("button", name="Save as a new version"))
        hands.click(page.get_by_role("link", name="Activate"))
        hands.click(page.get_by_role("button", name="Activate version 2"))
        expect(page.get_by_text("Version 2 is in force.")).to_be_visible()
    with hands.job("a new reviewer", "/admin/accounts/membership/"):
        page.get_by_label("E-mail or username").fill("ben@example.org")
        hands.click(page.get_by_role("button", name="Invite"))
        expect(page.get_by_text("Send them this link, shown once:")).to_be_visible()
    assert hands.costs == {
        "decide the open item": (0, 1, 0),
        "decide a chosen item of the list": (0, 2, 0),
        "why did rejections rise, an example": (2, 0, 2),
        "a threshold changed, in force": (5, 0, 5),
        "a new reviewer": (1, 0, 1),
    }


def test_an_auditor(hands, submit) -> None:
    check = submit(answer="The mill stands in Lyon.", metadata={"ticket": TICKET})
    member("arun", Role.AUDITOR)
    seal_trail()
    page = hands.page
    log_in(page, "arun")
    with hands.job("the record of a decision, by its ticket", "/admin/analysis/check/"):
        page.locator("#searchbar").fill(TICKET)
        hands.press("Enter")
        expect(page.locator("#result_list tbody tr")).to_have_count(1)
        with page.expect_download():
            hands.click(page.locator("#result_list").get_by_role("link", name="Decision record"))
    with hands.job("verify it", f"/admin/analysis/check/{check}/change/"):
        hands.click(page.get_by_role("button", name="Verify this decision"))
        expect(page.get_by_text("The decision is stored as it was made")).to_be_visible()
    assert Check.objects.count() == 1
    assert hands.costs == {
        "the record of a decision, by its ticket": (1, 1, 1),
        "verify it": (1, 0, 1),
    }


def test_a_superuser(hands) -> None:
    User.objects.create_superuser("root", password=PASSWORD)
    page = hands.page
    log_in(page, "root")
    with hands.job("an API key", "/settings/"):
        hands.click(page.get_by_role("link", name="API keys"))
        hands.click(page.get_by_role("link", name="Add API key"))
        page.get_by_label("Name", exact=True).fill("till")
        page.get_by_label("Application").select_option(label="Help desk")
        hands.click(page.get_by_role("button", name="Save", exact=True))
        expect(page.get_by_text("The key, shown once:")).to_be_visible()
    with hands.job("a webhook", "/settings/"):
        hands.click(page.get_by_role("link", name="Webhooks and e-mails"))
        hands.click(page.locator(".object-tools a").first)
        page.get_by_label("Application").select_option(label="Help desk")
        page.get_by_label("Channel").select_option("webhook")
        page.get_by_label("Address").fill("https://93.184.216.34/desk")
        hands.click(page.get_by_role("button", name="Save", exact=True))
        expect(page.locator(".messagelist .success")).to_be_visible()
    assert hands.costs == {"an API key": (3, 0, 3), "a webhook": (3, 0, 3)}
