"""Rates and agreement are shown only for enough labels."""

from collections import Counter
from datetime import date

import pytest

from desk.dashboard import reviews
from desk.reviews.agreement import agreement
from desk.reviews.figures.dashboard_filter import DashboardFilter
from desk.reviews.quality import Reviewed
from desk.reviews.selectors.decision_counts import Labels

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
