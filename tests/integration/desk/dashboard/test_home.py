"""The home page of staff: the queue, today's figures, what is wrong, and who sees it."""

from datetime import date, timedelta
from types import SimpleNamespace
from typing import cast

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.models import Role
from analysis.models import Review, ReviewDecision
from analysis.services.submission import NewCheck, submit
from desk.dashboard.pages.home import signals_that_did_not_run
from desk.dashboard.period import PeriodCounts
from desk.dashboard.selectors import home
from desk.reviews.figures.dashboard_filter import DashboardFilter
from desk.reviews.services.reviews import decide_review
from tests.conftest import SSN_QUESTION
from tests.integration.people import person, put

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewer(application) -> User:
    return person("rae", Role.REVIEWER, application)


def home_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    response = client.get("/")
    assert response.status_code == 200
    return response.content.decode()


def test_an_empty_home_says_that_nothing_waits(reviewer) -> None:
    html = home_of(reviewer)
    assert "Nothing is waiting for you." in html
    assert "Needs attention" not in html


def test_a_flagged_check_is_in_the_queue(reviewer, checked) -> None:
    checked(query=SSN_QUESTION, sources=["SSN College closed in 2019."])
    html = home_of(reviewer)
    assert "Blocked" in html
    assert "Start reviewing" in html


def test_a_reviewer_sees_the_next_items_and_an_auditor_a_search(reviewer, application) -> None:
    first, second = put(application, 2)
    html = home_of(reviewer)
    assert html.index(f"/review/{first}/workbench/") < html.index(f"/review/{second}/workbench/")
    assert "0 decided today" in html
    assert "Find a decision" not in html
    decide_review(
        review=Review.objects.get(pk=first), decision=ReviewDecision.CONFIRMED, by=reviewer
    )
    html = home_of(reviewer)
    assert f"/review/{first}/workbench/" not in html
    assert "1 decided today" in html
    auditor = home_of(person("arun", Role.AUDITOR, application))
    assert "Find a decision" in auditor
    assert "wd-next" not in auditor


def test_disagreements_are_on_the_home_of_the_lead_who_may_settle_them(
    reviewer, lead, as_user, application
) -> None:
    review, other = Review.objects.filter(pk__in=put(application, 2))
    decide_review(review=review, decision=ReviewDecision.ESCALATED, by=reviewer, note="Unclear.")
    row = "Disagreements and escalations, for a lead to settle"
    assert row in home_of(lead)
    assert row not in home_of(reviewer)
    client = as_user(lead)
    address = f"/admin/analysis/review/workbench/next/?application={application.pk}"
    settled = Review.objects.get(stage="adjudication")
    item = f"/admin/analysis/review/{settled.pk}/workbench/?application={application.pk}"
    assert client.post(f"{address}&stage=adjudication")["Location"] == f"{item}&stage=adjudication"
    empty = client.post(f"{address}&stage=adjudication", follow=True)
    assert "Nothing is left in “For a lead to settle”" in empty.content.decode()
    assert str(other.pk) in client.post(f"{address}&reason=block")["Location"]


def test_checks_that_wait_too_long_are_reported(reviewer, make_check, monkeypatch) -> None:
    make_check()
    assert "The oldest check has been waiting" not in home_of(reviewer)
    monkeypatch.setattr(home, "SLOW_QUEUE", timedelta(0))
    assert "The oldest check has been waiting for 0 minutes" in home_of(reviewer)


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({"any": 2, "failed": 2}, []),
        ({"any": 1, "judge": 1}, ["did not run in 1 of 9 checks today."]),
        (
            {"any": 3, "failed": 1, "judge": 1, "grounding": 2, "uncertainty": 1},
            ["3 signals did not run in some of 9 checks today, most often"],
        ),
    ],
)
def test_one_check_without_signals_is_one_alert(counts, told) -> None:
    reading = SimpleNamespace(counts=counts, of=9)
    filters = DashboardFilter(date(2026, 5, 1), date(2026, 5, 1))
    today = cast(PeriodCounts, SimpleNamespace(filters=filters, whole=lambda metric: reading))
    alerts = signals_that_did_not_run(today)
    assert len(alerts) == len(told)
    assert all(words in alert.text for words, alert in zip(told, alerts, strict=True))


def test_other_applications_are_not_shown(reviewer, other_application, monkeypatch) -> None:
    monkeypatch.setattr(home, "SLOW_QUEUE", timedelta(0))
    submit(application_id=other_application.pk, new=NewCheck(answer="Yes."), by="test")
    assert "The oldest check" not in home_of(reviewer)


def test_the_queries_do_not_grow_with_the_queue(
    reviewer, as_user, checked, django_assert_max_num_queries
) -> None:
    for n in range(3):
        checked(answer=f"It closed in {2020 + n}.", sources=["It closed."])
    client = as_user(reviewer)
    # Session, user, memberships; applications; queues (roles of the reader twice), held item;
    # cells of today and of yesterday; overturned today and yesterday; oldest, dead, documents,
    # overdue; messages; the next items, assigned and free; decided today.
    with django_assert_max_num_queries(20):
        client.get("/")
