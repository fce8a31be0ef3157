"""How long the pages of the desk take with what is stored: asked as a browser asks, no network."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter, process_time
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import Application
from analysis.engine.types import Action, RiskLevel
from analysis.models import Check, CheckState
from evaluation.bench import machine

LIST_MS, SEARCH_MS, DASHBOARD_MS = 100.0, 200.0, 300.0
CHECKS = "/admin/analysis/check/"
DASHBOARD = "/admin/dashboard/"
TRAIL = "/admin/audit/trailentry/"
SEARCHES = (
    "built", "harbour", "cork", "harbour cork", "harbour mill", "1777", "definitely harbour",
    '"built in 1777"', "harb*", "built -definitely", "harbour or mill", "nowhere", "-built",
)  # fmt: skip
_AT_ONCE = 20_000
_USER = "bench-desk"
_COUNT = "SELECT reltuples::bigint FROM pg_class WHERE relname = 'analysis_check'"
_MISSING = """
SELECT id FROM analysis_check AS c
WHERE id > %s AND NOT EXISTS (SELECT FROM analysis_checksearch WHERE check_record_id = c.id)
ORDER BY id LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class Page:
    """One address of the desk, what it is called, and how long it may take."""

    name: str
    address: str
    limit_ms: float


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds of one page; `first` is the first call, the others are of those after it.

    `cpu` is what this process computed for a page, `database` what the database's did (None where
    it runs on another machine); the rest is waiting for a core or a disk.
    """

    page: Page
    first: float
    p50: float
    p95: float
    cpu: float
    database: float | None


def stored() -> int:
    """About how many checks there are."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT)
        return int(cursor.fetchone()[0])


def make_searchable(write: Callable[[Sequence[UUID]], None]) -> Iterator[int]:
    """Index every check that is not; yields how many each time. Made-up ones are in no trail."""
    last = UUID(int=0)
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_MISSING, [str(last), _AT_ONCE])
            ids = [check_id for (check_id,) in cursor.fetchall()]
        if not ids:
            return
        write(ids)
        last = ids[-1]
        yield len(ids)


def pages() -> Iterator[Page]:
    """The first page, each filter, some together, and searches."""
    lists = {"first page": {}, "page 2": {"p": "2"}, "page 40": {"p": "40"}}
    lists |= {f"action {a}": {"action__exact": str(a)} for a in Action}
    lists |= {f"level {one}": {"risk_level__exact": str(one)} for one in RiskLevel}
    lists |= {f"state {one}": {"state__exact": str(one)} for one in CheckState.values}
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
    for name, asked in lists.items():
        yield Page(name, f"{CHECKS}?{urlencode(asked)}", LIST_MS)
    for event in ("", "check.decided", "policy.activated", "export.dashboard"):
        asked = {"event__exact": event} if event else {}
        yield Page(f"trail {event or 'first page'}", f"{TRAIL}?{urlencode(asked)}", LIST_MS)
    for words in SEARCHES:
        yield Page(f"search {words}", f"{CHECKS}?{urlencode({'q': words})}", SEARCH_MS)
    yield from _dashboard()
    rare = {"q": "harbour", "action__exact": "BLOCK"}
    yield Page("search harbour and BLOCK", f"{CHECKS}?{urlencode(rare)}", SEARCH_MS)


def _dashboard() -> Iterator[Page]:
    """Each page of the dashboard over each period, and some of the lists behind its figures."""
    pages = {"checks": "", "reviews": "reviews/", "topics": "topics/"}
    for name, address in pages.items():
        for days in (1, 30, 90, 365):
            asked = urlencode({"days": days})
            yield Page(
                f"dashboard: {name}, {days} days", f"{DASHBOARD}{address}?{asked}", DASHBOARD_MS
            )
    yield Page(
        "dashboard: checks, 90 days, one model",
        f"{DASHBOARD}?{urlencode({'days': 90, 'only': 'source_model:gpt-5-mini'})}",
        DASHBOARD_MS,
    )
    end = timezone.now().date() + timedelta(days=1)
    for figure in ("rejections:any", "actions:BLOCK", "total_time:3150..", "risk:35"):
        for days in (1, 30, 365):
            asked = urlencode({"figure": figure, "since": end - timedelta(days=days), "until": end})
            yield Page(f"list of {figure}, {days} days", f"{CHECKS}?{asked}", LIST_MS)


def timed(page: Page, times: int) -> Timed:
    """Ask for a page `times` times and once before. Raises RuntimeError where it is refused."""
    client = Client(headers={"host": "localhost"})
    client.force_login(_somebody())
    first = _once(client, page)
    backend = machine.backend()
    began, others = process_time(), machine.processor(backend)
    rest = sorted(_once(client, page) for _ in range(times))
    cpu, after = (process_time() - began) * 1000 / times, machine.processor(backend)
    database = None if others is None or after is None else (after - others) * 1000 / times
    p95 = rest[min(len(rest) - 1, len(rest) * 95 // 100)]
    return Timed(page, first, rest[len(rest) // 2], p95, cpu, database)


def _once(client: Client, page: Page) -> float:
    began = perf_counter()
    response = client.get(page.address)
    taken = (perf_counter() - began) * 1000
    if response.status_code != 200:
        raise RuntimeError(f"{page.address}: {response.status_code}")
    return taken


def _somebody() -> User:
    found = User.objects.filter(username=_USER).first()
    return found or User.objects.create_superuser(_USER)


def is_filled() -> bool:
    """Whether there is anything to measure with."""
    return Check.objects.exists()
