"""Changes over time: a model of ours is reported on the first day of a signal it made."""

from datetime import UTC, date, datetime, timedelta

import pytest

from accounts.models import Application
from analysis.models import ModelUse
from desk.dashboard.selectors.changes import changes

DAY = date(2026, 3, 10)
START = datetime(2026, 3, 1, tzinfo=UTC)
END = datetime(2026, 4, 1, tzinfo=UTC)


@pytest.fixture
def changes_after(application: Application):
    """Return a function that records a signal by these models and returns the changes after it.

    The signal is recorded `days` after DAY.
    """

    def record(*uses: tuple[int, str], signal: str = "support") -> list[tuple[date, str]]:
        ModelUse.objects.bulk_create(
            ModelUse(
                application=application, signal=signal, model=model, day=DAY + timedelta(days=days)
            )
            for days, model in uses
        )
        all_changes = changes([application.pk], start=START, end=END)
        return [(item.at.date(), item.words) for item in all_changes if ":" in item.words]

    return record


def test_a_new_model_is_told_on_its_first_day(changes_after) -> None:
    assert changes_after((0, "a@1"), (1, "a@1"), (2, "a@2"), (3, "a@2")) == [
        (date(2026, 3, 12), "support: a@2")
    ]


def test_the_first_day_of_a_signal_is_no_change(changes_after) -> None:
    assert changes_after((0, "a@1"), (1, "a@1")) == []


def test_days_without_checks_are_passed_over(changes_after) -> None:
    assert changes_after((0, "a@1"), (3, "a@1"), (6, "b@1")) == [
        (date(2026, 3, 16), "support: b@1")
    ]


def test_a_model_that_comes_back_is_told_again(changes_after) -> None:
    assert changes_after((0, "a@1"), (1, "b@1"), (2, "a@1")) == [
        (date(2026, 3, 11), "support: b@1"),
        (date(2026, 3, 12), "support: a@1"),
    ]


def test_several_at_once_are_told_together(changes_after) -> None:
    assert changes_after((0, "a@1"), (1, "a@1"), (1, "c@1"), (1, "b@1")) == [
        (date(2026, 3, 11), "support: b@1, c@1")
    ]


def test_what_was_before_the_period_counts_and_is_not_told(changes_after) -> None:
    assert changes_after((-12, "a@1"), (-11, "b@1"), (0, "c@1")) == [
        (date(2026, 3, 10), "support: c@1")
    ]


def test_another_signal_and_another_application_are_apart(
    changes_after, application: Application, other_application: Application
) -> None:
    ModelUse.objects.create(
        application=other_application, signal="support", model="z@1", day=DAY - timedelta(days=1)
    )
    assert changes_after((0, "a@1")) == []
    assert changes_after((1, "n@1"), signal="nli") == []
    both = changes([application.pk, other_application.pk], start=START, end=END)
    assert [item for item in both if ":" in item.words] == []
