"""Results lie in partitions by month: where a row goes, what is made ahead, what is dropped."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from analysis.models import Check, Claim, ClaimVerdict, Review
from analysis.services.checking import run_check
from analysis.services.erasure import EVERYTHING, erase_checks
from analysis.services.months import (
    AHEAD,
    MONTHLY,
    drop_empty_months,
    first_id,
    make_months,
    make_next_months,
    partitions,
    refresh_statistics,
)
from analysis.services.searching import write_words
from analysis.services.trends import count_waiting
from tests.database import sql

pytestmark = pytest.mark.usefixtures("empty_redis")
LONG_AGO = datetime(2024, 2, 15, 12, tzinfo=UTC)
KEYS = {"analysis_claim": "annotated_answer_id"}


@pytest.fixture
def check_of(application) -> Callable[[datetime], Check]:
    """Return a function that makes a finished, searchable and counted check of a moment."""

    def make(moment: datetime) -> Check:
        check = Check.objects.create(
            id=UUID(int=first_id(moment).int + (7 << 76) + (2 << 62) + Check.objects.count()),
            application=application,
            submitted_by="test",
            answer="The bridge was built in 1850.",
            sources=["The bridge was built in 1840."],
        )
        assert run_check(check.pk)
        write_words([check.pk])
        count_waiting()
        settle()
        return check

    return make


def settle() -> None:
    """Check what PostgreSQL deferred to the commit: a table with pending checks is not changed."""
    sql("SET CONSTRAINTS ALL IMMEDIATE")
    sql("SET CONSTRAINTS ALL DEFERRED")


def places(check: Check) -> set[str]:
    """Return the partitions in which the rows of a check lie."""
    names = set()
    for table in MONTHLY:
        key = KEYS.get(table, "check_record_id")
        rows = sql(f"SELECT tableoid::regclass::text FROM {table} WHERE {key} = %s", check.pk)
        names |= {name for (name,) in rows}
    return names


def in_month(suffix: str) -> set[str]:
    """Return the names of a month's partitions."""
    return {f"{table}_{suffix}" for table in MONTHLY}


def test_what_a_check_leaves_lies_in_the_month_of_its_submission(check_of) -> None:
    now = timezone.now()
    assert places(check_of(now)) == in_month(now.strftime("%Y_%m"))
    make_months(date(2024, 1, 31), date(2024, 3, 1))
    assert places(check_of(LONG_AGO)) == in_month("2024_02")
    assert places(check_of(datetime(2024, 3, 1, tzinfo=UTC))) == in_month("2024_03")
    last = datetime(2024, 2, 29, 23, 59, 59, 999_000, tzinfo=UTC)
    assert places(check_of(last)) == in_month("2024_02")


def test_a_check_of_no_month_that_was_made_is_not_refused(check_of) -> None:
    check = check_of(LONG_AGO)
    assert places(check) == in_month("other")
    assert Claim.objects.filter(annotated_answer=check.pk).exists()
    assert make_months(LONG_AGO.date(), LONG_AGO.date()) == 0, "its rows lie elsewhere"
    assert places(check) == in_month("other")


@pytest.mark.django_db
def test_months_are_made_ahead_and_once() -> None:
    now = datetime(2031, 11, 30, 23, tzinfo=UTC)
    assert make_next_months(now) == len(MONTHLY) * (AHEAD + 1)
    assert make_next_months(now) == 0
    names = {partition.name for partition in partitions()}
    assert in_month("2031_11") | in_month("2031_12") | in_month("2032_02") <= names
    assert in_month("2032_03").isdisjoint(names)


def test_a_month_is_dropped_when_the_last_of_its_checks_was_erased(check_of) -> None:
    make_months(LONG_AGO.date(), LONG_AGO.date())
    first, second = check_of(LONG_AGO), check_of(LONG_AGO + timedelta(hours=1))
    now = timezone.now()
    _erase(first)
    assert in_month("2024_02").isdisjoint(drop_empty_months(now))
    _erase(second)
    assert set(drop_empty_months(now)) >= in_month("2024_02")
    names = {partition.name for partition in partitions()}
    assert in_month("2024_02").isdisjoint(names)
    assert in_month(now.strftime("%Y_%m")) <= names, "this month is empty and stays"
    assert places(check_of(LONG_AGO)) == in_month("other")


def _erase(check: Check) -> None:
    report = erase_checks(check_ids=[check.pk], parts=EVERYTHING, by="test", reason="test")
    assert report.erased == [check.pk]
    settle()


def test_a_verdict_is_on_a_claim_of_the_reviewed_check(check_of, superuser) -> None:
    now = timezone.now()
    checks = [check_of(now), check_of(now)]
    own, other = (Claim.objects.filter(annotated_answer=check.pk).first() for check in checks)
    review = Review.objects.get(check_record=checks[0])
    ClaimVerdict.objects.create(review=review, claim=own, status="Supported", agrees=False)
    for stranger in (other.pk if other else None, 10**12):
        with pytest.raises(IntegrityError, match="is not one of the check"), transaction.atomic():
            ClaimVerdict.objects.create(
                review=review, claim_id=stranger, status="Supported", agrees=False
            )


def test_the_planner_knows_the_tables_as_a_whole(check_of) -> None:
    check_of(timezone.now())
    refresh_statistics()
    known = "SELECT DISTINCT tablename FROM pg_stats WHERE inherited AND tablename = ANY(%s)"
    assert {name for (name,) in sql(known, list(MONTHLY))} == set(MONTHLY)
