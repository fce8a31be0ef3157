"""A backup, and its restore into an empty database of the same server."""

import json
import os
import stat
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from analysis.models import Check
from audit.seals import seal_trail
from operations.backup import write_backup
from tests.commands import tried
from tests.database import sql

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def empty_database() -> Iterator[str]:
    """Return the name of a database without tables, dropped afterwards."""
    name = f"restore_{os.getpid()}"
    sql(f"DROP DATABASE IF EXISTS {name}")
    sql(f"CREATE DATABASE {name} TEMPLATE template0")
    yield name
    sql(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def database(name: str) -> Iterator[None]:
    """Let Django use another database of the server for the block."""
    own = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own


def restore(file: Path, name: str) -> subprocess.CompletedProcess[str]:
    """Restore in a process of its own, as after a loss."""
    url = urlsplit(os.environ["DATABASE_URL"])
    environment = os.environ | {"DATABASE_URL": url._replace(path=f"/{name}").geturl()}
    return tried(sys.executable, "manage.py", "restore", file, environment=environment)


@pytest.fixture
def backup(checked, empty_redis, tmp_path) -> Path:
    """Make a backup of one decided check whose trail is sealed."""
    checked()
    seal_trail()
    write_backup(tmp_path / "backup.tar")
    return tmp_path / "backup.tar"


def test_what_was_backed_up_is_restored_and_verified(backup, empty_database) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    result = restore(backup, empty_database)
    assert result.returncode == 0, result.stderr
    assert f"{Check.objects.count()} checks" in result.stdout
    assert "1 decisions are what they were" in result.stdout


def test_a_database_that_holds_something_is_left_alone(backup) -> None:
    with pytest.raises(CommandError, match="into a new, empty one"):
        call_command("restore", backup)
    assert Check.objects.count() == 1


def test_a_damaged_backup_restores_nothing(backup, empty_database, tmp_path) -> None:
    content = bytearray(backup.read_bytes())
    with tarfile.open(backup) as archive:
        dump = archive.getmember("database.dump")
    content[dump.offset_data + dump.size // 2] ^= 0xFF
    damaged = tmp_path / "damaged.tar"
    damaged.write_bytes(content)
    with database(empty_database):
        with pytest.raises(CommandError, match=r"database\.dump was changed"):
            call_command("restore", damaged)
        assert connection.introspection.table_names() == []


@pytest.mark.parametrize("content", [b"", b"not a tar file", b"\x00" * 4096])
def test_what_is_no_backup_is_refused(content, empty_database, tmp_path) -> None:
    file = tmp_path / "x.tar"
    file.write_bytes(content)
    with database(empty_database), pytest.raises(CommandError, match="is not a backup"):
        call_command("restore", file)


def test_changed_history_is_noticed_after_a_restore(backup, empty_database, tmp_path) -> None:
    folder = tmp_path / "forged"
    folder.mkdir()
    with tarfile.open(backup) as archive:
        archive.extractall(folder, filter="data")
    heads = json.loads((folder / "heads.json").read_text())
    heads["heads"][0]["number"] += 5
    (folder / "heads.json").write_text(json.dumps(heads))
    forged = tmp_path / "forged.tar"
    with tarfile.open(forged, "w") as archive:
        for path in folder.iterdir():
            archive.add(path, path.name)
    with database(empty_database), pytest.raises(CommandError, match=r"heads\.json was changed"):
        call_command("restore", forged)


def test_a_backup_is_never_overwritten(backup) -> None:
    before = backup.read_bytes()
    with pytest.raises(CommandError, match="already exists"):
        call_command("backup", backup)
    assert backup.read_bytes() == before


def test_a_folder_that_is_not_there_is_named(application, tmp_path) -> None:
    with pytest.raises(CommandError, match=f"There is no folder {tmp_path}/none"):
        call_command("backup", tmp_path / "none" / "backup.tar")


def test_keys_are_in_it_only_on_request(make_check, empty_redis, tmp_path, settings) -> None:
    call_command("backup", tmp_path / "plain.tar")
    call_command("backup", tmp_path / "keys.tar", "--with-keys")
    with tarfile.open(tmp_path / "plain.tar") as archive:
        assert "keys.env" not in archive.getnames()
    with tarfile.open(tmp_path / "keys.tar") as archive:
        member = archive.extractfile("keys.env")
        assert f"SECRET_KEY={settings.SECRET_KEY}" in member.read().decode()
