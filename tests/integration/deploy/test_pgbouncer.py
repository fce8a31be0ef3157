"""The product through a real PgBouncer in transaction mode, with its shipped configuration."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from urllib.parse import urlsplit

import httpx
import psycopg2
import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.db.models import Sum
from django.test import override_settings

from accounts.models import Role, Scope
from accounts.services import create_api_key
from analysis.models import AnnotatedAnswer, Check, CheckState, Review
from audit.models import Event, TrailEntry, TrailSeal
from operations.doctor import servers
from operations.doctor.findings import Level
from tests.commands import python
from tests.database import sql
from tests.integration.people import person
from tests.pgbouncer import Pgbouncer, needs_pgbouncer
from tests.sockets import wait_until
from tests.stack import PATIENT, Stack

pytestmark = needs_pgbouncer
POOL = 4
CLIENTS = 8
EACH = 4
TRUE = "The bridge {n} has 3 arches."
WRONG = {"answer": "The bridge has 4 arches.", "sources": ["The bridge has 3 arches."]}
_ITERATE = """
import django; django.setup()
from django.db import connection
from django.db.models import Sum
from analysis.models import Check
print(len(list(Check.objects.iterator(chunk_size=2))))
with connection.cursor() as cursor:
    cursor.execute("SHOW hnsw.iterative_scan")
    print(cursor.fetchone()[0])
"""


def direct_url() -> str:
    """Return the URL of this test's database at the server itself."""
    address = urlsplit(os.environ["DATABASE_URL"])
    return address._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


@pytest.fixture
def pooler(transactional_db) -> Iterator[Pgbouncer]:
    started = Pgbouncer.start(direct_url(), default_pool_size=str(POOL))
    yield started
    started.stop()


@pytest.fixture
def environment(pooler) -> dict[str, str]:
    return {"DATABASE_URL": pooler.url, "DATABASE_DIRECT_URL": direct_url()}


@pytest.fixture
def stack(environment, empty_redis) -> Iterator[Stack]:
    started = Stack.start(**PATIENT, **environment)
    yield started
    started.stop()


@pytest.fixture
def reviewing_key(application) -> str:
    """Make a key with all scopes, and a reviewer to decide for."""
    person("ann", Role.REVIEWER, application)
    scopes = tuple(Scope)
    return create_api_key(application=application, name="all", scopes=scopes, by="test")[1]


def run(*command: str, **environment: str) -> str:
    names = {"DJANGO_SETTINGS_MODULE": "watchdog_site.settings", **environment}
    return python(*command, environment=os.environ | names)


def test_from_submission_to_the_verified_trail(stack, pooler, environment, reviewing_key) -> None:
    with stack.client(reviewing_key) as client:

        def submit(number: int) -> str:
            text = TRUE.format(n=number)
            body = {"answer": text, "sources": [text]}
            headers = {"Idempotency-Key": f"k{number}", "Prefer": "wait=60"}
            answer = client.post("/api/v1/checks", json=body, headers=headers)
            assert answer.status_code == 200, answer.text
            return str(answer.json()["id"])

        with ThreadPoolExecutor(CLIENTS) as threads:
            made = list(threads.map(submit, range(CLIENTS * EACH)))
        assert len(set(made)) == CLIENTS * EACH
        decide_a_review(client)
    done = CLIENTS * EACH + 1
    assert Check.objects.filter(state=CheckState.DONE).count() == done
    assert AnnotatedAnswer.objects.count() == done
    assert TrailEntry.objects.filter(event=Event.CHECK_DECIDED).count() == done
    assert_pooled(pooler)
    assert run("-c", _ITERATE, **environment).split() == [str(done), "relaxed_order"]
    sealed = lambda: TrailSeal.objects.aggregate(n=Sum("entries"))["n"]  # noqa: E731
    wait_until(lambda: sealed() == TrailEntry.objects.count(), seconds=90)
    told = run("manage.py", "verify_trail", **environment)
    assert "in 1 chains were compared" in told
    assert "\n0 entries are not sealed yet" in told


def decide_a_review(client: httpx.Client) -> None:
    """Send a contradicted answer to the review desk, and decide it there."""
    wrong = client.post("/api/v1/checks", json=WRONG, headers={"Prefer": "wait=60"})
    assert wrong.json()["action"] == "BLOCK"
    response = client.post("/api/v1/reviews/next", json={"reviewer": "ann"})
    assert response.status_code == 200, response.text
    decided = client.post(
        f"/api/v1/reviews/{response.json()['id']}/decide",
        json={"reviewer": "ann", "decision": "confirmed"},
        headers={"If-Match": response.headers["ETag"]},
    )
    assert decided.status_code == 200, decided.text
    assert Review.objects.filter(decision="confirmed").count() == 1


def assert_pooled(pooler: Pgbouncer) -> None:
    """Assert that more clients than connections shared the connections by transactions."""
    (pool,) = [row for row in pooler.query("SHOW POOLS") if row["database"] == "watchdog"]
    held = ("sv_active", "sv_idle", "sv_used", "sv_tested")
    assert sum(pool[name] for name in held) <= POOL
    assert pool["cl_active"] + pool["cl_waiting"] > POOL


def test_the_query_of_a_client_that_gave_up_is_ended(pooler) -> None:
    asked = psycopg2.connect(pooler.url, async_=True)
    wait_until(lambda: asked.poll() == psycopg2.extensions.POLL_OK)
    asked.cursor().execute("SELECT 'given up', pg_sleep(600)")
    wait_until(lambda: asked.poll() is not None and running())
    asked.close()
    wait_until(lambda: not running(), lambda: "it runs on without a client", seconds=30)


def running() -> int:
    rows = sql(
        "SELECT 1 FROM pg_stat_activity WHERE state = 'active' "
        "AND query LIKE '%given up%' AND pid <> pg_backend_pid()"
    )
    return len(rows)


def test_the_doctor_names_what_a_pooler_does_not_set(pooler) -> None:
    with override_settings(DATABASE_POOLER_URL=pooler.url):
        (finding,) = servers.pooler()
        assert finding.level is Level.OK, finding
        wanted = {**django_settings.DATABASE_SESSION, "hnsw.ef_search": "77"}
        with override_settings(DATABASE_SESSION=wanted):
            (finding,) = servers.pooler()
    assert finding.level is Level.ERROR
    assert "hnsw.ef_search = 77" in finding.text


def test_an_installation_without_a_pooler_hears_nothing_of_it() -> None:
    assert list(servers.pooler()) == []


def test_a_pool_that_is_taken_says_so_in_time(transactional_db) -> None:
    pooler = Pgbouncer.start(direct_url(), default_pool_size="1", query_wait_timeout="1")
    try:
        with (
            closing(psycopg2.connect(pooler.url)) as first,
            first.cursor() as cursor,
            closing(psycopg2.connect(pooler.url)) as second,
            second.cursor() as waiting,
        ):
            cursor.execute("SELECT 1")  # a transaction is open
            with pytest.raises(psycopg2.OperationalError):
                waiting.execute("SELECT 1")
    finally:
        pooler.stop()
