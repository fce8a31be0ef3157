"""What was spent on language models."""

from collections.abc import Collection, Mapping
from datetime import date
from uuid import UUID

from django.db.models import Sum
from django.db.models.functions import TruncMonth

from assistant.models import TokenUse


def tokens_by_month(
    application_ids: Collection[UUID], first: date
) -> Mapping[tuple[UUID, date], int]:
    """Tokens by application and first day of the month (UTC), since `first`. One query."""
    rows = TokenUse.objects.filter(application__in=application_ids, day__gte=first)
    sums = rows.annotate(month=TruncMonth("day")).values("application_id", "month")
    totals = sums.annotate(total=Sum("tokens")).values_list("application_id", "month", "total")
    return {(application, month): total for application, month, total in totals.order_by()}
