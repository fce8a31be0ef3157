"""Changes over time: a model of ours is reported on the first day of a signal it made."""

from datetime import UTC, date, datetime, timedelta

import pytest

from analysis.models import ModelUse
from desk.dashboard.selectors.changes import changes

DAY = date(2026, 3, 10)
START = datetime(2026, 3, 1, tzinfo=UTC)
END = datetime(2026, 4, 1, tzinfo=UTC)


@pytest.fixture
def changes_after(application):
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


@pytest.mark.parametrize(
    ("uses", "told"),
    [
        ([(0, "a@1"), (1, "a@1"), (2, "a@2"), (3, "a@2")], [(2, "a@2")]),
        ([(0, "a@1"), (1, "a@1")], []),  # the first day of a signal is no change
        ([(0, "a@1"), (3, "a@1"), (6, "b@1")], [(6, "b@1")]),  # days without checks
        ([(0, "a@1"), (1, "b@1"), (2, "a@1")], [(1, "b@1"), (2, "a@1")]),  # it comes back
        ([(0, "a@1"), (1, "a@1"), (1, "c@1"), (1, "b@1")], [(1, "b@1, c@1")]),
        ([(-12, "a@1"), (-11, "b@1"), (0, "c@1")], [(0, "c@1")]),  # before the period
    ],
)
def test_a_new_model_is_told_on_its_first_day(changes_after, uses, told) -> None:
    days = [(DAY + timedelta(days=at), f"support: {models}") for at, models in told]
    assert changes_after(*uses) == days


def test_another_signal_and_another_application_are_apart(
    changes_after, application, other_application
) -> None:
    ModelUse.objects.create(
        application=other_application, signal="support", model="z@1", day=DAY - timedelta(days=1)
    )
    assert changes_after((0, "a@1")) == []
    assert changes_after((1, "n@1"), signal="nli") == []
    both = changes([application.pk, other_application.pk], start=START, end=END)
    assert [item for item in both if ":" in item.words] == []
