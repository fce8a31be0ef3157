"""PgBouncer with the configuration that deploy/ ships, in front of the tests' PostgreSQL."""

import configparser
import os
import shutil
import subprocess
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import psycopg2
import pytest

from tests.sockets import wait_until
from tools.launcher.accounts import postgres_account
from tools.launcher.ports import any_free

SHIPPED = Path(__file__).resolve().parent.parent / "deploy/pgbouncer/pgbouncer.ini"
PROGRAM = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
needs_pgbouncer = pytest.mark.skipif(
    PROGRAM is None, reason="pgbouncer is not installed (Debian: apt-get install pgbouncer)"
)
_ALIAS = "watchdog"
_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Prepared:
    """A pooler's configuration; `url` is a DATABASE_URL through it."""

    folder: Path
    host: str
    port: int

    @classmethod
    def write(cls, database_url: str, host: str, port: int, **changes: str) -> "Prepared":
        """Write the files for one database; `changes` are settings of the section [pgbouncer]."""
        folder = Path(tempfile.mkdtemp(prefix="watchdog-pgbouncer-"))
        folder.chmod(0o755)
        prepared = cls(folder, host, port)
        prepared.file.write_text(_settings(database_url, host, port, changes))
        return prepared

    @property
    def file(self) -> Path:
        return self.folder / "pgbouncer.ini"

    @property
    def command(self) -> list[str]:
        account = postgres_account()  # who may enter the folder of PostgreSQL's socket
        return [str(PROGRAM), str(self.file), *(["-u", account.name] if account else [])]

    @property
    def url(self) -> str:
        return f"postgres://postgres@{self.host}:{self.port}/{_ALIAS}"


@dataclass
class Pgbouncer:
    """A running pooler on this machine's own address."""

    prepared: Prepared
    process: subprocess.Popen[bytes]

    @classmethod
    def start(cls, database_url: str, **changes: str) -> "Pgbouncer":
        """Start it for one database, and wait until it answers."""
        prepared = Prepared.write(database_url, "127.0.0.1", any_free(), **changes)
        log = (prepared.folder / "pgbouncer.log").open("ab")
        pooler = cls(prepared, subprocess.Popen(prepared.command, stdout=log, stderr=log))
        pooler._wait()
        return pooler

    @property
    def url(self) -> str:
        return self.prepared.url

    def query(self, command: str) -> list[dict[str, Any]]:
        """Return the answer of PgBouncer's console to a command such as `SHOW POOLS`."""
        address = self.url.replace(f"/{_ALIAS}", "/pgbouncer")
        with closing(psycopg2.connect(address)) as console:
            console.autocommit = True  # it knows no transactions
            with console.cursor() as cursor:
                cursor.execute(command)
                names = [column.name for column in cursor.description or ()]
                return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.prepared.folder)

    def _wait(self) -> None:
        def answers() -> bool:
            psycopg2.connect(self.url, connect_timeout=2).close()
            return True

        log = self.prepared.folder / "pgbouncer.log"
        despite = (psycopg2.OperationalError,)
        wait_until(answers, log.read_text, seconds=_SECONDS, despite=despite)


def _settings(database_url: str, host: str, port: int, changes: dict[str, str]) -> str:
    """Return the shipped file with the addresses of this machine and no passwords."""
    shipped = configparser.ConfigParser(interpolation=None)
    shipped.read(SHIPPED)
    query = shipped["databases"][_ALIAS].partition("connect_query=")[2]
    url = urlsplit(database_url)
    server = parse_qs(url.query).get("host", [url.hostname or "127.0.0.1"])[0]
    target = f"host={unquote(server)} port={url.port or 5432} dbname={url.path.strip('/')}"
    shipped["databases"][_ALIAS] = f"{target} user=postgres connect_query={query}"
    changed = {
        "listen_addr": host,
        "listen_port": str(port),
        "unix_socket_dir": "",
        "auth_type": "any",
        "admin_users": "postgres",
        **changes,
    }
    shipped["pgbouncer"].update(changed)
    del shipped["pgbouncer"]["auth_file"]
    lines = [f"[{name}]\n" + _lines(shipped[name]) for name in ("databases", "pgbouncer")]
    return "\n".join(lines)


def _lines(section: configparser.SectionProxy) -> str:
    return "".join(f"{name} = {value}\n" for name, value in section.items())
