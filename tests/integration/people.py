"""People and items for the tests of the desk, and writes that the database would refuse."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.models import User
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import F
from django.utils import timezone

from accounts.models import Application, Role
from accounts.services import grant_role
from analysis.models import Check, CheckState, Review, ReviewReason
from notifications.models import Channel, EventKind, Subscription
from notifications.services import save_subscription

DECIDING = ("superuser", "lead", "reviewer")
SEEING = (*DECIDING, "auditor")
ROLES = (*SEEING, "foreign lead")
"""Names for the fixture `browser`. Whoever has no role at all is refused everywhere:
`tests/integration/watchdog_site/test_every_page.py`."""


def person(name: str, role: Role, application: Application) -> User:
    """Make somebody with a role."""
    user = User.objects.create_user(name, is_staff=True)
    grant_role(user=user, application=application, role=role, by="test")
    return user


def subscribed(application: Application, target: str, *kinds: EventKind) -> Subscription:
    """Have a webhook or an e-mail address told of these kinds of events, or of the default ones."""
    channel = Channel.WEBHOOK if "://" in target else Channel.EMAIL
    chosen = {"kinds": list(kinds)} if kinds else {}
    subscription = Subscription(application=application, channel=channel, target=target, **chosen)
    save_subscription(subscription=subscription, by="test")
    return subscription


def put(
    application: Application, count: int, *, risk: int = 50, reason: str = "block"
) -> list[int]:
    """Put so many decided checks onto the desk, without a verdict document; return the ids."""
    checks = Check.objects.bulk_create(
        Check(
            application=application, query=f"Question {n}?", answer=f"Answer {n}.",
            submitted_by="test", input_sha256="0" * 64, state=CheckState.DONE, due_at=None,
            action="BLOCK", risk_level="HIGH", risk_score=risk, sampled=False,
            sampling_probability=0.0, finished_at=timezone.now(),
        )
        for n in range(count)
    )  # fmt: skip
    reviews = Review.objects.bulk_create(
        Review(check_record=c, application=application, reason=ReviewReason(reason), risk=risk)
        for c in checks
    )
    ids = [review.pk for review in reviews]
    minutes = timezone.timedelta(minutes=Review.MINUTES_A_POINT * risk)
    Review.objects.filter(pk__in=ids).update(rank_at=F("created_at") - minutes)
    return ids


@contextmanager
def unguarded() -> Iterator[CursorWrapper]:
    """Let the block write past the triggers that keep evidence as it is; yield a cursor."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield cursor
        cursor.execute("SET LOCAL session_replication_role = origin")


def unlocked(statement: str, *values: object) -> None:
    """Change rows past these triggers, as a superuser of the database can."""
    with unguarded() as cursor:
        cursor.execute(statement, values or None)
        assert cursor.rowcount
