"""Checks, policies, reviews and batches × every role: who sees what, and who may change it."""

import re

import pytest
from django.urls import reverse

from analysis.models import Batch, CheckState, Review
from tests.integration.people import DECIDING, ROLES, SEEING

REFUSED = {"auditor": 403, "foreign lead": 404}


@pytest.mark.parametrize("role", ROLES)
def test_pages_by_role(role, browser, checked) -> None:
    check = checked()
    policy, review = check.annotated_answer.policy, check.reviews.get()
    batch = Batch.objects.create(application=check.application, items_total=0)
    client = browser(role)
    for row in (check, policy, review, batch):
        name = f"admin:analysis_{row._meta.model_name}"
        many = client.get(reverse(f"{name}_changelist"))
        response = client.get(reverse(f"{name}_change", args=[row.pk]), follow=True)
        if role in SEEING:
            assert row in many.context["cl"].result_list
            assert str(check.application) in response.content.decode()
            assert response.redirect_chain == [] or row is review
        else:
            assert list(many.context["cl"].result_list) == []
            assert "doesn’t exist" in response.content.decode()  # as for an unknown id


@pytest.mark.parametrize("role", ROLES)
def test_filters_name_only_applications_of_ones_own(role, browser, checked) -> None:
    checked()
    page = browser(role).get("/admin/analysis/check/").content.decode()
    assert (">Demo<" in page) == (role == "superuser"), "who has one application chooses none"
    assert (">Other<" in page) == (role == "superuser")


@pytest.mark.parametrize("role", ROLES)
def test_deciding_by_role(role, browser, checked) -> None:
    check = checked()
    review = check.reviews.get()
    client = browser(role)
    answer = client.post(
        reverse("admin:analysis_review_decide", args=[review.pk]),
        {"decision": "overturned", "note": "The source is old."},
    )
    review.refresh_from_db()
    assert (review.decision == "overturned") == (role in DECIDING)
    if role in SEEING:
        page = client.get(reverse("admin:analysis_check_change", args=[check.pk]))
        assert page.context["may_decide"] == (role in DECIDING)
    assert answer.status_code == REFUSED.get(role, 302)


@pytest.mark.parametrize("role", ROLES)
def test_replaying_by_role(role, browser, failed) -> None:
    answer = browser(role).post(reverse("admin:analysis_check_replay", args=[failed.pk]))
    failed.refresh_from_db()
    assert (failed.state == CheckState.QUEUED) == (role in DECIDING)
    assert answer.status_code == REFUSED.get(role, 302)
    assert Review.objects.filter(check_record=failed, decision=None).exists() == (
        role not in DECIDING
    )


@pytest.mark.parametrize("name", ["analysis_review_decide", "analysis_check_replay"])
def test_buttons_are_post_only(name, desk, failed) -> None:
    row = failed if name.endswith("replay") else failed.reviews.get()
    assert desk.get(reverse(f"admin:{name}", args=[row.pk])).status_code == 405
    failed.refresh_from_db()
    assert failed.state == CheckState.FAILED


_BADGE = r"</svg>\s*Gescheitert\s*</span>"


@pytest.mark.parametrize("row", ["check", "review"])
def test_the_state_of_a_check_without_a_verdict_is_in_the_readers_language(
    row, desk, failed
) -> None:
    desk.cookies["django_language"] = "de"
    assert ">failed<" not in (page := desk.get(f"/admin/analysis/{row}/").content.decode())
    assert re.search(_BADGE, page)


def test_the_review_of_a_failed_check_names_its_state_in_the_readers_language(desk, failed) -> None:
    desk.cookies["django_language"] = "de"
    address = reverse("admin:analysis_review_work", args=[failed.reviews.get().pk])
    page = desk.get(address).content.decode()
    assert re.search(_BADGE, page)
    assert 'aria-label="Gescheitert"' in page
