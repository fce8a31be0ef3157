"""A restore: a backup into an empty database, then verification of the trail."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from analysis.models import Check
from analysis.selectors.verifying import verify_decisions
from audit import signing
from audit.heads import HeadsError, read_heads
from audit.models import TrailEntry
from audit.verifying import chains, verify_chain
from operations.backup import DUMP, HEADS, Manifest, unpack
from operations.errors import OperationError
from operations.programs import run_program

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
    executor = MigrationExecutor(connection)
    known_migrations = {f"{app}.{name}" for app, name in executor.loader.disk_migrations}
    unknown = {
        f"{app}.{name}" for app, name in executor.loader.applied_migrations
    } - known_migrations
    if unknown:
        text = ", ".join(sorted(unknown)[:_MOST_NAMED])
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
