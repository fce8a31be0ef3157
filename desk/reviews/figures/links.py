"""URLs of the lists that figures count."""

from datetime import date
from functools import lru_cache
from urllib.parse import urlencode
from uuid import UUID

from django.urls import get_script_prefix, reverse

from desk.reviews.figures.dashboard_filter import DashboardFilter, DimensionValue, Span, hour

SEPARATOR, ONWARDS = ":", ".."


def checks(filters: DashboardFilter, metric: str, *keys: str, span: Span | None = None) -> str:
    """Return the list of checks counted under one of these keys; `("63", "..")`: 63 and above."""
    return _checks(filters, span or filters.span, _figure(metric, keys))


def checks_with(filters: DashboardFilter, **more: str) -> str:
    """Return the list of checks of the filters' period with these further parameters."""
    return _checks(filters, filters.span, urlencode(more))


def reviews(filters: DashboardFilter, span: Span | None = None, **more: str) -> str:
    """Return the list of reviews of the filters' application; with a `span`, decided in it."""
    if filters.application:
        more.setdefault("application", str(filters.application))
    times = _times(span) if span else ""
    return f"{_address('review')}?{'&'.join(filter(None, (urlencode(more), times)))}"


def dashboard(filters: DashboardFilter) -> str:
    """Return the URL of the dashboard's page about checks with these filters."""
    return f"{reverse('dashboard_checks')}?{filters.query}"


def _checks(filters: DashboardFilter, span: Span, encoded: str) -> str:
    end = _query_end(filters.application, filters.part)
    return f"{_address('check')}?{encoded}&{_times(span)}{end}"


def _times(span: Span) -> str:
    return f"since={hour(span.start)}&until={hour(span.end)}"


@lru_cache(maxsize=1_024)
def _figure(metric: str, keys: tuple[str, ...]) -> str:
    """Return the beginning of a query; cached since every cell of a table asks for it."""
    key_list = keys[0] + ONWARDS if keys[1:] == (ONWARDS,) else ",".join(keys)
    return urlencode({"figure": f"{metric}{SEPARATOR}{key_list}"})


@lru_cache(maxsize=1_024)
def _query_end(application: UUID | None, part: DimensionValue | None) -> str:
    """Return the end of a query; cached since a page has a thousand links with the same one."""
    parameters = DashboardFilter(date.min, date.min, application, (), part).parameters
    return f"&{urlencode(parameters)}" if parameters else ""


def _address(model: str) -> str:
    return _list(get_script_prefix(), model)


@lru_cache
def _list(prefix: str, model: str) -> str:
    """Return the URL of an admin list, which depends only on where the site is mounted."""
    return reverse(f"admin:analysis_{model}_changelist")
