"""The assistant in a real browser, as a site manager on the real stack.

The same morning twice: with our own small handbook, and with the OSHA regulations, which are not
part of the project (WATCHDOG_DATA names the folder that holds `documents/osha_1926/`).
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
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
READ_WITHIN_SECONDS = 1_500
"""A part of the regulations is embedded in minutes where processors are slow."""
CRANE = "May we run the tower crane if gusts reach 60 km/h?"
HEIGHT = "At what height do workers on a scaffold need fall protection?"
LADDER = "How far must the side rails of a ladder reach above the landing?"
TRENCH = "How deep may a trench be before it needs protection?"
SPOIL = "How far from the edge of a trench must spoil be kept?"
MATCH = "Who won the football match yesterday?"
NOT_FOUND = "I cannot find this in the uploaded documents."
PLANTED = HANDBOOK / "notice.txt"
OSHA = Path(os.environ.get("WATCHDOG_DATA", "")) / "documents" / "osha_1926"


@dataclass(frozen=True)
class Papers:
    """The files that are uploaded, and for each question a part of its answer."""

    files: tuple[Path, ...]
    crane: str
    answers: dict[str, str]


OURS = Papers(
    (HANDBOOK / "site_handbook.md",),
    "Tower crane operation stops when gusts reach 38 km/h.",
    {HEIGHT: "from a height of 2 metres", LADDER: "at least 1 metre above", MATCH: NOT_FOUND},
)
REGULATIONS = Papers(
    tuple(OSHA / f"29cfr1926_subpart_{name}.txt" for name in ("CC", "L", "P", "X", "M")),
    "Wind must not exceed the speed recommended by the manufacturer",
    {
        HEIGHT: "more than 10 feet (3.1 m)",
        LADDER: "at least 3 feet (.9 m)",
        TRENCH: "less than 5 feet",
        MATCH: NOT_FOUND,
    },
)
WITH_OSHA = pytest.param(
    REGULATIONS,
    id="osha",
    marks=[
        pytest.mark.skipif(
            not os.environ.get("WATCHDOG_DATA") or not OSHA.is_dir(),
            reason="WATCHDOG_DATA names no folder with documents/osha_1926",
        ),
        pytest.mark.timeout(2 * READ_WITHIN_SECONDS),  # about 2,000 chunks
    ],
)


@pytest.fixture
def kim(transactional_db) -> Manager:
    """Make a site manager who may upload and is no staff."""
    application = create_application(name="Harbour tower", slug="harbour", by="test")
    user = User.objects.create_user("kim", email="kim@site.example", password=PASSWORD)
    grant_role(user=user, application=application, role=Role.LEAD, by="test")
    return create_manager(application=application, name="Kim", user=user, by="test")


def log_in(page: Page) -> None:
    page.goto("/assistant/")
    page.get_by_label("Name").fill("kim")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Assistant")).to_be_visible()


def upload(page: Page, *paths: Path) -> None:
    """Upload files one by one and wait until all have been read."""
    for path in paths:
        page.wait_for_load_state()  # a count below is of the whole page
        page.get_by_label("A document to upload").set_input_files(path)
        collection_choice = page.get_by_label("Collection", exact=True)
        if collection_choice.count():
            collection_choice.select_option("documents")
        else:
            page.get_by_label("Name of the new collection").fill("documents")
        page.get_by_role("button", name="Upload", exact=True).click()
        expect(page.get_by_role("status").first).to_contain_text(f"“{path.name}” was uploaded")
    documents = page.get_by_role("region", name="Documents").get_by_role("listitem")
    page.wait_for_load_state()
    for _ in range(READ_WITHIN_SECONDS):
        if not documents.filter(has_text="being read").count():
            break
        page.wait_for_timeout(1_000)
        page.reload()
    for path in paths:
        expect(documents.filter(has_text=path.name)).to_contain_text("in “documents”, ready")


def ask(page: Page, question: str) -> Locator:
    """Ask by keyboard and wait for the answer, which takes its place without a reload."""
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Control+Enter")
    turn = page.get_by_role("article", name=question).last
    expect(turn).to_be_visible(timeout=PATIENT)
    expect(turn).not_to_have_attribute("aria-busy", "true", timeout=PATIENT)
    return turn


@pytest.mark.parametrize("papers", [pytest.param(OURS, id="handbook"), WITH_OSHA])
def test_a_site_manager_uploads_asks_and_is_answered(page, kim, picture, papers) -> None:
    page.set_default_timeout(PATIENT)
    log_in(page)
    upload(page, *papers.files)
    clean = answered(ask(page, CRANE))
    page.get_by_role("link", name="All conversations").click()
    upload(page, PLANTED)
    assert_accessible(page)

    answer = ask(page, CRANE)
    expect(page.locator("[data-said]")).to_have_text("The checked answer is ready.")
    assert papers.crane in answered(answer)[0]
    expect(answer).to_contain_text("No language model was used")
    expect(answer).to_contain_text("60 km/h")
    expect(answer.locator(".wd-tag").first).to_contain_text("Supported")
    left_out = answer.get_by_role("region", name="Left out")
    expect(left_out).to_contain_text("notice.txt")
    assert answered(answer) == clean, "what is planted changes neither answer nor verdict"
    assert clean[1] == "ALLOW"
    passages_open(page, answer, papers.files)

    for question, part in papers.answers.items():
        turn = ask(page, question)
        assert part in answered(turn)[0], question
        # A chip for each citation; where nothing is found, nothing is cited.
        assert bool(turn.locator(".wd-turn__answer .wd-cite").count()) is (part != NOT_FOUND), (
            question
        )
    remembered = ask(page, "Our council mandates a scaffold wind limit of 25 km/h.")
    expect(remembered.get_by_role("region", name="Memory")).to_contain_text("25 km/h")
    recalled = ask(page, "At what wind speed does work on a scaffold stop?")
    expect(recalled).to_contain_text("Remembered")
    expect(recalled).to_contain_text("Our council mandates")
    if papers is OURS:
        conflict = recalled.get_by_role("region", name="Conflicting limits")
        expect(conflict).to_contain_text("50 km/h")
        assert answered(recalled)[1] == "WARN"
        expect(recalled).not_to_contain_text("No language model was used")
    assert_accessible(page)
    if papers is OURS:
        fits_a_phone(page, answer, picture)
        answers_without_scripts(page)

    remembered.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status").first).to_contain_text("Undone")
    expect(remembered).to_contain_text("Deleted or replaced since then")
    if papers is OURS:
        schedules_by_keyboard(page)


def schedules_by_keyboard(page: Page) -> None:
    """Schedule the briefing by e-mail without a pointer: with an error, started, stopped."""
    page.get_by_role("link", name="All conversations").press("Enter")
    page.get_by_role("link", name="By e-mail, on the days you choose").press("Enter")
    expect(page.get_by_role("heading", name="Briefing by e-mail")).to_be_visible()
    page.get_by_label("E-mail address").fill("kim")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was changed.")
    address = page.get_by_label("E-mail address")
    expect(address).to_have_accessible_description("Enter a valid email address.")
    assert_accessible(page)
    address.fill("kim@site.example")
    saturday = page.get_by_label("Saturday")
    saturday.focus()
    page.keyboard.press("Space")
    expect(saturday).to_be_checked()
    page.get_by_role("button", name="Start").press("Enter")
    now = page.get_by_role("region", name="Now")
    expect(now).to_contain_text("to kim@site.example")
    expect(page.get_by_label("Saturday")).to_be_checked()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    now.get_by_role("button", name="Stop").press("Enter")
    expect(now).to_contain_text("Stopped.")


def answered(turn: Locator) -> tuple[str, str]:
    """Return the sentences of an answer without citations and their passages, and its verdict."""
    sentences = turn.locator(".wd-turn__answer").evaluate(
        """answer => {
            const words = answer.cloneNode(true);
            for (const one of words.querySelectorAll(".wd-cite")) one.remove();
            return words.textContent;
        }"""
    )
    verdict = turn.locator(".wd-turn__verdict .wd-badge")
    return " ".join(sentences.split()), " ".join(verdict.all_text_contents()).strip()


def passages_open(page: Page, answer: Locator, files: tuple[Path, ...]) -> None:
    """Assert that a citation opens its passage in its place, and the keyboard comes back to it."""
    chip = answer.locator(".wd-cite").first
    sheet = page.get_by_role("dialog")
    expect(sheet).to_have_count(0)
    chip.focus()
    page.keyboard.press("Enter")
    expect(sheet).to_contain_text(files[0].name)
    expect(sheet.locator("mark")).to_be_in_viewport()
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(chip).to_be_focused()
    chip.click()
    expect(sheet).to_contain_text(files[0].name)
    page.mouse.click(10, 300)  # beside it
    expect(sheet).to_have_count(0)


def fits_a_phone(page: Page, answer: Locator, picture: Callable[..., None]) -> None:
    """Check the page with an open passage, wide and narrow, in light and in dark."""
    chip = answer.locator(".wd-cite").first
    sheet = page.get_by_role("dialog")
    chip.click()
    expect(sheet.locator("mark")).to_be_in_viewport()
    picture(page, "assistant.png", 1000)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(sheet.get_by_role("button", name="Close")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    sheet.get_by_role("button", name="Close").click()
    page.evaluate("scrollTo(0, 0)")
    page.emulate_media(color_scheme="dark")
    picture(page, "assistant-phone-dark.png", 1100)


def answers_without_scripts(page: Page) -> None:
    """Ask with the same log-in in a browser without scripts: the form waits for the answer."""
    assert page.context.browser
    state = page.context.storage_state()
    plain = page.context.browser.new_context(java_script_enabled=False, storage_state=state)
    bare = plain.new_page()
    bare.set_default_timeout(PATIENT)
    bare.goto(page.url)
    bare.get_by_label("Your question").fill(SPOIL)
    bare.get_by_role("button", name="Ask").click()
    turn = bare.get_by_role("article", name=SPOIL)
    expect(turn).to_contain_text("at least 1 metre away from the edge", timeout=PATIENT)
    plain.close()
