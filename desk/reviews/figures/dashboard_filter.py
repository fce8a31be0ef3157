"""The dashboard's filters: applications, a period, and one value of a dimension."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from urllib.parse import urlencode
from uuid import UUID

from django.utils.formats import date_format

from analysis.trends.metrics import Dimension, Grain

LONGEST = 366
"""Days; a period and the one before it are read together."""
_HOURS_UP_TO, _DAYS_UP_TO = 2, 92


@dataclass(frozen=True, slots=True)
class DimensionValue:
    """A restriction to the checks with this value of a dimension."""

    dimension: Dimension
    value: str

    @property
    def encoded(self) -> str:
        """The form used in URLs: `source_model:gpt`."""
        return f"{self.dimension}:{self.value}"

    @classmethod
    def of(cls, encoded: str) -> "DimensionValue | None":
        """Parse the URL's form; return None if it names no dimension."""
        name, colon, value = encoded.partition(":")
        if not colon or name not in (*Dimension,) or name == Dimension.ALL:
            return None
        return cls(Dimension(name), value)


ALL = DimensionValue(Dimension.ALL, "")


@dataclass(frozen=True, slots=True)
class Span:
    """A period [start, end) in UTC."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar or point of a chart over time."""

    label: str
    span: Span


@dataclass(frozen=True, slots=True)
class DashboardFilter:
    """The filters: days `first` to `last`, inclusive (UTC); `application` None: all visible.

    `applications` are the ids of the applications shown, whatever was chosen.
    """

    first: date
    last: date
    application: UUID | None = None
    applications: tuple[UUID, ...] = ()
    part: DimensionValue | None = None

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def span(self) -> Span:
        return Span(_midnight(self.first), _midnight(self.last + timedelta(days=1)))

    @property
    def before(self) -> "DashboardFilter":
        """The same filters for the preceding period of equal length."""
        length = timedelta(days=self.days)
        return replace(self, first=self.first - length, last=self.last - length)

    @property
    def grain(self) -> Grain:
        """The grain of the cells that charts use."""
        return Grain.HOUR if self.days <= _HOURS_UP_TO else Grain.DAY

    @property
    def step(self) -> timedelta:
        """The length of a bin: an hour, a day or a week."""
        if self.days <= _HOURS_UP_TO:
            return timedelta(hours=1)
        return timedelta(days=1 if self.days <= _DAYS_UP_TO else 7)

    @property
    def query(self) -> str:
        """The query string of this page, so that it can be shared."""
        return urlencode(self.parameters | {"from": str(self.first), "to": str(self.last)})

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters that keep application and part on other pages."""
        parameters = {"application": str(self.application)} if self.application else {}
        return parameters | ({"only": self.part.encoded} if self.part else {})

    def bins(self) -> list[Bin]:
        """Return the bins of the period; the last week may be shorter."""
        span, step, bins = self.span, self.step, []
        start = span.start
        while start < span.end:
            end = min(start + step, span.end)
            bins.append(Bin(_label(start, end, step), Span(start, end)))
            start = end
        return bins


@lru_cache(maxsize=4_096)
def hour(moment: datetime) -> str:
    """Return a moment in UTC to the hour, or the date alone for midnight."""
    at = moment.astimezone(UTC)
    return at.strftime("%Y-%m-%dT%H" if at.hour else "%Y-%m-%d")


def moment(text: str) -> datetime | None:
    """Parse what `hour` wrote; return None for anything else."""
    for form in ("%Y-%m-%d", "%Y-%m-%dT%H"):
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _label(start: datetime, end: datetime, step: timedelta) -> str:
    if step < timedelta(days=1):
        return f"{_day(start)} {start:%H:00}"
    if step == timedelta(days=1):
        return _day(start)
    return f"{_day(start)} – {_day(end - timedelta(days=1))}"


def _day(at: datetime) -> str:
    """Return a day without its year in the reader's language."""
    return date_format(at, "MONTH_DAY_FORMAT")


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
