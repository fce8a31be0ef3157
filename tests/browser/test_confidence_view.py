"""The page behind a signed link, in a real browser: by keyboard, by finger, in the dark, expired.

The `page` fixture demands of each test that the console stayed silent: no script error, nothing
that the Content-Security-Policy had to stop, no request that failed.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Application
from analysis.services.checking import run_check
from analysis.services.submission import NewCheck
from analysis.services.submission import submit as accepted
from desk.verdict_page.answer import PART
from lib.workqueue.inbox import Inbox
from tests.browser.accessibility import assert_accessible
from tests.browser.conftest import for_pictures
from tests.browser.test_review_desk import ANSWER, QUESTION, SOURCES


@pytest.fixture
def check_page(page, submit, link_to) -> Page:
    """Open the view of a blocked answer by its link, without any log-in."""
    check = submit(query=QUESTION, answer=ANSWER, sources=SOURCES)
    page.goto(link_to(check))
    return page


def test_nothing_stands_in_the_page_that_the_policy_would_have_to_excuse(
    page, submit, link_to
) -> None:
    answer = page.goto(link_to(submit(query=QUESTION, answer=ANSWER, sources=SOURCES)))
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    page.locator("[data-answer] a.wd-supported").first.click()
    expect(page.locator("#claim")).to_be_focused()
    for inline in ("script:not([src])", "style", "[style]", "[onclick]", "[hx-on]"):
        assert page.locator(inline).count() == 0, inline
    settings = page.evaluate("[htmx.config.allowEval, htmx.config.includeIndicatorStyles]")
    assert settings == [False, False]
    assert page.locator("[data-status]").get_attribute("role") == "status"


def test_the_focus_is_seen_wherever_it_goes(check_page) -> None:
    unseen, reached = [], 0
    for _ in range(40):
        check_page.keyboard.press("Tab")
        focus = check_page.evaluate(
            """() => {
              const e = document.activeElement, s = getComputedStyle(e);
              const width = parseFloat(s.outlineWidth);
              return [e.tagName, e.outerHTML.slice(0, 90), s.outlineStyle, width];
            }"""
        )
        if focus[0] == "BODY":
            break
        reached += 1
        if focus[2] == "none" or focus[3] < 2:
            unseen.append(focus[1])
    assert reached >= 8
    assert unseen == []


@pytest.mark.timeout(600)
def test_seven_thousand_claims_stay_usable(page, link_to, settings, monkeypatch) -> None:
    total = 7_000
    settings.MAX_CLAIMS = total
    application = Application.objects.get(slug="help-desk")
    answer = " ".join(f"Town {n} is old." for n in range(total))
    # Checked in this process, with time enough on a busy machine: this is a test of the page.
    settings.CHECK_LEASE_SECONDS = 900
    monkeypatch.setattr(Inbox, "put", lambda *_: 0)
    new = NewCheck(answer=answer)
    check_id = accepted(application_id=application.id, new=new, by="test").id
    assert run_check(check_id)
    response = page.goto(link_to(str(check_id)))
    assert len(response.body()) < 400_000
    assert len(marks(page)) == PART
    assert page.locator("*").count() < 5_000
    parts = page.get_by_role("navigation", name="Parts of the answer")
    parts.get_by_role("link", name=str(total // PART), exact=True).click()
    last = page.locator(f'[data-answer] [data-claim="{total}"]')
    expect(last).to_contain_text(f"Town {total - 1} is old")
    last.click()
    expect(page.locator("#claim")).to_have_attribute("data-shows", str(total))
    expect(page.locator("#claim")).to_contain_text(f"Claim {total} of {total}")
    page.get_by_role("link", name="Previous claim").click()
    expect(page.locator("#claim")).to_have_attribute("data-shows", str(total - 1))


def marks(page: Page) -> list[str]:
    return page.locator("[data-answer] [data-claim]").evaluate_all(
        "found => found.map(mark => mark.dataset.claim)"
    )


def focused(page: Page) -> dict[str, str]:
    return page.evaluate(
        "() => ({...document.activeElement.dataset, id: document.activeElement.id})"
    )


def test_it_opens_without_a_log_in_and_keeps_nothing(check_page) -> None:
    expect(check_page.get_by_role("heading", name="BLOCK", level=1)).to_be_visible()
    assert check_page.context.cookies() == []
    assert check_page.evaluate("localStorage.length") == 0
    # HTMX notes the address of the page for as long as the tab is open, and nothing of the page.
    session_values = check_page.evaluate("Object.values(sessionStorage)")
    assert session_values in (
        [],
        [check_page.url.replace(check_page.evaluate("location.origin"), "")],
    )
    assert check_page.evaluate("document.referrer") == ""


def test_status_is_told_by_icon_word_and_line_as_well_as_colour(check_page) -> None:
    check_page.get_by_label("Show withheld claims").check()
    lines = {}
    for kind, word, text in (
        ("contradictory", "Contradicted", "definitely closed"),
        ("supported", "Supported", "40,000 books"),
        ("low-confidence", "Not confirmed", "former students"),
    ):
        mark = check_page.locator(f"[data-answer] a.wd-{kind}", has_text=text)
        expect(mark.locator(".wd-tag")).to_contain_text(word)
        assert mark.locator("svg use").get_attribute("href").endswith(f"#{kind}")
        box = mark.locator("svg").bounding_box()
        assert box["width"] > 5
        words = mark.locator(".wd-words")
        lines[kind] = words.evaluate("e => getComputedStyle(e).textDecorationStyle")
    assert lines == {"contradictory": "wavy", "supported": "solid", "low-confidence": "dashed"}


def test_the_whole_walk_by_keyboard_alone(check_page) -> None:
    page = check_page
    numbers = marks(page)
    assert len(numbers) >= 4
    panel = page.locator("#claim")
    for _ in range(30):  # to the first claim, past whatever stands before it
        page.keyboard.press("Tab")
        if focused(page).get("claim") == numbers[0]:
            break
    for number in numbers:
        assert focused(page).get("claim") == number
        expect(panel).to_have_attribute("data-shows", number)  # the focus alone opens it
        assert focused(page).get("claim") == number  # and does not run away
        page.keyboard.press("Tab")
    for _ in range(2):  # the last but one has evidence
        page.keyboard.press("Shift+Tab")
    expect(page.locator("[data-status]")).to_contain_text(f"Claim {numbers[-2]}")
    page.keyboard.press("Enter")
    expect(panel).to_be_focused()
    page.keyboard.press("Tab")
    expect(panel.get_by_role("link", name="https://library.example/report")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Previous claim")).to_be_focused()
    page.keyboard.press("Enter")
    expect(panel).to_have_attribute("data-shows", numbers[-3])
    expect(panel).to_be_focused()
    page.keyboard.press("Escape")
    assert focused(page).get("claim") == numbers[-3]


def test_a_claim_reads_well_to_a_screen_reader(check_page) -> None:
    check_page.get_by_label("Show withheld claims").check()
    answer = check_page.locator("[data-answer]")
    link = answer.get_by_role("link", name=re.compile("Contradicted It definitely"))
    expect(link).to_be_visible()
    link.click()
    panel = check_page.get_by_role("region", name="Contradicted Claim")
    expect(panel).to_be_focused()
    expect(panel.locator(".wd-claim__why strong", has_text="Contradicted")).to_be_visible()
    panel.get_by_text("Details: how this was measured").click()
    table = panel.get_by_role("table", name="What was measured, and the thresholds of policy")
    for column in ("Measurement", "Value", "Threshold", "Status and model"):
        expect(table.get_by_role("columnheader", name=column, exact=True)).to_be_attached()
    row = table.get_by_role("row", name="Comparison by rules: against")
    expect(row).to_contain_text("A conflict from 0.60")
    expect(row).to_contain_text("lexical-1")
    expect(panel.get_by_text("Contradicts the claim")).to_be_visible()
    expect(panel.locator("mark.wd-against").first).to_have_text("2019")
    expect(panel.locator("figcaption").first).to_contain_text("State gazette, notice 114")


def test_suppressed_claims_are_hidden_until_they_are_asked_for(check_page) -> None:
    hidden = check_page.locator("[data-answer] .wd-suppressed .wd-words").first
    expect(hidden).to_be_hidden()
    expect(check_page.locator("[data-answer]")).to_contain_text("claim withheld")
    box = check_page.get_by_label("Show withheld claims")
    box.focus()
    box.press("Space")
    expect(hidden).to_be_visible()
    expect(check_page.locator(".wd-withheld").first).to_be_hidden()
    box.press("Space")
    expect(hidden).to_be_hidden()


def test_by_finger_on_a_phone(chromium, submit, link_to) -> None:
    check = submit(query=QUESTION, answer=ANSWER, sources=SOURCES)
    context = chromium.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
    )
    page = context.new_page()
    console_texts: list[str] = []
    page.on("console", lambda message: console_texts.append(message.text))
    page.goto(link_to(check))
    mark = page.locator("[data-answer] a.wd-supported").last
    mark.tap()
    expect(page.locator("#claim")).to_have_attribute("data-shows", mark.get_attribute("data-claim"))
    expect(page.locator("#claim")).to_be_in_viewport()
    page.get_by_role("link", name="Back to the answer").tap()
    expect(mark).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    assert console_texts == []
    context.close()


def test_it_fits_a_phone_in_both_schemes(check_page, picture) -> None:
    page = check_page
    assert_accessible(page)
    page.locator("[data-answer] a.wd-contradictory").first.click()
    expect(page.locator("#claim")).to_be_focused()
    assert_accessible(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1360, 360):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
        page.set_viewport_size({"width": 390, "height": 844})
        page.evaluate("document.getElementById('answer-title').scrollIntoView()")
        picture(page, f"confidence-phone-{scheme}.png", 1100)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(18, 18, 18)"


@for_pictures
def test_the_picture_of_the_readme(check_page, picture) -> None:
    check_page.get_by_label("Show withheld claims").check()
    check_page.locator("[data-answer] a.wd-contradictory").first.click()
    expect(check_page.locator("#claim")).to_be_focused()
    check_page.set_viewport_size({"width": 1240, "height": 900})
    for scheme, name in (("dark", "confidence-dark.png"), ("light", "confidence.png")):
        check_page.emulate_media(color_scheme=scheme)
        check_page.evaluate("scrollTo(0, 0)")
        picture(check_page, name, 1060)


def test_a_link_that_expires_while_it_is_read_says_so(chromium, submit, link_to) -> None:
    context = chromium.new_context()
    page = context.new_page()
    console_texts: list[str] = []
    page.on("console", lambda message: console_texts.append(message.text))
    check = submit(query=QUESTION, answer=ANSWER, sources=SOURCES)
    address = link_to(check, expires_in=10)
    page.goto(address)
    mark = page.locator("[data-answer] a.wd-supported").first
    expect(mark).to_be_visible()
    page.wait_for_function("end => Date.now() > end", arg=_end_of(page) + 1000, timeout=30_000)
    with page.expect_response(lambda answer: answer.status == 410):
        mark.click()
    expect(page.locator("[data-status]")).to_contain_text("This link has expired")
    answer = page.goto(address)
    assert answer.status == 410
    expect(page.get_by_role("heading", name="This link has expired")).to_be_visible()
    assert page.locator("[data-answer]").count() == 0
    assert [text for text in console_texts if "410" not in text] == []
    context.close()


def _end_of(page: Page) -> int:
    """Return when the open link ends, in milliseconds since 1970, as the page says it."""
    return page.locator(".wd-public__top time").evaluate("time => Date.parse(time.dateTime)")


def test_without_scripts_the_same_links_work(chromium, submit, link_to) -> None:
    check = submit(query=QUESTION, answer=ANSWER, sources=SOURCES)
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(link_to(check))
    mark = page.locator("[data-answer] a.wd-supported").last
    number = mark.get_attribute("data-claim")
    mark.click()
    expect(page.locator("#claim")).to_have_attribute("data-shows", number)
    expect(page.locator("#claim")).to_be_in_viewport()
    context.close()


def test_parts_of_a_long_answer_and_pages_of_its_claims_are_fetched(page, submit, link_to) -> None:
    answer = " ".join(f"Town {n} was founded in {1000 + n}." for n in range(PART + 30))
    page.goto(link_to(submit(answer=answer)))
    assert len(marks(page)) == PART
    page.get_by_role("navigation", name="Parts of the answer").get_by_role("link", name="2").click()
    expect(page.locator("[data-answer] [data-claim]")).to_have_count(30)
    assert page.url.rpartition("/")[2].count("?") == 0  # nothing was loaded again
    page.get_by_role("navigation", name="Pages of the claims").get_by_role(
        "link", name="3", exact=True
    ).click()
    expect(page.locator("#claims")).to_contain_text("Town 50 was founded in 1050")
    page.locator("#claims").get_by_text("Town 50 was founded in 1050").click()
    expect(page.locator("#claim")).to_contain_text("Town 50 was founded in 1050")
