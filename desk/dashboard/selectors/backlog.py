"""The state of the desk's queue: open and overdue reviews and their ages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db.models import Count, Min, Q
from django.db.models.functions import Now
from django.utils.translation import gettext, gettext_noop

from accounts.access import Person
from analysis.models import Review, ReviewReason, ReviewStage
from desk.reviews.selectors import desk
from desk.reviews.selectors.decision_counts import DecisionCount

AGES = (
    (0, 0, gettext_noop("today")), (1, 1, gettext_noop("yesterday")),
    (2, 3, gettext_noop("2 to 3 days ago")), (4, 7, gettext_noop("4 to 7 days ago")),
)  # fmt: skip
"""Days since a review came, from and to, and in words; what is OLDER is a last group."""
OLDER = gettext_noop("more than 7 days ago")


@dataclass(frozen=True, slots=True)
class Age:
    """An age group: reviews that came in [start, end) (UTC); `start` None: at any earlier time."""

    words: str
    start: datetime | None
    end: datetime


@dataclass(frozen=True, slots=True)
class Waiting:
    """The open reviews of an application and reason; `by_age` in the order of `ages`."""

    application_id: UUID
    application: str
    reason: str
    depth: int
    overdue: int
    oldest: datetime
    by_age: tuple[int, ...]

    @property
    def words(self) -> str:
        return str(ReviewReason(self.reason).label)


def ages(now: datetime) -> list[Age]:
    """Return the age groups of open reviews (days in UTC), the latest first."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    ages = [
        Age(gettext(words), today - timedelta(days=last), today - timedelta(days=first - 1))
        for first, last, words in AGES
    ]
    return [*ages, Age(gettext(OLDER), None, today - timedelta(days=AGES[-1][1]))]


def backlog(user: Person, applications: Sequence[UUID], now: datetime) -> list[Waiting]:
    """Return the open reviews that this person may read, by application and reason."""
    counts = {f"age_{at}": Count("pk", filter=_came(age)) for at, age in enumerate(ages(now))}
    rows = (
        desk.visible_reviews(user)
        .filter(application__in=applications, decision=None)
        .order_by()
        .values_list("application_id", "application__name", "reason")
        .annotate(
            depth=Count("pk"),
            late=Count("pk", filter=Q(due_at__lt=Now())),
            first=Min("created_at"),
            **counts,
        )
        .order_by("-depth", "application__name", "reason")
    )
    return [
        Waiting(application_id, name, reason, waits, late, oldest, tuple(ages))
        for application_id, name, reason, waits, late, oldest, *ages in rows
    ]


def hidden(
    user: Person, applications: Sequence[UUID], *, start: datetime, end: datetime
) -> list[DecisionCount]:
    """Return first decisions hidden from this person because they could make the second.

    Each counts -1: their lists do not contain them, so their figures must not either.
    """
    second = Review.objects.filter(stage=ReviewStage.SECOND, decision=None)
    candidates = Review.objects.filter(
        application__in=applications,
        decision__isnull=False,
        decided_at__gte=start,
        decided_at__lt=end,
        check_record__in=second.values("check_record"),
    )
    kept_back = candidates.exclude(
        pk__in=desk.visible_reviews(user).filter(pk__in=candidates.values("pk"))
    )
    rows = kept_back.values_list("decided_at", "reason", "decision")
    return [DecisionCount(at, reason, str(decision), -1) for at, reason, decision in rows if at]


def _came(age: Age) -> Q:
    before = Q(created_at__lt=age.end)
    return before if age.start is None else before & Q(created_at__gte=age.start)
