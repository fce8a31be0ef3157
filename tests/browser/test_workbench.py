"""A reviewer's day at the workbench, by the keyboard alone."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect

from accounts.models import Application, Role
from accounts.services import grant_role
from analysis.models import ClaimVerdict, QueueInstructions, ReasonCode, Review, ReviewDraft
from analysis.services.policies import create_policy
from tests.browser.accessibility import assert_accessible, grave_violations
from tests.browser.conftest import PASSWORD
from tests.browser.test_review_desk import ANSWER, SOURCES, submit_blocked

ITEMS = 20
LOADED = "[data-bench][data-loaded]"
"""The item that is shown, once the next one has been loaded behind it."""


@pytest.fixture
def anna(page, token) -> Page:
    """Log a reviewer of the application in through the form, at the empty workbench."""
    member("anna", Role.REVIEWER)
    # A test before this one may have emptied the tables, and with them the codes that migrations
    # bring.
    for at, (code, label, decision) in enumerate(
        [
            ("contradicts-source", "A source says otherwise", "confirmed"),
            ("not-in-sources", "Not in the sources", "confirmed"),
            ("is-supported", "The sources support it", "overturned"),
            ("source-is-wrong", "The source is wrong or out of date", "overturned"),
        ]
    ):
        ReasonCode.objects.get_or_create(
            code=code, defaults={"label": label, "decision": decision, "position": at}
        )
    log_in(page, "anna")
    return page


def member(name: str, role: Role) -> None:
    """Make somebody of the application with a role and a password."""
    user = User.objects.create_user(name, password=PASSWORD, is_staff=True)
    application = Application.objects.get(slug="help-desk")
    grant_role(user=user, application=application, role=role, by="test")


def log_in(page: Page, name: str) -> None:
    """Log in through the form, to the workbench."""
    page.context.clear_cookies()
    page.goto("/admin/login/?next=/admin/analysis/review/workbench/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Checks", exact=True).wait_for()
    page.wait_for_load_state()  # keys mean something once the script has run


def wait_for_empty(page: Page) -> None:
    """Wait until nothing is left in the queue, and keys work."""
    page.get_by_text("Nothing is waiting for you.").wait_for()
    page.wait_for_load_state()


def ready(page: Page) -> Locator:
    """The form of the item, once its keys mean something."""
    form = page.locator("#decide")
    expect(form).to_be_visible()
    page.wait_for_load_state()
    return form


@pytest.mark.timeout(420)  # twenty checks and as many pages, on whatever machine this is
def test_twenty_items_by_the_keyboard_alone(anna, submit, picture) -> None:
    for n in range(ITEMS - 1):
        submit(
            query=f"When did SSN College close? ({n})",
            answer=f"SSN College definitely closed in {2020 + n}.", sources=SOURCES,
        )  # fmt: skip
    submit_blocked(submit)
    page, strokes, requests = anna, list[str](), list[tuple[str, str, str]]()

    def press(key: str) -> None:
        strokes.append(key)
        page.keyboard.press(key)

    page.reload()
    page.on("request", lambda r: requests.append((r.method, r.resource_type, r.url)))
    for n in range(ITEMS):
        form = ready(page)
        last = n == ITEMS - 1
        page.locator("[data-bench]:not([data-loaded])" if last else LOADED).wait_for()
        strokes.clear()
        expect(form.locator("[name=reason_codes]:checked")).to_have_count(0)
        if n == 1:
            press("n")
            expect(page.locator("[data-row]:focus")).to_have_count(1)
            press("a")
            press("m")
            page.keyboard.type("Seen: 1, 2 and a do nothing in here.")
            with page.expect_response(lambda r: "note=Seen" in (r.request.post_data or "")):
                press("Escape")
            assert ReviewDraft.objects.get().fields["note"].startswith("Seen")
            page.evaluate("window.scrollTo(0, 0)")
            picture(page, "workbench.png", 1000)
            page.locator("#note").fill("")
            press("Escape")
        item = page.url
        if n % 2:
            press("2")
            expect(page).to_have_url(item)  # it waits for the reason
            expect(form.get_by_label("The sources support it")).to_be_visible()
            expect(form.get_by_label("A source says otherwise")).to_be_hidden()
            number = form.locator("label", has_text="The sources support it").locator("kbd")
            requests.clear()
            press(number.inner_text())
        else:
            requests.clear()
            press("1")
        expect(page).not_to_have_url(item)
        assert requests[0] == ("POST", "fetch", item)
        documents = [url for _, kind, url in requests if kind == "document"]
        assert documents == ([page.url] if last else [])  # no page is loaded between two items
        assert len(strokes) <= 2 or n == 1  # the one that is looked at more closely
    wait_for_empty(page)

    assert Review.objects.filter(decided_by__username="anna").count() == ITEMS
    assert Review.objects.filter(decision="overturned").count() == ITEMS // 2
    reasons = Review.objects.filter(decision="overturned").values_list("reason_codes", flat=True)
    assert list(reasons) == [["is-supported"]] * (ITEMS // 2)
    assert ClaimVerdict.objects.get().agrees
    assert not ReviewDraft.objects.exists()


def test_what_another_takes_meanwhile_is_not_shown_to_two(anna, submit, chromium, stack) -> None:
    """Both have loaded the same item ahead: the first to decide gets it, the other the next."""
    for n in range(4):
        submit(
            query=f"When did SSN College close? ({n})",
            answer=f"SSN College definitely closed in {2020 + n}.", sources=SOURCES,
        )  # fmt: skip
    member("ben", Role.REVIEWER)
    his = chromium.new_context(base_url=stack.url).new_page()
    anna.reload()
    ready(anna)
    anna.locator("#decide textarea").first.fill("Mine.")
    expect(anna.locator("#draft-state")).to_contain_text("Draft saved")
    log_in(his, "ben")
    ready(his)
    his.locator("#decide textarea").first.fill("His.")
    expect(his.locator("#draft-state")).to_contain_text("Draft saved")
    anna.reload()  # what she had loaded is in his hands
    anna.locator(LOADED).wait_for()
    same = anna.locator(LOADED).get_attribute("data-loaded") or ""
    expect(his.locator("[data-bench]")).to_have_attribute("data-loaded", same)
    for page in (anna, his):
        item = page.url
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("1")
        expect(page).not_to_have_url(item)
        ready(page)
    claimed = Review.objects.filter(decision=None).values_list("pk", "claimed_by__username")
    assert dict(claimed) == dict(zip(sorted(dict(claimed)), ("anna", "ben"), strict=True))
    assert anna.url.endswith(f"/{same.split('.')[0]}/workbench/")
    anna.locator("#decide").get_by_label("Note").fill("Mine.")
    expect(anna.locator("#draft-state")).to_contain_text("Draft saved")
    anna.go_back()
    expect(anna.get_by_text("Confirmed").first).to_be_visible()  # the item before, as it is now
    his.context.close()


def test_undo_skip_and_the_list_of_keys(anna, submit) -> None:
    submit_blocked(submit)
    page, press = anna, anna.keyboard.press
    page.reload()
    form = ready(page)
    assert_accessible(page)
    press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert_accessible(page)
    press("1")  # the list is open: keys mean nothing behind it
    press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    expect(form).to_be_visible()
    press("o")
    expect(page.get_by_role("dialog")).to_contain_text("State gazette, notice 114")
    press("Escape")

    press("3")
    # Without reason codes there is nothing to choose: tests before this one may have deleted them.
    words = re.compile(r"(Choose the reason, or write a|Say why in the) note\.")
    expect(form.get_by_role("status").first).to_have_text(words)
    page.evaluate("document.activeElement.blur()")  # it may be in the note already
    press("m")
    page.keyboard.type("Ask legal.")
    press("Control+Enter")
    wait_for_empty(page)
    assert Review.objects.get(stage="first").decision == "escalated"

    press("u")
    page.get_by_text("The decision was undone").wait_for()
    page.wait_for_load_state()
    expect(page.get_by_label("Note")).to_have_value("Ask legal.")
    assert Review.objects.get().decision is None

    press("s")
    page.keyboard.type("I wrote this answer")
    press("Enter")
    wait_for_empty(page)
    assert Review.objects.get().skips.get().reason == "I wrote this answer"


def test_an_item_chosen_from_the_list_is_decided_with_two_keys(anna, submit) -> None:
    for n in range(4):
        submit(
            query=f"When did SSN College close? ({n})",
            answer=f"SSN College definitely closed in {2020 + n}.", sources=SOURCES,
        )  # fmt: skip
    page, press, documents = anna, anna.keyboard.press, list[str]()
    page.reload()
    ready(page)
    rows = page.locator("[data-go]")
    expect(rows).to_have_count(4)
    page.on("request", lambda r: documents.append(r.url) if r.resource_type == "document" else None)
    press("j")
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    chosen = rows.nth(1).get_attribute("data-go")
    page.locator(LOADED).wait_for()
    press("1")
    expect(page.locator(f"[data-bench][data-item='{chosen}']")).to_have_count(0)
    expect(rows).to_have_count(3)
    assert Review.objects.exclude(decision=None).get().pk == int(chosen or 0)
    rows.last.click()
    expect(rows.last).to_have_attribute("aria-current", "true")
    assert documents == []


def test_undo_moves_nothing_and_its_message_ends_with_the_item(anna, submit) -> None:
    for _ in range(3):
        submit_blocked(submit)
    page, work = anna, anna.locator(".wd-item")

    def confirm() -> None:
        page.locator(LOADED).wait_for()
        item = page.url
        page.keyboard.press("1")
        expect(page).not_to_have_url(item)
        ready(page)

    page.reload()
    ready(page)
    place = work.bounding_box() or {}
    confirm()
    expect(page.locator(".wd-undo")).to_be_visible()
    assert (work.bounding_box() or {})["y"] == place["y"]
    page.keyboard.press("u")
    page.get_by_text("The decision was undone").wait_for()
    page.wait_for_load_state()
    assert (work.bounding_box() or {})["y"] == place["y"]
    confirm()
    expect(page.get_by_text("The decision was undone")).to_have_count(0)
    assert (work.bounding_box() or {})["y"] == place["y"]
    page.locator(LOADED).wait_for()
    page.keyboard.press("h")
    expect(page.get_by_text("Snoozed: it comes back in 24 hours.")).to_be_visible()
    assert (work.bounding_box() or {})["y"] == place["y"]


def test_evidence_stands_beside_each_sentence_and_it_fits_a_phone(anna, submit) -> None:
    submit_blocked(submit)
    page, press = anna, anna.keyboard.press
    page.reload()
    ready(page)
    assert "".join(page.locator("[data-piece]").all_text_contents()) == ANSWER
    sentence = page.locator(".wd-sentence", has_text="It definitely closed in 2026")
    expect(sentence.locator("mark", has_text="2026")).to_be_visible()
    expect(sentence.locator("blockquote mark", has_text="2019")).to_be_visible()
    expect(page.get_by_role("heading", name="The user got")).to_be_visible()
    boxes = [
        sentence.locator(part).first.bounding_box() or {}
        for part in (".wd-sentence__text", ".wd-sentence__evidence")
    ]
    assert abs(boxes[0]["y"] - boxes[1]["y"]) < 4
    press("n")
    press("n")
    second = page.locator("[data-row]").nth(1)
    expect(second).to_be_focused()
    expect(second).to_be_in_viewport()
    press("x")
    expect(second.locator("select")).to_have_value("Supported")
    press("x")
    expect(second.locator("select")).to_have_value("Contradictory")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def test_a_lead_settles_what_two_reviewers_saw_differently(anna, submit) -> None:
    Application.objects.update(second_review_share=1.0)
    member("ben", Role.REVIEWER)
    member("lea", Role.LEAD)
    submit_blocked(submit)
    page, press = anna, anna.keyboard.press
    for name, key, words in (("anna", "2", "Anna finds it fine."), ("ben", "1", "Ben does not.")):
        log_in(page, name)
        ready(page)
        expect(page.get_by_text("Anna finds it fine.")).to_have_count(0)
        press("m")
        page.keyboard.type(words)
        press("Escape")
        press(key)
        wait_for_empty(page)
    log_in(page, "lea")
    ready(page)
    expect(page.get_by_text("Adjudication by a lead")).to_be_visible()
    expect(page.get_by_text("Anna finds it fine.")).to_be_visible()
    expect(page.get_by_text("Ben does not.")).to_be_visible()
    expect(page.get_by_role("button", name="Escalate")).to_have_count(0)
    press("1")
    wait_for_empty(page)
    decided = Review.objects.order_by("id").values_list("stage", "decision", "decided_by__username")
    assert list(decided) == [
        ("first", "overturned", "anna"), ("second", "confirmed", "ben"),
        ("adjudication", "confirmed", "lea"),
    ]  # fmt: skip


def test_a_held_answer_is_approved_after_a_first_opinion(anna, submit, stack, token) -> None:
    """By the keyboard alone: the opinion, a corrected text, the approval, which is final."""
    application = Application.objects.get(slug="help-desk")
    rules = {"hold": {"risk_at": 0}, "review": {"opinion_first": True}}
    create_policy(application_id=application.pk, rules=rules, by="test", activate=True)
    QueueInstructions.objects.create(application=application, reason="held", text="Name the year.")
    check_id = submit(query="When?", answer="SSN College closed in 2019.", sources=SOURCES)
    page, press = anna, anna.keyboard.press
    page.reload()
    expect(page.get_by_text("Name the year.")).to_be_visible()
    page.wait_for_load_state()
    for verdict in ("WARN", "Supported", "approve the answer"):
        expect(page.locator(".wd-bench").get_by_text(verdict)).to_have_count(0)
    expect(page.get_by_role("heading", name="Would you show this answer?")).to_be_visible()
    assert grave_violations(page) == []
    press("1")
    form = ready(page)
    expect(form.get_by_role("heading", name="May the user get this answer?")).to_be_visible()
    expect(page.get_by_text("A person has to approve the answer")).to_be_visible()
    assert grave_violations(page) == []
    page.locator(".wd-sentence__evidence").first.hover()
    expect(form.locator("[name=evidence_seconds]")).not_to_have_value("0")
    press("2")  # a refusal has no reasons to choose from: what is typed is the note
    # Without reason codes there is nothing to choose: tests before this one may have deleted them.
    words = re.compile(r"(Choose the reason, or write a|Say why in the) note\.")
    expect(form.get_by_role("status").first).to_have_text(words)
    expect(page.get_by_label("Note")).to_be_focused()
    press("Escape")
    press("Escape")
    press("t")
    page.keyboard.type("It closed in 2019.")
    press("Escape")
    press("1")
    wait_for_empty(page)
    review = Review.objects.get()
    assert (review.decision, review.opinion) == ("approved", "show")
    assert review.evidence_seconds
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    with stack.client(token) as client:
        check = client.get(f"/api/v1/checks/{check_id}").json()
    assert (check["hold"]["state"], check["final_response"]) == ("edited", "It closed in 2019.")
