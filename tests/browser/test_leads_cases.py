"""Leads add a case, make a sampling plan and fit a policy; each page is judged by axe-core."""

from playwright.sync_api import expect

from analysis.models import Policy
from tests.browser.accessibility import assert_accessible
from tests.browser.test_review_desk import submit_blocked


def test_cases_plan_and_fit(logged_in, submit) -> None:
    submit_blocked(submit)
    page = logged_in
    page.goto("/admin/analysis/case/add/")
    page.locator("#id_use").select_option("seeded")
    page.locator("#id_query").fill("How many rooms has the mill?")
    page.locator("#id_answer").fill("The mill has 20 rooms.")
    page.locator("#id_sources").fill("The mill has 10 rooms.")
    assert_accessible(page)
    page.locator("[name=_save]").click()
    expect(page.locator("#result_list")).to_contain_text("How many rooms has the mill?")
    assert_accessible(page)

    page.goto("/admin/analysis/review/sampling/")
    expect(page.locator("main")).to_contain_text("There is no plan yet.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("row").filter(has_text="BLOCK")).to_contain_text("0 of 149")
    assert_accessible(page)

    page.goto(f"/admin/analysis/policy/{Policy.objects.latest('pk').pk}/fit/")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".messagelist")).to_contain_text("0 reviews of the quality sample")
    assert_accessible(page)
