"""A reviewer's work, in a real browser on real processes."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import for_pictures

QUESTION = "When did SSN College close, and what became of it?"
ANSWER = (
    "SSN College was founded in 1996 in Chennai. "
    "It definitely closed in 2026 and merged with SNU. "
    "The library of SSN College holds 40,000 books and 200 maps. "
    "Many former students still meet there every spring."
)
SOURCES = [
    {
        "id": "gazette",
        "title": "State gazette, notice 114",
        "uri": "https://gazette.example/114",
        "text": "SSN College in Chennai was founded in 1996. SSN College closed in 2019. "
        "SSN College did not merge with SNU; its buildings were sold.",
    },
    {
        "id": "library",
        "title": "Library report",
        "uri": "https://library.example/report",
        "text": "The library of SSN College holds 40,000 books and 200 maps.",
    },
]
HOSTILE = (
    '<script>alert("ran")</script><img src=x onerror="alert(1)"><style>*{display:none}</style>'
    "<a href=\"javascript:alert(2)\">x</a></pre></details>{% now 'Y' %}"
)


def submit_blocked(submit: Callable[..., str]) -> str:
    return submit(
        query=QUESTION, answer=ANSWER, sources=SOURCES, source_model="helper-7b",
        metadata={"channel": "web chat"},
    )  # fmt: skip


def test_a_reviewer_finds_the_blocked_answer_reads_the_evidence_and_decides(
    logged_in, submit, picture
) -> None:
    submit(query="When did SSN College close?", answer="SSN College definitely closed in 2026.")
    submit_blocked(submit)
    page = logged_in
    page.get_by_role("link", name="Checks", exact=True).first.click()
    expect(page.locator("#result_list tbody tr")).to_have_count(2)
    picture(page, "checks.png")

    page.locator("#changelist-filter summary", has_text="Action").click()
    page.locator("#changelist-filter").get_by_role("link", name="BLOCK").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(1)
    page.locator("#result_list").get_by_role("link", name=QUESTION).click()

    expect(page.get_by_role("heading", name="BLOCK", level=1)).to_be_visible()
    contradictions = page.locator("[data-answer] a.wd-contradictory")
    expect(contradictions.first).to_be_visible()
    assert "2026" in " ".join(contradictions.all_inner_texts())
    pieces = page.locator("[data-answer] [data-piece]").all_text_contents()
    assert "".join(pieces) == ANSWER
    picture(page, "verdict.png", 1320)

    contradictions.first.click()
    claim = page.locator("#claim.wd-claim--contradictory")
    expect(claim).to_be_focused()
    expect(claim).to_be_in_viewport()
    expect(claim.get_by_text("Contradicts the claim", exact=True)).to_be_visible()
    expect(claim.locator("blockquote").first).to_contain_text("2019")
    expect(claim.locator("figcaption").first).to_contain_text("State gazette, notice 114")
    expect(claim.locator("mark.wd-against").first).to_have_text("2019")
    claim.get_by_text("Details: how this was measured").click()
    expect(claim.get_by_role("rowheader", name="Conflicts with a passage")).to_be_visible()

    page.get_by_label("Note").fill("The gazette says 2019.")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("The review is confirmed.")).to_be_visible()
    expect(page.locator("#review")).to_contain_text("The gazette says 2019.")


def test_hostile_text_is_shown_and_never_run(logged_in, submit) -> None:
    hostile = [{"id": HOSTILE, "title": HOSTILE, "uri": "javascript:alert(3)", "text": HOSTILE}]
    check = submit(
        query=HOSTILE, answer=f"{HOSTILE} SSN College closed in 2026. {HOSTILE}", sources=hostile,
        source_model=HOSTILE, metadata={HOSTILE: HOSTILE},
    )  # fmt: skip
    page = logged_in
    page.goto("/admin/analysis/check/")
    expect(page.locator("#result_list")).to_contain_text('<script>alert("ran")</script>')
    page.goto(f"/admin/analysis/check/{check}/change/")
    pieces = page.locator("[data-answer] [data-piece]").all_text_contents()
    assert "".join(pieces) == f"{HOSTILE} SSN College closed in 2026. {HOSTILE}"
    assert page.locator(".wd-page script, .wd-page img, .wd-page style").count() == 0
    assert page.locator('[href^="javascript:"]').count() == 0
    for details in page.locator("details").all():
        details.evaluate("found => { found.open = true }")
    expect(page.locator(".wd-page")).to_be_visible()
    # The `page` fixture now demands that no dialog opened and the console stayed silent.


WHY = ".wd-card:has(#why-title)"


def test_the_answer_its_evidence_and_the_rest_use_both_halves_of_a_laptop(
    logged_in, submit
) -> None:
    page = logged_in
    page.goto(f"/admin/analysis/check/{submit_blocked(submit)}/change/")
    tops = {
        name: (page.locator(name).bounding_box() or {}).get("y", 0)
        for name in ("#claim", ".wd-card:has(#question-title)", "#review", ".wd-safe", WHY)
    }
    assert tops["#claim"] == tops[".wd-card:has(#question-title)"] < 450
    assert tops["#review"] < 900
    assert tops["#review"] == tops[WHY] < tops[".wd-safe"]
    expect(page.locator(".wd-legend .wd-against")).to_have_count(1)


def test_the_keyboard_reaches_claims_signals_and_buttons(logged_in, submit) -> None:
    page = logged_in
    page.goto(f"/admin/analysis/check/{submit_blocked(submit)}/change/")
    for reached in (
        page.locator("[data-answer] a").first,
        page.locator("#claim summary").first,
        page.get_by_label("Note"),
        page.get_by_role("button", name="Overturn"),
    ):
        reached.focus()
        expect(reached).to_be_focused()
    page.locator("[data-answer] a.wd-contradictory").first.press("Enter")
    expect(page.locator("#claim.wd-claim--contradictory")).to_be_focused()
    page.locator("#claim summary").first.press("Enter")
    expect(page.locator("#claim details[open]")).to_be_visible()


@for_pictures
def test_pictures_of_the_verdict(logged_in, submit, picture) -> None:
    page = logged_in
    page.emulate_media(color_scheme="dark")
    page.goto(f"/admin/analysis/check/{submit_blocked(submit)}/change/")
    picture(page, "verdict-dark.png")
    page.set_viewport_size({"width": 390, "height": 844})
    picture(page, "verdict-phone-dark.png", 844)
