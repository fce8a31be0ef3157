"""The assistant in a real browser, as a site manager on the real stack."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect

from accounts.models import Role
from accounts.services import create_application, grant_role
from assistant.sanity import HANDBOOK
from memory.models import Manager
from memory.services.managers import create_manager
from tests.browser.accessibility import assert_accessible
from tests.browser.conftest import PASSWORD

PATIENT = 120_000
CRANE = "May we run the tower crane if gusts reach 60 km/h?"
TRENCH = "How far from the edge of a trench must spoil be kept?"
PLANTED = HANDBOOK / "notice.txt"
RULES = HANDBOOK / "site_handbook.md"


@pytest.fixture
def kim(transactional_db: None) -> Manager:
    """A site manager who may upload, and is no staff."""
    application = create_application(name="Harbour tower", slug="harbour", by="test")
    user = User.objects.create_user("kim", password=PASSWORD)
    grant_role(user=user, application=application, role=Role.LEAD, by="test")
    return create_manager(application=application, name="Kim", user=user, by="test")


def log_in(page: Page) -> None:
    page.goto("/assistant/")
    page.get_by_label("Name").fill("kim")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Assistant")).to_be_visible()


def upload(page: Page, path: Path) -> None:
    page.get_by_label("A document to upload").set_input_files(path)
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("will be read now", timeout=PATIENT)
    listed = page.get_by_role("region", name="Documents").get_by_role("listitem")
    mine = listed.filter(has_text=path.name)
    for _ in range(120):
        if "being read" not in (mine.text_content() or ""):
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(mine).to_contain_text("documents: read")


def ask(page: Page, question: str) -> Locator:
    """Asks by keyboard and waits for the answer, which takes its place without a reload."""
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Control+Enter")
    turn = page.get_by_role("article", name=question).last
    expect(turn).to_be_visible(timeout=PATIENT)
    expect(turn).not_to_have_attribute("aria-busy", "true", timeout=PATIENT)
    return turn


def test_a_site_manager_uploads_asks_and_is_answered(
    page: Page, kim: Manager, picture: Callable[..., None]
) -> None:
    page.set_default_timeout(PATIENT)
    log_in(page)
    upload(page, RULES)
    upload(page, PLANTED)
    assert_accessible(page)

    answer = ask(page, CRANE)
    expect(page.locator("[data-said]")).to_have_text("The answer is there, checked.")
    expect(answer).to_contain_text("Tower crane operation stops when gusts reach 38 km/h.")
    expect(answer).to_contain_text("No language model was used")
    expect(answer).to_contain_text("60 km/h")
    expect(answer.locator(".wd-tag").first).to_contain_text("Supported")
    expect(answer.locator(".wd-turn__verdict .wd-badge")).to_have_text("ALLOW")
    left_out = answer.get_by_role("region", name="Left out")
    expect(left_out).to_contain_text("notice.txt")
    expect(answer.locator(".wd-turn__answer")).not_to_contain_text("90 km/h")

    chip = answer.locator(".wd-cite a").first
    passage = answer.get_by_role("tooltip").first
    expect(passage).to_be_hidden()
    chip.focus()
    expect(passage).to_be_visible()
    expect(passage).to_contain_text("site_handbook.md")
    page.keyboard.press("Escape")
    expect(passage).to_be_hidden()
    chip.hover()
    page.get_by_label("Your question").focus()
    page.mouse.move(0, 0)
    chip.hover()
    expect(passage).to_be_visible()
    passage.hover()  # the pointer reaches it from the citation, so that it can be read and copied
    expect(passage).to_be_visible()
    assert_accessible(page)
    chip.press("Enter")
    expect(answer.locator("[id^=source-] details[open]")).to_have_count(1)
    page.get_by_label("Your question").focus()

    nothing = ask(page, "Who won the football match yesterday?")
    expect(nothing).to_contain_text("I cannot find this in the uploaded documents.")
    told = ask(page, "Our council mandates a scaffold wind limit of 25 km/h.")
    expect(told.get_by_role("region", name="Memory")).to_contain_text("25 km/h")
    recalled = ask(page, "At what wind speed does work on a scaffold stop?")
    expect(recalled).to_contain_text("You told me earlier")
    expect(recalled).to_contain_text("Our council mandates")
    assert_accessible(page)
    page.evaluate("scrollTo(0, 0)")
    chip.focus()
    picture(page, "assistant.png", 1000)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(passage).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    page.get_by_label("Your question").focus()
    page.evaluate("scrollTo(0, 0)")
    page.emulate_media(color_scheme="dark")
    picture(page, "assistant-phone-dark.png", 1100)

    told.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status").first).to_contain_text("Taken back")
    expect(told).to_contain_text("No longer held")
    answers_without_scripts(page)


def answers_without_scripts(page: Page) -> None:
    """The same log-in in a browser that runs no scripts: the form itself waits for the answer."""
    assert page.context.browser
    state = page.context.storage_state()
    plain = page.context.browser.new_context(java_script_enabled=False, storage_state=state)
    bare = plain.new_page()
    bare.set_default_timeout(PATIENT)
    bare.goto(page.url)
    bare.get_by_label("Your question").fill(TRENCH)
    bare.get_by_role("button", name="Ask").click()
    turn = bare.get_by_role("article", name=TRENCH)
    expect(turn).to_contain_text("at least 1 metre away from the edge", timeout=PATIENT)
    plain.close()
