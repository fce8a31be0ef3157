"""The tokens that an application may spend on language models in a day."""

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.db.models.functions import TruncMonth

from accounts.models import Application
from assistant.models import TokenUse

_SPEND = """
INSERT INTO assistant_tokenuse (application_id, day, tokens) VALUES (%s, %s, %s)
ON CONFLICT (application_id, day) DO UPDATE
SET tokens = assistant_tokenuse.tokens + EXCLUDED.tokens
"""


def is_spent(application_id: UUID) -> bool:
    """Return whether today's budget is used up; always False without a limit.

    The application's own quota takes precedence over ASSISTANT_TOKENS_A_DAY.
    """
    own = Application.objects.filter(pk=application_id).values_list("tokens_per_day", flat=True)
    limit = own.get() or settings.ASSISTANT_TOKENS_A_DAY
    today = TokenUse.objects.filter(application_id=application_id, day=_today())
    return bool(limit) and today.filter(tokens__gte=limit).exists()


def spend(application_id: UUID, tokens: int) -> None:
    """Count tokens, in one statement."""
    if tokens:
        with connection.cursor() as cursor:
            cursor.execute(_SPEND, [application_id, _today(), tokens])


def _today() -> date:
    return datetime.now(UTC).date()


def tokens_by_month(
    application_ids: Collection[UUID], first: date
) -> Mapping[tuple[UUID, date], int]:
    """Return tokens by application and first day of the month (UTC) since `first`. One query."""
    rows = TokenUse.objects.filter(application__in=application_ids, day__gte=first)
    sums = rows.annotate(month=TruncMonth("day")).values("application_id", "month")
    totals = sums.annotate(total=Sum("tokens")).values_list("application_id", "month", "total")
    return {(application, month): total for application, month, total in totals.order_by()}
