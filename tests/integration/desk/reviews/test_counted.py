"""The newest checks behind a figure, found by way of the cells that count them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Application
from analysis.models import Check, CountedCheck
from analysis.services.checking import run_check
from analysis.services.trends import count_waiting
from analysis.trends.metrics import Dimension
from desk.reviews.figures import check_list
from desk.reviews.figures.check_list import CheckList, newest, places

START = datetime(2026, 3, 1, tzinfo=UTC)
DONE = places("checks", ["done"])
BLOCKED = places("actions", ["BLOCK"])
RIGHT = {"answer": "The mill stands in Lyon.", "sources": ["The mill stands in Lyon."]}
WRONG = {"answer": "The mill definitely stands in Oslo.", "sources": ["The mill stands in Lyon."]}

pytestmark = pytest.mark.usefixtures("empty_redis")
At = Callable[..., UUID]


@pytest.fixture
def at(make_check: Callable[..., Check]) -> At:
    """Return a function that makes a check submitted so many hours after START, and counts it."""

    def make(hours: float, *, application: Application | None = None, **new: object) -> UUID:
        check = make_check(**{**WRONG, **new})
        moment = START + timedelta(hours=hours)
        owner = application.pk if application else check.application_id
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")  # it is evidence
            Check.objects.filter(pk=check.pk).update(created_at=moment, application=owner)
            cursor.execute("SET LOCAL session_replication_role = origin")
        assert run_check(check.pk)
        count_waiting()
        return check.pk

    return make


def listed(days: int = 10, at: tuple[int, ...] = DONE, **more: object) -> CheckList:
    return CheckList(start=START, end=START + timedelta(days=days), places=at, **more)


def test_the_newest_of_several_days_hours_and_applications(
    at: At,
    application: Application,
    other_application: Application,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine = [application.pk, other_application.pk]
    # Two applications within one hour, of which now one and now the other is newer.
    ids = [
        at(hours, application=other_application if number % 2 else application)
        for number, hours in enumerate((1, 30, 55.2, 55.3, 55.5, 55.6, 57, 100))
    ]
    for most in range(1, 10):
        monkeypatch.setattr(check_list, "MOST", most)
        assert newest(listed(), mine) == ids[::-1][:most], most
    monkeypatch.setattr(check_list, "MOST", 500)
    assert newest(listed(), [application.pk]) == ids[6::-2]


def test_a_period_that_begins_and_ends_within_a_day(
    at: At, application: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [at(hours) for hours in (1, 5, 6.5, 8, 9, 20, 30)]
    monkeypatch.setattr(check_list, "MOST", 3)
    within = CheckList(
        start=START + timedelta(hours=5), end=START + timedelta(hours=9), places=DONE
    )
    assert newest(within, [application.pk]) == [ids[3], ids[2], ids[1]]


def test_rare_and_old_ones_are_found_and_nothing_is_found_at_once(
    at: At, application: Application
) -> None:
    blocked = at(2)
    for hours in (50, 51, 80):
        at(hours, **RIGHT)
    assert CountedCheck.objects.count() == 4
    assert newest(listed(at=BLOCKED), [application.pk]) == [blocked]
    assert newest(listed(at=places("actions", ["BLOCK", "WARN"])), [application.pk]) == [blocked]
    with CaptureQueriesContext(connection) as queries:
        assert newest(listed(at=places("risk", ["100"])), [application.pk]) == []
    assert len(queries) == 1


def test_one_part_of_the_checks(at: At, application: Application) -> None:
    first, second = at(2, source_model="gpt"), at(3, source_model="", collections=["law"])
    mine = [application.pk]
    by_model = {"dimension": Dimension.SOURCE_MODEL}
    assert newest(listed(**by_model, value="gpt"), mine) == [first]
    assert newest(listed(**by_model, value=""), mine) == [second]
    assert newest(listed(dimension=Dimension.COLLECTION, value="law"), mine) == [second]
    assert newest(listed(dimension=Dimension.COLLECTION, value="nist"), mine) == []


def test_of_a_figure_only_those_that_found_nothing(
    at: At, application: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = at(
        2, query="How do I reset my password?", answer="You reset it in the settings.",
        sources=["Bread is made of flour."],
    )  # fmt: skip
    for hours in (50, 51):
        at(hours)
    monkeypatch.setattr(check_list, "MOST", 1)
    assert newest(listed(nothing_found=True), [application.pk]) == [lost]
    assert newest(listed(topic=1), [application.pk]) == []
