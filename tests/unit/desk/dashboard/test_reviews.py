"""Rates and agreement are shown only for enough labels."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import translation

from desk.dashboard import reviews
from desk.dashboard.selectors.backlog import Waiting
from desk.reviews.agreement import agreement
from desk.reviews.figures.dashboard_filter import DashboardFilter
from desk.reviews.quality import Reviewed
from desk.reviews.selectors.decision_counts import Labels
from desk.reviews.templatetags import figures

ASKED = DashboardFilter(date(2026, 1, 1), date(2026, 1, 30))


def labels(confirmed: int, overturned: int) -> Labels:
    counts = Counter(confirmed=confirmed, overturned=overturned)
    return {item: counts.copy() for item in Reviewed}


@pytest.mark.parametrize("n", [0, 1, 29])
def test_few_labels_are_told_and_no_rate_is(n) -> None:
    row = reviews.quality(ASKED, labels(n, 0), labels(0, 0)).rows[1]
    share, interval, _, number, *_ = row.cells
    assert (share.text, interval.text, number.text) == ("too few reviews", "–", str(n))


def test_enough_labels_have_a_rate_an_interval_and_their_lists() -> None:
    table = reviews.quality(ASKED, labels(90, 10), labels(10, 10))
    share, interval, overturned, number, _, before = table.rows[2].cells
    assert (share.text, overturned.text, number.text) == ("10.0%", "10", "100")
    assert interval.text == "5.5% to 17.4%"  # Wilson's, of 10 in 100
    assert before.text == "too few reviews"
    assert "labels=sampled_allows" in number.href
    assert "decision=overturned" in overturned.href
    assert "since=2026-01-01&until=2026-01-31" in number.href


def test_agreement_of_few_pairs_is_not_told() -> None:
    few = agreement([("confirmed", "confirmed")] * 29)
    assert reviews.agreement(few, few, "/list").figure.text == "too few reviews"


def test_agreement_of_many_pairs() -> None:
    alike, apart = (
        [("confirmed", "confirmed"), ("overturned", "overturned")],
        ("confirmed", "overturned"),
    )
    pairs_agreement = agreement([*alike * 20, apart])
    tile = reviews.agreement(pairs_agreement, agreement([]), "/list")
    assert tile.figure.text == f"{pairs_agreement.kappa:.2f}"
    assert "of 41 judged" in tile.note
    assert tile.was == ""


def test_kappa_is_written_as_the_readers_language_writes_numbers() -> None:
    alike = [("confirmed", "confirmed"), ("overturned", "overturned")]
    pairs_agreement = agreement([*alike * 20, ("confirmed", "overturned")])
    with translation.override("de"):
        tile = reviews.agreement(pairs_agreement, pairs_agreement, "/list")
        assert (tile.figure.text, figures.figure(0.8125)) == ("0,95", "0,812")
        assert tile.was.endswith("0,95")


@pytest.mark.parametrize(
    ("waited", "english", "german"),
    [
        (timedelta(seconds=-1), "under a minute", "unter einer Minute"),
        (timedelta(seconds=59), "under a minute", "unter einer Minute"),
        (timedelta(minutes=1), "1 minute", "1 Minute"),
        (timedelta(minutes=25), "25 minutes", "25 Minuten"),
        (timedelta(hours=2, minutes=5), "2 hours, 5 minutes", "2 Stunden, 5 Minuten"),
        (timedelta(hours=47), "1 day, 23 hours", "1 Tag, 23 Stunden"),
    ],
)
def test_the_age_of_the_oldest_review_is_never_a_zero(waited, english, german) -> None:
    now = datetime(2026, 1, 30, 12, tzinfo=UTC)
    waiting = [Waiting(uuid4(), "Shop", "block", 1, 0, now - waited, (1, 0, 0, 0, 0))]
    for language, words in (("en", english), ("de", german)):
        with translation.override(language):
            oldest = reviews.queue_tiles(ASKED, waiting, [], now)[2]
        assert oldest.figure.text.replace("\xa0", " ") == words
