"""Recovery to a point in time, by the commands of docs/operations/backup.md as they stand.

A PostgreSQL of its own archives its log; somebody erases the wrong checks; a copy of its files and
the archive bring the database back to the moment before, and the trail says that nothing else is
missing.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import environ
import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.services import create_application
from analysis.models import Check
from analysis.services.checking import run_check
from analysis.services.submission import NewCheck, submit
from operations.doctor import servers
from operations.doctor.findings import Finding, Level
from tests import services, template
from tests.commands import tried
from tests.database import sql
from tests.sockets import wait_until
from tools.launcher import accounts, commands, folders, postgres
from tools.launcher.environment import CHECKOUT

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = CHECKOUT / "docs/operations/backup.md"
WRONG_WORDS = "Ottilie"
ANSWERS = (f"{WRONG_WORDS} Brandt works in Graz.", "The bridge has 3 arches.")
_SECONDS = 120.0


@dataclass
class Documented:
    """The code blocks of the page's section, with the folders of a test in place of theirs."""

    root: Path

    @property
    def blocks(self) -> list[str]:
        text = PAGE.read_text().partition("## To a point in time")[2]
        found = re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        roots = r"(?<![\w/])/(archive|backups|heads|var/lib/postgresql)\b"
        return [re.sub(roots, rf"{self.root}/\1", block) for block in found]

    def block(self, word: str) -> str:
        """Return the block that holds this word."""
        (found,) = [block for block in self.blocks if word in block]
        return found


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    """Yield a folder that PostgreSQL's user can write to, with a server of its own."""
    folder = Path(tempfile.mkdtemp(prefix="watchdog-pitr-", dir="/tmp"))
    folder.chmod(0o755)
    for name in ("archive", "backups", "var/lib/postgresql"):
        folders.make_private_folder(folder / name, accounts.postgres_account())
    (folder / "heads").mkdir()
    yield folder
    postgres.remove(folder)
    shutil.rmtree(folder)


@pytest.fixture
def archiving(root) -> postgres.Server:
    """Start the server with the documented settings and our tables."""
    settings = services.SETTINGS + Documented(root).block("archive_command")
    is_new = postgres.locate(root) is None
    url = postgres.start(root, settings)
    if is_new:
        template.fill(url)
    return postgres.prepare(root, settings)


@contextmanager
def database(url: str) -> Iterator[None]:
    """Let Django use this database for the block."""
    own = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict |= environ.Env().db_url_config(url)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict |= own


def as_postgres(server: postgres.Server, script: str) -> None:
    """Run a block as the server's system user. Everything it prints is in the failure."""
    variables = {"PATH": f"{server.programs}:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
    done = commands.run(
        ["sh", "-ec", script],
        timeout_s=_SECONDS,
        env=variables | {"DATABASE_URL": server.url},
        cwd=server.home,
        account=server.account,
    )
    assert done.code == 0, done.output


def manage(block: str) -> subprocess.CompletedProcess[str]:
    """Run a block of `manage.py` commands in processes of their own."""
    script = block.replace("python manage.py", f"{sys.executable} manage.py")
    return tried("sh", "-ec", script, timeout=_SECONDS)


def decided_checks() -> list[Check]:
    application = create_application(name="Help desk", slug="help-desk", by="test")
    made = [
        submit(application_id=application.pk, new=NewCheck(answer=answer), by="test")
        for answer in ANSWERS
    ]
    assert all(run_check(check.id) for check in made)
    return list(Check.objects.order_by("id"))


def wait_for_archive() -> None:
    """Wait until all of the log up to here is in the archive."""
    ((last,),) = sql("SELECT pg_walfile_name(pg_create_restore_point('here'))")
    sql("SELECT pg_switch_wal()")
    archived = "SELECT last_archived_wal FROM pg_stat_archiver"
    wait_until(lambda: (sql(archived)[0][0] or "") >= last, seconds=_SECONDS)


def test_an_erasure_by_mistake_is_undone_and_the_trail_verifies(
    root, archiving, empty_redis
) -> None:
    documented = Documented(root)
    heads_before = root / "heads" / "2026-11-23-14.json"
    with database(archiving.url):
        as_postgres(archiving, documented.block("pg_basebackup"))
        checks = decided_checks()
        call_command("export_heads", "--out", heads_before)
        ((moment,),) = sql("SELECT clock_timestamp()")
        time.sleep(0.1)
        erase = ("erase", "--application", "help-desk", "--by", "test", "--reason", "by mistake")
        call_command(*erase, "--text", WRONG_WORDS, "--execute")
        call_command("export_heads", "--out", root / "heads" / "after.json")
        assert Check.objects.get(pk=checks[0].pk).answer == ""
        wait_for_archive()
    postgres.stop(root)

    recovery = documented.block("recovery_target_time")
    when = re.search(r"recovery_target_time = '([^']+)'", recovery)
    as_postgres(archiving, recovery.replace(when[1], moment.isoformat()))
    recovered = postgres.database_url(archiving.socket_dir) + "&port=5433"
    try:
        verify = re.sub(r"(?<=DATABASE_URL=).*", f"'{recovered}'", documented.block("verify_trail"))
        verified = manage(verify)
        assert verified.returncode == 0, verified.stderr
        assert "0 entries are not sealed yet" in verified.stdout
        assert f"{len(ANSWERS)} decisions match their policy" in verified.stdout
        later = manage(verify.replace(str(heads_before), str(root / "heads" / "after.json")))
        assert later.returncode != 0
        faults = later.stderr.partition("sealed:\n")[2].strip().splitlines()
        assert faults, "what was given up is named"
        assert all("cut off" in line for line in faults), later.stderr
        with database(recovered):
            assert [check.answer for check in Check.objects.order_by("id")] == list(ANSWERS)
            assert all(check.annotated_answer.claims.exists() for check in Check.objects.all())
            assert Check.objects.latest("created_at").created_at < moment < timezone.now()
    finally:
        as_postgres(archiving, f"pg_ctl stop -m fast -D {root}/var/lib/postgresql/recovered")


def test_the_doctor_says_when_the_archive_takes_nothing(root, archiving) -> None:
    with database(archiving.url):
        wait_for_archive()
        assert [finding.level for finding in servers.archive()] == [Level.OK]
        (root / "archive").rename(root / "gone")

        def fault() -> Finding | None:
            sql("SELECT pg_create_restore_point('here'), pg_switch_wal()")
            (finding,) = servers.archive()
            return None if finding.level == Level.OK else finding

        finding = wait_until(fault, seconds=_SECONDS, pause=0.2)
        assert finding.level == Level.ERROR
        assert "its disk fills" in finding.text
        (root / "gone").rename(root / "archive")
