"""A lead's work with a policy, in a real browser on real processes."""

from playwright.sync_api import expect

from accounts.models import Application
from analysis.services.policies import active_policy
from tests.browser.accessibility import assert_accessible
from tests.browser.test_overflow import TABLES_CUT_OFF

SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]


def test_a_lead_tries_a_change_on_history_and_puts_it_in_force(logged_in, submit, picture) -> None:
    check = submit(answer="The mill stands in Lyon. Bananas grow in Kenya.", sources=SOURCES)
    policy = active_policy(Application.objects.get(slug="help-desk").pk)
    page = logged_in
    page.goto(f"/admin/analysis/policy/{policy.pk}/change/")
    page.get_by_role("link", name="Edit").click()
    page.get_by_text("Start from a preset").click()
    page.get_by_role("link", name="Stricter").click()
    expect(page.locator("#effect")).to_contain_text("1 of 1 would be decided differently.")
    assert_accessible(page)
    picture(page, "policy-presets.png", 1000)
    page.get_by_role("link", name="Version 1, in force").click()
    expect(page.locator("#effect")).to_contain_text("0 of 1 would be decided differently.")
    page.get_by_label("Some claims are not supported").select_option("BLOCK")
    expect(page.locator("#effect")).to_contain_text("1 of 1 would be decided differently.")

    page.get_by_label("Warn from").fill("90")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.locator("#error_warn_at")).to_have_text("90 is above “Block from” 70")
    picture(page, "policy-form.png", 1100)

    page.get_by_label("Warn from").fill("35")
    page.get_by_label("Some claims are not supported").select_option("BLOCK")
    page.get_by_label("Why", exact=True).fill("Nothing unverified may pass")
    page.get_by_role("button", name="Save as a new version").click()
    expect(
        page.get_by_text("Version 2 was saved. It decides nothing until it is activated.")
    ).to_be_visible()

    page.get_by_role("link", name="Try on past checks").click()
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.get_by_role("heading", name="1 of 1 actions change")).to_be_visible()
    assert page.evaluate(TABLES_CUT_OFF) == []
    link = page.locator(f'a[href$="{check}/change/"]')
    expect(link).to_be_visible()
    picture(page, "policy-replay.png", 1500)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0

    page.set_viewport_size({"width": 1360, "height": 900})
    page.get_by_label("At most").fill("20000")
    page.get_by_role("button", name="Try", exact=True).click()
    page.get_by_role("button", name="Start in the background").click()
    done = page.get_by_role("heading", name="1 of 1 actions change")
    expect(done).to_be_visible(timeout=60_000)  # the page follows the job and then shows its result

    page.get_by_role("link", name="Policies", exact=True).first.click()
    page.locator("#result_list").get_by_role("link", name="Version 2", exact=True).click()
    page.get_by_role("link", name="Run in shadow").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("heading", name="Version 2 in shadow of version 1")).to_be_visible()
    submit(answer="The mill stands in Lyon. Bananas grow in Kenya.", sources=SOURCES)
    page.reload()
    expect(page.get_by_role("row", name="WARN BLOCK 1")).to_be_visible()
    assert page.evaluate(TABLES_CUT_OFF) == []
    picture(page, "policy-trial.png", 1000)
    page.get_by_role("button", name="End the trial").click()
    expect(page.get_by_text("The trial has ended.")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    page.set_viewport_size({"width": 1360, "height": 900})

    page.get_by_role("link", name="Policies", exact=True).first.click()
    page.locator("#result_list").get_by_role("link", name="Version 2", exact=True).click()
    change = page.get_by_role("row", name="Some claims are not supported WARN BLOCK")
    expect(change).to_be_visible()
    page.get_by_role("link", name="Activate").click()
    expect(page.get_by_role("heading", name="Effect on recent checks")).to_be_visible()
    expect(change).to_be_visible()
    expect(page.get_by_text("would be decided differently.")).to_be_visible()
    assert_accessible(page)
    assert page.evaluate(TABLES_CUT_OFF) == []
    page.get_by_label("Why").fill("")
    page.get_by_role("button", name="Activate version 2").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Why").fill("Agreed with the claims team")
    page.get_by_role("button", name="Activate version 2").click()
    expect(page.get_by_text("Version 2 is in force.")).to_be_visible()
    expect(page.get_by_text("Agreed with the claims team")).to_be_visible()
    expect(page.get_by_role("link", name="Roll back to version 1")).to_be_visible()
    assert_accessible(page)
