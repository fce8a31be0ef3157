"""From the database of each release to this version: restored, migrated, verified, worked on."""

import gzip
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from operations.backup import find_program
from tests.commands import python
from tests.database import sql
from tests.stack import PATIENT, Stack
from tests.upgrade_baseline import ANSWERS, FOLDER, SECRET_KEY
from tools.launcher import postgres

DUMPS = sorted(FOLDER.glob("*.sql.gz"))
DECIDED = len(ANSWERS) + 2
_SECONDS = 300
_MARK = "--- end ---"
_LATER = {"DJANGO_SETTINGS_MODULE": "tests.integration.upgrade.settings"}
_OF_MANAGE_PY = {"DJANGO_SETTINGS_MODULE": "watchdog_site.settings", "DATABASE_DIRECT": "true"}
_MANAGE = f"""
import sys, django
django.setup()
from django.core.management import call_command
for command in sys.argv[1:]:
    call_command(*command.split())
    print({_MARK!r})
"""


@pytest.fixture
def empty_database(transactional_db) -> Iterator[str]:
    """Return the URL of a database without tables, dropped afterwards."""
    name = f"upgrade_{os.getpid()}"
    sql(f"DROP DATABASE IF EXISTS {name}")
    sql(f"CREATE DATABASE {name} TEMPLATE template0")
    head, _, query = os.environ["DATABASE_URL"].partition("?")
    yield head.rpartition("/")[0] + f"/{name}" + (f"?{query}" if query else "")
    sql(f"DROP DATABASE {name} WITH (FORCE)")


def restore(dump: Path, url: str) -> None:
    command = [find_program("psql"), "-q", "-v", "ON_ERROR_STOP=1", "-d", url]
    text = gzip.decompress(dump.read_bytes())
    done = subprocess.run(command, input=text, capture_output=True, timeout=_SECONDS, check=False)
    assert done.returncode == 0, done.stderr.decode()


def manage(*commands: str, **environment: str) -> list[str]:
    """Return each command's output; one process runs all, since each takes seconds to start."""
    environment = os.environ | _OF_MANAGE_PY | environment
    printed = python("-c", _MANAGE, *commands, environment=environment, timeout=_SECONDS)
    return printed.split(_MARK)[:-1]


def counted(text: str, told: str) -> int:
    """Return the number before these words, 0 where they do not occur."""
    found = re.search(rf"(\d+) {told}", text)
    return int(found[1]) if found else 0


def test_there_is_a_dump_of_a_release() -> None:
    assert DUMPS


@pytest.mark.parametrize("dump", DUMPS, ids=lambda path: path.name)
def test_the_database_of_a_release_is_upgraded(dump, empty_database, empty_redis) -> None:
    environment = {"DATABASE_URL": empty_database, "SECRET_KEY": SECRET_KEY}
    restore(dump, empty_database)
    _, _, trail, decisions, made = manage(
        "migrate --noinput",
        "migrate --check",
        "verify_trail",
        "verify_decisions",
        "create_api_key help-desk --name after",
        **environment,
    )
    assert counted(trail, "sealed entries") > DECIDED
    assert counted(trail, "entries are not sealed yet") == 0
    same = counted(decisions, "decisions match their policy")
    assert same + counted(decisions, "cannot be replayed") == DECIDED
    (token,) = re.findall(r"wd_\w+", made)
    assert_checks_can_be_read_and_made(token, environment)


@pytest.mark.parametrize("dump", DUMPS, ids=lambda path: path.name)
def test_a_later_migration_changes_rows_of_a_release(dump, empty_database) -> None:
    environment = {"DATABASE_URL": empty_database, "SECRET_KEY": SECRET_KEY}
    restore(dump, empty_database)
    changed, _, trail, decisions = manage(
        "migrate --noinput",
        "migrate --check",
        "verify_trail",
        "verify_decisions",
        **environment,
        **_LATER,
    )
    assert "Applying accounts.0005_later... OK" in changed
    rows = postgres.execute(
        empty_database, "SELECT first_day, created_at FROM accounts_application"
    )
    assert [first_day for first_day, _ in rows] == [created.date() for _, created in rows] != []
    assert counted(trail, "entries are not sealed yet") == 0
    same = counted(decisions, "decisions match their policy")
    assert same + counted(decisions, "cannot be replayed") == DECIDED


def assert_checks_can_be_read_and_made(token: str, environment: dict[str, str]) -> None:
    """Read old results by the API, the check that waited over the upgrade, and a new one."""
    stack = Stack.start(**PATIENT, **environment)
    try:
        with stack.client(token) as client:
            page = client.get("/api/v1/checks")
            assert page.status_code == 200, page.text
            listed = page.json()["results"]
            assert len(listed) == DECIDED + 1
            waited = [one["id"] for one in listed if one["state"] in ("queued", "running")]
            for one in listed:
                found = client.get(f"/api/v1/checks/{one['id']}", headers={"Prefer": "wait=60"})
                assert found.status_code in (200, 202), found.text
            seen = [client.get(f"/api/v1/checks/{one['id']}").json() for one in listed]
            decided = [one for one in seen if one["id"] not in waited]
            assert all(one["claims"] and one["action"] for one in decided)
            body = {"answer": ANSWERS[0], "collections": ["handbook"]}
            new = client.post("/api/v1/checks", json=body, headers={"Prefer": "wait=60"}).json()
            assert new["state"] == "done"
            assert new["claims"][0]["primary_evidence"]["text"]
    finally:
        stack.stop()
