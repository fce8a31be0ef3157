"""Template filters for the figures of an evaluation, with the interval if there is one."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.timesince import timesince
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from analysis.models import ReviewDecision
from desk.verdict_page.words import exact_percent

register = template.Library()
_TITLES = (("quality_sample", _("The quality sample")), ("all", _("All reviewed checks")))
NONE = "–"
_MINUTE = timedelta(minutes=1)
_Value = float | dict[str, float | None] | None
"""A figure, or one with its interval as `value`, `low` and `high`."""


@register.filter
def figure(value: _Value) -> str:
    """Return a figure such as `0.812 (0.765 to 0.851)`, or a dash for None."""
    return _with_interval(value, lambda number: number_format(round(number, 3), 3))


@register.filter
def share(value: _Value) -> str:
    """Return a share (0-1) such as `81.2% (76.5% to 85.1%)`, or a dash for None."""
    return _with_interval(value, exact_percent)


def _with_interval(value: _Value, words: Callable[[Any], str]) -> str:
    if value is None:
        return NONE
    if not isinstance(value, dict):
        return words(value)
    if value["low"] is None:
        return words(value["value"])
    ends = {"low": words(value["low"]), "high": words(value["high"])}
    return f"{words(value['value'])} ({gettext('%(low)s to %(high)s') % ends})"


@register.filter
def evaluated(evaluation: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """Return the sets of an evaluation with their titles, the representative one first."""
    return [(name, str(title), evaluation[name]) for name, title in _TITLES]


@register.filter
def decisions(evaluation: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return what counts as rejected, with its figures."""
    return [(str(_("WARN or BLOCK")), evaluation["flagged"]), ("BLOCK", evaluation["blocked"])]


@register.filter
def decision_word(decision: str) -> str:
    """Return a reviewer's decision in the reader's language."""
    return str(ReviewDecision(decision).label)


@register.filter
def time_between(start: datetime, end: datetime) -> str:
    """Return a time such as "2 hours, 5 minutes"; of seconds Django's filter says "0 minutes"."""
    return timesince(start, end) if end - start >= _MINUTE else gettext("under a minute")


@register.filter
def of(key: Any, values: dict[Any, Any]) -> Any:
    """Return what a mapping has for the key; "" for none."""
    return values.get(key, "")
