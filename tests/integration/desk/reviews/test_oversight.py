"""Human oversight: time on an item, agreement with the machine, and who may read it."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Role, Scope
from analysis.models import Opinion, QueueInstructions, Review, ReviewDecision
from analysis.services.policies import create_policy
from audit.models import Event, TrailEntry
from desk.reviews.selectors.oversight import OversightFigures, oversight
from desk.reviews.services.queue import claim_review, give_opinion, release
from desk.reviews.services.reviews import Words, decide_review, undo_decision

pytestmark = pytest.mark.usefixtures("empty_redis")
WRONG = {"answer": "The mill has 20 rooms.", "sources": ["The mill has 10 rooms."]}
CONFIRMED, OVERTURNED = ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED
PATH, PAGE = "/api/v1/reviews/oversight", "/admin/analysis/review/oversight/"


@pytest.fixture
def ada(application, member) -> User:
    return member("ada", Role.REVIEWER, application)


@pytest.fixture
def waiting(checked) -> Callable[[], Review]:
    """A blocked answer that waits for a reviewer."""

    def make() -> Review:
        return Review.objects.get(check_record=checked(**WRONG))

    return make


def take(review: Review, by: User, *, seconds: float) -> None:
    """Claim a review so many seconds ago."""
    claim_review(review=review, by=by)
    began_at = timezone.now() - timedelta(seconds=seconds)
    Review.objects.filter(pk=review.pk).update(work_began_at=began_at)


def figures(*, weekly: bool = False) -> list[OversightFigures]:
    now = timezone.now()
    start, end = now - timedelta(days=1), now + timedelta(days=1)
    return oversight(Review.objects.all(), start=start, end=end, weekly=weekly)


def test_time_and_agreement_by_reviewer(waiting, ada, superuser) -> None:
    for seconds, decision in ((3, CONFIRMED), (40, CONFIRMED), (100, OVERTURNED)):
        review = waiting()
        take(review, ada, seconds=seconds)
        decide_review(review=review, decision=decision, by=ada, note="seen")
    decide_review(review=waiting(), decision=CONFIRMED, by=superuser, note="unclaimed")
    hers, other = figures()
    assert (hers.reviewer, hers.decided, hers.judgements, hers.agreed) == ("ada", 3, 3, 2)
    assert hers.share == pytest.approx(2 / 3)
    assert hers.low is not None
    assert hers.high is not None
    assert hers.low < 2 / 3 < hers.high
    assert (hers.timed, hers.quick) == (3, 1)
    assert hers.median_seconds == pytest.approx(40, abs=3)
    assert (other.reviewer, other.timed, other.median_seconds) == ("root", 0, None)
    monday = timezone.now().date() - timedelta(days=timezone.now().weekday())
    assert [(row.reviewer, row.week) for row in figures(weekly=True)] == [
        ("ada", monday), ("root", monday),
    ]  # fmt: skip


def test_opinions_given_up_and_time_on_the_evidence(waiting, ada, superuser) -> None:
    cases = (
        (Opinion.SHOW, CONFIRMED, 4), (Opinion.WITHHOLD, CONFIRMED, 8),
        (Opinion.SHOW, OVERTURNED, 90), (Opinion.UNSURE, CONFIRMED, 100),
    )  # fmt: skip
    for opinion, decision, seconds in cases:
        review = waiting()
        give_opinion(review=review, by=ada, opinion=opinion)
        give_opinion(review=review, by=ada, opinion=Opinion.UNSURE)  # the first one stays
        words = Words(note="seen", evidence_seconds=seconds)
        decide_review(review=review, decision=decision, by=ada, words=words)
    other = waiting()
    give_opinion(review=other, by=superuser, opinion=Opinion.SHOW)
    release(review=other, by=superuser)
    decide_review(review=other, decision=CONFIRMED, by=ada)
    (row,) = figures()
    assert (row.opinions, row.moved, row.median_evidence_seconds) == (3, 1, 49.0)
    entry = TrailEntry.objects.filter(event=Event.REVIEW_CHANGED, data__change="opinion").first()
    assert entry is not None
    assert (entry.actor, entry.data["opinion"]) == ("ada", "show")


def test_the_verdict_is_shown_after_a_first_opinion(application, waiting, ada, as_user) -> None:
    rules = {"review": {"opinion_first": True}}
    create_policy(application_id=application.pk, rules=rules, by="test", activate=True)
    browser, path = as_user(ada), f"/admin/analysis/review/{waiting().pk}/workbench/"
    page = browser.get(path).content.decode()
    for secret in ("BLOCK", "contradicts", "The user got", 'value="confirmed"', "wd-against"):
        assert secret not in page
    assert "20 rooms" in page
    assert "10 rooms" in page  # the source
    assert browser.post(path, {"do": "opinion", "opinion": "perhaps"}).status_code == 400
    assert browser.post(path, {"do": "opinion", "opinion": "show"}).status_code == 302
    page = browser.get(path).content.decode()
    assert "BLOCK" in page
    assert 'value="confirmed"' in page
    assert Review.objects.get().opinion == "show"


def test_leads_write_instructions_that_the_reviewers_of_a_queue_read(
    application, other_application, waiting, ada, member, as_user
) -> None:
    add = "/admin/analysis/queueinstructions/add/"
    form = {"application": application.pk, "reason": "block", "text": "Rooms are in the plan."}
    assert as_user(ada).post(add, form).status_code == 403
    lead = as_user(member("lea", Role.LEAD, application))
    assert lead.post(add, form).status_code == 302
    assert lead.post(add, {**form, "application": other_application.pk}).status_code == 200
    assert lead.post(add, form).status_code == 200  # it has instructions already
    QueueInstructions.objects.create(application=application, text="Be fair.")
    QueueInstructions.objects.create(application=application, reason="warn", text="Not here.")
    QueueInstructions.objects.create(application=other_application, text="Nor this.")
    page = as_user(ada).get(f"/admin/analysis/review/{waiting().pk}/workbench/").content.decode()
    assert page.index("Be fair.") < page.index("Rooms are in the plan.")
    assert "Not here." not in page
    assert "Nor this." not in page
    entry = TrailEntry.objects.get(event=Event.APPLICATION_CHANGED, data__queue="block")
    assert entry.actor == "lea"
    assert "text_sha256" in entry.data


def test_an_escalation_agrees_with_nobody(waiting, ada) -> None:
    decide_review(review=waiting(), decision=ReviewDecision.ESCALATED, by=ada, note="unsure")
    (row,) = figures()
    assert (row.decided, row.judgements, row.share) == (1, 0, None)


def test_the_time_is_that_of_who_decided(waiting, ada, superuser) -> None:
    review = waiting()
    take(review, ada, seconds=500)
    release(review=review, by=ada)
    assert Review.objects.get(pk=review.pk).work_began_at is None

    take(review, ada, seconds=500)
    Review.objects.filter(pk=review.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    decide_review(review=review, decision=CONFIRMED, by=superuser)
    assert Review.objects.get(pk=review.pk).work_began_at is None


def test_undone_and_decided_again_it_is_one_time(waiting, ada) -> None:
    review = waiting()
    take(review, ada, seconds=20)
    decide_review(review=review, decision=CONFIRMED, by=ada)
    undo_decision(review=review, by=ada)
    decide_review(review=review, decision=OVERTURNED, by=ada, note="on second thoughts")
    (row,) = figures()
    assert row.median_seconds == pytest.approx(20, abs=3)


def test_leads_and_auditors_see_it_and_reviewers_do_not(
    application, other_application, waiting, ada, member, as_user
) -> None:
    decide_review(review=waiting(), decision=CONFIRMED, by=ada)
    reviewer = as_user(ada)
    assert reviewer.get(PAGE).status_code == 403
    assert PAGE not in reviewer.get("/admin/analysis/review/").content.decode()
    for name, role in (("lead", Role.LEAD), ("auditor", Role.AUDITOR)):
        browser = as_user(member(name, role, application))
        assert PAGE in browser.get("/admin/analysis/review/").content.decode()
        with CaptureQueriesContext(connection) as context:
            page = browser.get(PAGE, {"days": "30"}).content.decode()
        assert len(context) <= 10
        assert page.count("ada") == 2
        assert "100.0%" in page
    elsewhere = as_user(member("other", Role.LEAD, other_application))
    assert "ada" not in elsewhere.get(PAGE).content.decode()


def test_the_api_gives_it_by_reviewer_and_by_week(
    application, other_application, waiting, ada, client_with
) -> None:
    decide_review(review=waiting(), decision=CONFIRMED, by=ada)
    client = client_with(application, Scope.REVIEWS_READ)
    (row,) = client.get(PATH).json()["results"]
    assert (row["reviewer"], row["agreed"], row["week"]) == ("ada", 1, None)
    (row,) = client.get(PATH, {"weekly": "true"}).json()["results"]
    assert datetime.fromisoformat(row["week"]).weekday() == 0
    assert client_with(other_application, Scope.REVIEWS_READ).get(PATH).json()["results"] == []
    wrong = {"decided_after": "2026-01-02T00:00:00Z", "decided_before": "2026-01-01T00:00:00Z"}
    assert client.get(PATH, wrong).status_code == 400
