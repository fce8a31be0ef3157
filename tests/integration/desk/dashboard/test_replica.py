"""The dashboard on a real streaming replica: read there, told where, and from the primary else."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import psycopg2
import pytest
from django.db import connection
from django.test import Client

from analysis.models import TrendPending
from analysis.services.submission import NewCheck, submit
from tests.replica import Replica
from tests.stack import Stack

PAGE = "/admin/dashboard/"
WAITS = "1 check has ended and is not counted yet."
FALLBACK = "The replica of the database cannot be used"


@pytest.fixture
def following(transactional_db) -> Iterator[Replica]:
    folder = Path(tempfile.mkdtemp(prefix="watchdog-replica-"))
    folder.chmod(0o755)
    server = Replica.start(folder, connection.settings_dict["NAME"])
    yield server
    server.stop()
    shutil.rmtree(folder)


@pytest.fixture
def web(following, empty_redis) -> Iterator[Stack]:
    started = Stack.start("web", DATABASE_REPLICA_URL=following.url)
    yield started
    started.stop()


def shown(web: Stack, client: Client) -> str:
    """Return the page as shown to somebody who is logged in."""
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    answer = httpx.get(web.url + PAGE, cookies=cookies, timeout=60)
    assert answer.status_code == 200
    return answer.text


def starve(replica: Replica) -> None:
    """Let it continue, but no longer follow the primary."""
    with closing(psycopg2.connect(replica.url)) as server:
        server.autocommit = True
        with server.cursor() as cursor:
            cursor.execute("ALTER SYSTEM SET primary_conninfo = ''")
            cursor.execute("SELECT pg_reload_conf()")
    replica.wait_until("SELECT NOT EXISTS (SELECT FROM pg_stat_wal_receiver)")


def test_what_the_dashboard_reads_and_what_it_says_of_it(web, following, application, desk) -> None:
    following.wait_until("SELECT count(*) = 1 FROM accounts_application")
    following.ask("SELECT pg_wal_replay_pause()::text")
    following.wait_until("SELECT pg_get_wal_replay_pause_state() = 'paused'")
    new = NewCheck(answer="The bridge has 3 arches.")
    check = submit(application_id=application.id, new=new, by="test")
    TrendPending.objects.create(check_id=check.id, failed=False)
    assert WAITS not in shown(web, desk), "the primary has it, the replica has not"

    following.ask("SELECT pg_wal_replay_resume()::text")
    following.wait_until("SELECT count(*) = 1 FROM analysis_trendpending")
    page = shown(web, desk)
    assert WAITS in page
    assert FALLBACK not in page

    starve(following)
    page = shown(web, desk)
    assert FALLBACK in page
    assert WAITS in page
    assert "NoLongerFed" in web.logs()

    web.kill("web")
    following.stop()
    web.spawn("web", DATABASE_REPLICA_URL=following.url)
    web.wait_until("/healthz")
    page = shown(web, desk)
    assert FALLBACK in page
    assert WAITS in page


def test_without_a_replica_nothing_is_said(desk) -> None:
    assert FALLBACK not in desk.get(PAGE).content.decode()
