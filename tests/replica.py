"""A streaming replica of the tests' PostgreSQL: a real second server on this machine."""

import os
import signal
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import psycopg2

from tests.sockets import wait_until
from tools.launcher import accounts, folders, postgres, processes

_SECONDS = 60.0


@dataclass
class Replica:
    """`url` is a DATABASE_URL of the copy of one database."""

    server: postgres.Server
    database: str

    @classmethod
    def start(cls, folder: Path, database: str) -> "Replica":
        """Copy the primary of DATABASE_URL and follow it."""
        account = accounts.postgres_account()
        programs = postgres.programs_for(account, folders.folder_of_its_own(folder))
        home = folder / postgres.NAME
        server = postgres.Server(home, programs, postgres.socket_folder(home), account)
        for place in (server.home, server.socket_dir):
            folders.make_private_folder(place, account)
        primary = unquote(parse_qs(urlsplit(os.environ["DATABASE_URL"]).query)["host"][0])
        copied = ["-h", primary, "-U", postgres.SUPERUSER, "-D", str(server.data)]
        postgres.run_program(server, "pg_basebackup", [*copied, "-R", "-c", "fast"])
        replica = cls(server, database)
        replica._run()
        return replica

    @property
    def url(self) -> str:
        return postgres.database_url(self.server.socket_dir, self.database)

    def stop(self) -> None:
        """End it; its files stay."""
        if self.server.pid is not None:
            assert processes.stop(self.server.pid, with_signal=signal.SIGINT, wait_s=_SECONDS)

    def ask(self, statement: str) -> Any:
        """Return the first value of the first row."""
        with closing(psycopg2.connect(self.url)) as database, database.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchone()[0]

    def wait_until(self, statement: str) -> None:
        """Wait until the statement gives true."""
        wait_until(lambda: self.ask(statement), lambda: statement, seconds=_SECONDS)

    def _run(self) -> None:
        own = f"-c unix_socket_directories='{self.server.socket_dir}'"
        options = ["start", "-w", "-D", str(self.server.data), "-o", own]
        postgres.run_program(self.server, "pg_ctl", [*options, "-l", str(self.server.log)])
        self.wait_until("SELECT EXISTS (SELECT FROM pg_stat_wal_receiver)")
