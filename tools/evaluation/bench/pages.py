"""The addresses that are measured: the desk, the dashboard, the trail, the API."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.utils import timezone

from accounts.models import Application, Scope
from accounts.services import create_api_key
from analysis.engine.types import Action, RiskLevel
from analysis.models import Check, CheckState
from desk.reviews.services.queue import claim_next

LIST_MS, SEARCH_MS, DASHBOARD_MS, PAGE_MS = 100.0, 200.0, 300.0, 300.0
CHECKS = "/admin/analysis/check/"
REVIEWS = "/admin/analysis/review/"
DASHBOARD = "/admin/dashboard/"
TRAIL = "/admin/audit/trailentry/"
SEARCHES = (
    "built", "harbour", "cork", "harbour cork", "harbour mill", "1777", "definitely harbour",
    '"built in 1777"', "harb*", "built -definitely", "harbour or mill", "nowhere", "-built",
)  # fmt: skip
_USER = "bench-desk"
_SCOPES = [Scope.CHECKS_READ, Scope.REVIEWS_READ]
LARGEST = "support-desk"
"""Seven of ten made-up checks are of this application (`tools.evaluation.bench.seeding`)."""


@dataclass(frozen=True, slots=True)
class BenchPage:
    """One address with its name, how long it may take, and the API key it is asked with."""

    name: str
    address: str
    limit_ms: float
    key: str = field(default="", repr=False)


def pages() -> Iterator[BenchPage]:
    """Yield home, lists with each filter and some together, searches, single pages, the API."""
    yield BenchPage("home", "/", PAGE_MS)
    lists = {"first page": {}, "page 2": {"p": "2"}, "page 40": {"p": "40"}}
    lists |= {f"action {a}": {"action__exact": str(a)} for a in Action}
    lists |= {f"level {value}": {"risk_level__exact": str(value)} for value in RiskLevel}
    lists |= {f"state {value}": {"state__exact": str(value)} for value in CheckState.values}
    applications = dict(Application.objects.values_list("slug", "pk"))
    lists |= {f"application {s}": {"application": str(pk)} for s, pk in applications.items()}
    today = timezone.localdate()
    for days in (0, 6, 29):
        lists[f"last {days + 1} days"] = {"from": str(today - timedelta(days=days))}
    lists["a day a year ago"] = dict.fromkeys(("from", "to"), str(today - timedelta(days=365)))
    for slug, pk in applications.items():
        both = {"application": str(pk), "action__exact": "BLOCK"}
        lists[f"{slug} and BLOCK"] = both
        lists[f"{slug}, BLOCK, 30 days"] = both | lists["last 30 days"]
    for name, parameters in lists.items():
        yield _page(name, CHECKS, LIST_MS, parameters)
    for event in ("", "check.decided", "policy.activated", "export.dashboard"):
        parameters = {"event__exact": event} if event else {}
        yield _page(f"trail {event or 'first page'}", TRAIL, LIST_MS, parameters)
    for words in SEARCHES:
        yield _page(f"search {words}", CHECKS, SEARCH_MS, {"q": words})
    yield from _dashboard()
    rare = {"q": "harbour", "action__exact": "BLOCK"}
    yield _page("search harbour and BLOCK", CHECKS, SEARCH_MS, rare)
    yield from _reviews()
    yield from _api()


def _page(
    name: str, path: str, limit_ms: float, parameters: Mapping[str, object], key: str = ""
) -> BenchPage:
    return BenchPage(name, f"{path}?{urlencode(parameters)}", limit_ms, key)


def _reviews() -> Iterator[BenchPage]:
    """Yield lists of reviews, the workbench, and the page of one check."""
    lists = {"open": {}, "decided": {"state": "decided"}, "overdue": {"due": "overdue"}}
    lists |= {"of a reason": {"state": "decided", "reason": "block"}}
    for name, parameters in lists.items():
        yield _page(f"reviews {name}", REVIEWS, LIST_MS, parameters)
    yield BenchPage("workbench: queues", f"{REVIEWS}workbench/", PAGE_MS)
    if review := claim_next(by=somebody()):
        yield BenchPage("workbench: one item", f"{REVIEWS}{review.pk}/workbench/", PAGE_MS)
    if check := Check.objects.filter(action=Action.BLOCK).order_by("-pk").first():
        yield BenchPage("check", f"{CHECKS}{check.pk}/change/", PAGE_MS)


def _api() -> Iterator[BenchPage]:
    """Yield lists of the API, of the application with the most checks."""
    application = Application.objects.filter(slug=LARGEST).first() or Application.objects.first()
    if application is None:
        return
    _, key = create_api_key(application=application, name=_USER, by=_USER, scopes=_SCOPES)
    lists = {"newest": {}, "WARN": {"action": "WARN"}, "a model": {"source_model": "qwen3-32b"}}
    lists |= {"a year ago": {"created_before": _days_ago(365).isoformat()}}
    for name, parameters in lists.items():
        yield _page(f"API: checks, {name}", "/api/v1/checks", LIST_MS, parameters, key)
    yield BenchPage("API: reviews", "/api/v1/reviews", LIST_MS, key)
    trend = {"metric": "actions", "granularity": "day", "created_after": _days_ago(90).isoformat()}
    yield _page("API: trends, 90 days", "/api/v1/trends", DASHBOARD_MS, trend, key)
    yield BenchPage("API: drift", "/api/v1/trends/drift", DASHBOARD_MS, key)
    for days in (30, 365):
        parameters = {"first": str(_days_ago(days - 1).date())}
        yield _page(f"API: usage, {days} days", "/api/v1/usage", PAGE_MS, parameters, key)


def _days_ago(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)


def _dashboard() -> Iterator[BenchPage]:
    """Yield each page of the dashboard over each period, and some lists behind its figures."""
    for name, path in {"checks": "", "reviews": "reviews/", "topics": "topics/"}.items():
        for days in (1, 30, 90, 365):
            title = f"dashboard: {name}, {days} days"
            yield _page(title, DASHBOARD + path, DASHBOARD_MS, {"days": days})
    model = {"days": 90, "only": "source_model:gpt-5-mini"}
    yield _page("dashboard: checks, 90 days, one model", DASHBOARD, DASHBOARD_MS, model)
    yield BenchPage("dashboard: drift", f"{DASHBOARD}drift/", DASHBOARD_MS)
    end = timezone.now().date() + timedelta(days=1)
    for figure in ("rejections:any", "actions:BLOCK", "total_time:3150..", "risk:35"):
        for days in (1, 30, 365):
            period = {"figure": figure, "since": end - timedelta(days=days), "until": end}
            yield _page(f"list of {figure}, {days} days", CHECKS, LIST_MS, period)


def somebody() -> User:
    """Return the superuser who looks at the pages, made where missing."""
    user = User.objects.filter(username=_USER).first()
    return user or User.objects.create_superuser(_USER)
