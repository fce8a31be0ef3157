"""`GET /api/v1/trends/quality`: rates from what reviewers decided, with intervals."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from unittest import mock

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from accounts.models import Application
from analysis.engine.signal_types import SignalState
from analysis.engine.types import SignalStatus
from analysis.models import Review, ReviewDecision
from analysis.services import checking
from desk.dashboard.selectors.quality import quality
from desk.reviews.services.decision_days import close_days
from lib.stats.bootstrap import wilson

pytestmark = pytest.mark.usefixtures("empty_redis")
PATH = "/api/v1/trends/quality"
SUPPORTED = {"answer": "The mill stands in Lyon.", "sources": ["The mill stands in Lyon."]}
UNSURE = {"answer": "The mill definitely stands in Lyon, beyond any doubt."}
CONFIRMED, OVERTURNED = ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED
ESCALATED = ReviewDecision.ESCALATED


def rates(application: Application) -> dict[str, tuple[int, int]]:
    now = timezone.now()
    metrics = quality(
        [application.pk], start=now - timedelta(hours=1), end=now + timedelta(hours=1)
    )
    return {item.metric.name: (item.overturned, item.of) for item in metrics}


def test_rates_by_what_was_reviewed(application, reviewed) -> None:
    for _ in range(3):
        reviewed(CONFIRMED, **SUPPORTED)
    reviewed(OVERTURNED, **SUPPORTED)
    reviewed(CONFIRMED, sampled=False, **UNSURE)
    reviewed(OVERTURNED, sampled=False, **UNSURE)
    reviewed(ESCALATED, **UNSURE)
    assert rates(application) == {
        "overturn_rate": (2, 6),
        "false_positive_rate": (1, 2),
        "false_negative_rate": (1, 4),
    }


def test_an_allowed_check_that_was_not_fully_checked_counts_where_chance_drew_it(
    application, reviewed
) -> None:
    real = checking.measure_submission
    failed = SignalState(SignalStatus.UNAVAILABLE, "model missing", "", 0.0)

    def missing(*arguments: object) -> object:
        measurement = real(*arguments)
        return replace(measurement, states=measurement.states | {"uncertainty": failed})

    with mock.patch.object(checking, "measure_submission", missing):
        sampled = reviewed(OVERTURNED, sampled=True, **SUPPORTED)
        other = reviewed(OVERTURNED, sampled=False, **SUPPORTED)
    assert (sampled.reason, other.reason) == ("not_checked", "not_checked")
    assert rates(application)["false_negative_rate"] == (1, 1)
    assert rates(application)["overturn_rate"] == (2, 2)


def test_the_last_opinion_counts_and_none_while_one_is_open(
    application, reviewed, superuser
) -> None:
    first = reviewed(CONFIRMED, sampled=False, **UNSURE)
    assert rates(application)["false_positive_rate"] == (0, 1)
    further = Review.objects.create(
        check_record=first.check_record, application=application, reason="warn", stage="second"
    )
    assert rates(application)["false_positive_rate"] == (0, 0)
    Review.objects.filter(pk=further.pk).update(
        decision=OVERTURNED, decided_by=superuser, decided_at=timezone.now()
    )
    assert rates(application)["false_positive_rate"] == (1, 1)


def test_whole_days_that_are_closed_count_as_the_reviews_do(
    application, checked, superuser, django_assert_max_num_queries
) -> None:
    noon = datetime.combine(timezone.now().date(), time(12), UTC)
    for days in (0, 1, 2, 3, 4, 5):
        check = checked(**UNSURE)
        Review.objects.filter(check_record=check).update(
            decision=OVERTURNED if days % 2 else CONFIRMED,
            decided_by=superuser,
            decided_at=noon - timedelta(days=days),
        )
    periods = [
        (noon - timedelta(days=first, hours=hours), noon - timedelta(days=last, hours=-hours))
        for first, last in ((5, 0), (5, 3), (4, 1), (3, 3), (2, 0))
        for hours in (0, 3, 12)
    ]
    periods = [(start, end) for start, end in periods if start < end]
    open_ = [quality([application.pk], start=start, end=end) for start, end in periods]
    with transaction.atomic():
        assert close_days(timezone.now()) == 4
    assert open_[0][0].of == 5, "[noon five days ago, noon today)"
    with django_assert_max_num_queries(5 * len(periods)):
        closed = [quality([application.pk], start=start, end=end) for start, end in periods]
    assert closed == open_


def test_by_api(api, reviewed, other_application) -> None:
    for decision in (CONFIRMED, CONFIRMED, OVERTURNED):
        reviewed(decision, **SUPPORTED)
    answer = api.get(PATH)
    assert answer.status_code == 200
    rate_by_name = {item["name"]: item for item in answer.json()["rates"]}
    negative = rate_by_name["false_negative_rate"]
    assert (negative["overturned"], negative["of"], negative["rate"]) == (1, 3, 1 / 3)
    assert (negative["low"], negative["high"]) == wilson(1, 3)
    nothing = rate_by_name["false_positive_rate"]
    assert [nothing[name] for name in ("of", "rate", "low", "high")] == [0, None, None, None]
    assert rates(other_application)["overturn_rate"] == (0, 0)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"decided_after": "2026-03-02T00:00Z", "decided_before": "2026-03-01T00:00Z"}, "ends"),
        ({"decided_after": "2026-01-01T00:00Z", "decided_before": "2026-06-01T00:00Z"}, "100 days"),
        ({"decided_after": "once"}, "wrong format"),
    ],
)
def test_what_cannot_be_asked(api, parameters, words) -> None:
    answer = api.get(PATH, parameters)
    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    assert error["field"] == "decided_after"
    assert words in error["detail"]


def test_one_query_however_many_reviews(application, reviewed) -> None:
    for count in (1, 4):
        for _ in range(count):
            reviewed(CONFIRMED, **SUPPORTED)
        with assertNumQueries(1):
            rates(application)
