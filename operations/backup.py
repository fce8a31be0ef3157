"""A backup: one tar file with the database, the heads of the trail, and a manifest.

Everything is in PostgreSQL, documents included, so that one consistent dump contains it all. The
heads are taken first: the dump must contain what they name, and after a restore the trail is
verified against them. Keys are included only on request.
"""

import hashlib
import json
import tarfile
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from analysis.engine import ENGINE_VERSION
from analysis.models import Check
from audit.heads import heads_document
from audit.models import TrailEntry
from operations.errors import OperationError
from operations.programs import run_program

FORMAT = "watchdog-backup-1"
MANIFEST, DUMP, HEADS, KEYS = "manifest.json", "database.dump", "heads.json", "keys.env"
SECRETS = ("SECRET_KEY", "TRAIL_SIGNING_KEY", "WEBHOOK_KEY")


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of a backup. `files` are the SHA-256 of its other members in hex."""

    made_at: str
    engine_version: str
    migrations: list[str]
    checks: int
    trail_entries: int
    files: dict[str, str]

    def as_json(self) -> str:
        """Return the text of the member `manifest.json`."""
        names = self.__dataclass_fields__
        return json.dumps({"format": FORMAT, **{n: getattr(self, n) for n in names}}, indent=1)


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
            timezone.now().isoformat(),
            ENGINE_VERSION,
            applied_migrations(),
            checks,
            entries,
            {path.name: digest(path) for path in sorted(folder.iterdir())},
        )
        (folder / MANIFEST).write_text(manifest.as_json(), encoding="utf-8")
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
        fields: Mapping[str, Any] = json.loads(text)
        if fields["format"] != FORMAT:
            raise OperationError(f"The backup has format {fields['format']}; expected {FORMAT}.")
        return Manifest(**{name: fields[name] for name in Manifest.__dataclass_fields__})
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise OperationError("The manifest of the backup cannot be read.") from error
