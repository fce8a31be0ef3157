"""The page of probes: the latest results by application, and recent failures."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts import access
from accounts.models import Application
from analysis.models import ProbeOutcome, ProbeResult, ProbeWay
from analysis.selectors.probes import by_application, latest_results

_LATELY = timedelta(days=30)
_MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class ProbeRow:
    """One probe with its result in each column; None where it was not sent that way."""

    probe: str
    verdict: str
    results: list[ProbeResult | None]


@dataclass(frozen=True, slots=True)
class ProbeTable:
    """The probes of an application by way, or those of the judges by judge."""

    application: Application | None
    columns: list[str]
    rows: list[ProbeRow]
    sent_at: datetime


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the probes of the applications that this person leads or audits."""
    if not access.oversees_anything(request.user):
        raise PermissionDenied
    applications, now = list(access.overseeing(request.user)), timezone.now()
    grouped = by_application(latest_results([a.pk for a in applications], now))
    tables = [_by_way(a, grouped[a.pk]) for a in applications if a.pk in grouped]
    tables += [_by_judge(grouped[None])] if None in grouped else []
    # What did not pass lately, the last first.
    rows = ProbeResult.objects.filter(
        Q(application__in=applications) | Q(application=None), at__gte=now - _LATELY
    )
    failures = rows.exclude(outcome=ProbeOutcome.PASSED).select_related("application")
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": _("Probes"),
        "tables": tables,
        "unsent": [application for application in applications if application.pk not in grouped],
        "failures": list(failures.order_by("-at", "-pk")[:_MOST_SHOWN]),
        "minutes": settings.PROBE_MINUTES,
        "has_proxy": bool(settings.PROBE_PROXY_URL),
        "may_change": access.manages_anything(request.user),
    }
    return TemplateResponse(request, "operations/probes.html", context)


def _by_way(application: Application, results: Sequence[ProbeResult]) -> ProbeTable:
    ways = [way for way in ProbeWay if any(result.way == way for result in results)]
    columns = {way.value: str(way.label) for way in ways}
    return _table(application, columns, {(r.probe, r.way): r for r in results})


def _by_judge(results: Sequence[ProbeResult]) -> ProbeTable:
    columns = {name: name for name in sorted({result.judge for result in results})}
    return _table(None, columns, {(r.probe, r.judge): r for r in results})


def _table(
    application: Application | None,
    columns: dict[str, str],
    results: dict[tuple[str, str], ProbeResult],
) -> ProbeTable:
    verdicts = {result.probe: str(result.get_verdict_display()) for result in results.values()}
    rows = [
        ProbeRow(probe, verdict, [results.get((probe, column)) for column in columns])
        for probe, verdict in sorted(verdicts.items())
    ]
    sent_at = max(result.at for result in results.values())
    return ProbeTable(application, list(columns.values()), rows, sent_at)
