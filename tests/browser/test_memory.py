"""A manager's own memory in a real browser, by keyboard where it matters."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from accounts.services import create_application
from memory.models import Manager
from memory.services.managers import create_manager
from tests.browser.accessibility import assert_accessible
from tests.browser.conftest import PASSWORD

PATIENT = 60_000


@pytest.fixture
def kim(transactional_db) -> Manager:
    """Make a manager with a log-in, who is no staff."""
    application = create_application(name="Harbour tower", slug="harbour", by="test")
    user = User.objects.create_user("kim", password=PASSWORD)
    return create_manager(application=application, name="Kim", user=user, by="test")


def test_a_manager_states_corrects_and_deletes_a_fact(page, kim, picture) -> None:
    page.set_default_timeout(PATIENT)  # the first fact waits for the embedding model
    page.goto("/memory/")
    assert_accessible(page)
    page.get_by_label("Name").fill("kim")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Memory", exact=True)).to_be_visible()

    statement = page.get_by_label("In your own words")
    for fact in ("I'm the site safety manager.", "The scaffold wind limit is 25 km/h."):
        statement.fill(fact)
        page.get_by_role("button", name="Remember").click()
        expect(page.get_by_role("status")).to_contain_text("remembered.", timeout=PATIENT)
    statement.fill("The scaffold wind limit is now 30 km/h. The gate code is 4711.")
    page.get_by_role("button", name="Remember").click()
    expect(page.get_by_role("status")).to_contain_text("in place of the earlier value")
    expect(page.get_by_role("status")).to_contain_text("never stored")
    assert "4711" not in page.content()

    site = page.get_by_role("region", name="About the site")
    site.get_by_text("Earlier values (1)").click()
    expect(site.get_by_text("The scaffold wind limit is 25 km/h.")).to_be_visible()
    site.get_by_text("Correct or delete").focus()
    page.keyboard.press("Enter")
    expect(site.get_by_label("What is right instead")).to_be_visible()
    assert_accessible(page)
    picture(page, "memory.png", 1250)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0

    site.get_by_role("button", name="Delete with its earlier values").click()
    expect(page.get_by_role("status")).to_contain_text("Deleted")
    expect(page.get_by_role("region", name="About the site")).to_contain_text("Nothing yet")
    expect(page.get_by_role("region", name="About you")).to_contain_text("safety manager")
