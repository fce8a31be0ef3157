"""The pages around signing in: at a provider and back, locked out, a code and a new password.

Each is judged by axe-core in light and dark and may not scroll sideways on a phone.
"""

import json
import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from accounts.authenticator import Authenticator
from accounts.services import create_application
from tests.browser.accessibility import assert_accessible
from tests.browser.conftest import PASSWORD
from tests.fake_oidc import CLIENT, SECRET, Provider, serving
from tests.stack import Stack

PHONE, LAPTOP = {"width": 360, "height": 780}, {"width": 1360, "height": 900}


@pytest.fixture
def provider() -> Iterator[Provider]:
    """Start a provider at which Anna has a role here and Ben has none."""
    with serving() as running:
        running.people |= {"anna": {"groups": ["qa"]}, "ben": {}}
        yield running


@pytest.fixture
def web(transactional_db, empty_redis, provider) -> Iterator[Stack]:
    """Start a web process of this test's own, with a provider and a low limit on failed log-ins."""
    create_application(name="Help desk", slug="help-desk", by="test")
    running = Stack.start(
        "web",
        OIDC_ISSUER=provider.url,
        OIDC_CLIENT_ID=CLIENT,
        OIDC_CLIENT_SECRET=SECRET,
        OIDC_GROUPS=json.dumps({"qa": {"help-desk": "reviewer"}}),
        LOGIN_FAILURE_LIMIT="2",
    )
    yield running
    running.stop()


@pytest.fixture
def visitor(chromium, web) -> Iterator[Page]:
    """Yield a browser whose way to the provider leads straight back, signed in as `provider.now`.

    Pages with an error status are looked at too, which its console would report.
    """
    context = chromium.new_context(base_url=web.url)
    page = context.new_page()
    yield page
    context.close()


def judge(page: Page, heading: str) -> None:
    """Assert that the page has this heading, satisfies axe-core and fits a phone."""
    expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
    assert_accessible(page)
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    page.set_viewport_size(LAPTOP)


def log_in(page: Page, name: str, password: str) -> None:
    page.goto("/login")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def test_signing_in_at_the_provider_and_out_again(visitor, provider) -> None:
    visitor.goto("/login")
    judge(visitor, "Log in")
    provider.now = "ben"
    visitor.get_by_role("link", name="Sign in with your organisation").click()
    judge(visitor, "You are not signed in")
    expect(visitor.get_by_role("alert")).to_contain_text("you have no role here")
    provider.now = "anna"
    visitor.get_by_role("link", name="Sign in with your organisation").click()
    expect(visitor).to_have_url(re.compile(r"/$"))
    visitor.locator("form[action='/logout'] button").first.evaluate(
        "button => button.form.submit()"
    )
    judge(visitor, "You are signed out")


def test_too_many_attempts(visitor) -> None:
    for _ in range(2):
        log_in(visitor, "nobody", "wrong")
    judge(visitor, "Too many attempts")


def test_a_password_is_changed_and_a_code_asked_for(visitor) -> None:
    user = User.objects.create_user("kim", password=PASSWORD)
    log_in(visitor, "kim", PASSWORD)
    expect(visitor).not_to_have_url(re.compile(r"/login"))
    visitor.goto("/account/password")
    judge(visitor, "Change password")
    visitor.get_by_label("Old password").fill("wrong")
    visitor.get_by_label("New password", exact=True).fill("short")
    visitor.get_by_label("New password confirmation").fill("other")
    visitor.get_by_role("button", name="Change password").click()
    expect(visitor.get_by_role("alert").first).to_be_visible()
    judge(visitor, "Change password")
    visitor.goto("/account/second-factor")
    judge(visitor, "Second factor")
    Authenticator.objects.create(user=user, name="app", confirmed=True)
    visitor.context.clear_cookies()
    log_in(visitor, "kim", PASSWORD)
    judge(visitor, "Enter your code")
