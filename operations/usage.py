"""Usage of applications by month (UTC), beside what they store now."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date

from accounts.models import Application
from analysis.selectors.usage import used_by_month
from assistant.services.budget import tokens_by_month
from documents.selectors import stored_bytes

MOST_MONTHS = 12
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class MonthUsed:
    """An application's use in one month; `tokens` are those of the assistant's language models."""

    month: date
    application: str
    checks: int
    done: int
    failed: int
    claims: int
    tokens: int


@dataclass(frozen=True, slots=True)
class FileUsage:
    """The current size of an application's uploaded files, and its quota, in megabytes."""

    application: str
    megabytes: float
    quota: int | None


COLUMNS = tuple(field.name for field in fields(MonthUsed))


def first_month(today: date, months: int) -> date:
    """Return the first day of the period of `months` months that ends with today's."""
    month_number = today.year * 12 + today.month - months
    return date(month_number // 12, month_number % 12 + 1, 1)


def usage(applications: Sequence[Application], first: date) -> list[MonthUsed]:
    """Return every month since `first` with any use, newest first."""
    ids = [application.pk for application in applications]
    checks, tokens = used_by_month(ids, first), tokens_by_month(ids, first)
    rows = [
        MonthUsed(month, application.slug, *counts, tokens.get((application.pk, month), 0))
        for application in applications
        for month in {m for (pk, m) in (*checks, *tokens) if pk == application.pk}
        for counts in [checks.get((application.pk, month), (0, 0, 0, 0))]
    ]
    return sorted(rows, key=lambda row: (-row.month.toordinal(), row.application))


def storage(applications: Sequence[Application]) -> list[FileUsage]:
    bytes_by_application = stored_bytes([application.pk for application in applications])
    return [
        FileUsage(a.slug, round(bytes_by_application.get(a.pk, 0) / _MEGABYTE, 1), a.file_megabytes)
        for a in applications
    ]
