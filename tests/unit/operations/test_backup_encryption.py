"""The commands that docs/operations/backup.md gives for encrypting a backup, run as they stand."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PAGE = Path("docs/operations/backup.md")


@pytest.mark.skipif(shutil.which("gpg") is None, reason="gpg is not installed")
def test_a_backup_is_encrypted_and_decrypted_by_the_documented_commands(tmp_path) -> None:
    section = PAGE.read_text().partition("## Encrypt backups")[2]
    commands = re.sub(r"\s*\\\n\s*", " ", section.split("```")[1]).strip().splitlines()
    assert len(commands) == 3
    for name in ("keys", "backups", "gnupg"):
        (tmp_path / name).mkdir(mode=0o700)
    plain = tmp_path / "backups" / "2026-11-23.tar"
    plain.write_bytes(content := os.urandom(100_000))
    encrypt, decrypt = "\n".join(commands[:2]), commands[2]
    run(encrypt, tmp_path)
    sealed = plain.with_suffix(".tar.gpg").read_bytes()
    assert not plain.exists()
    assert content[:1_000] not in sealed
    run(decrypt, tmp_path)
    assert plain.read_bytes() == content
    plain.unlink()
    (tmp_path / "keys" / "2026-11").write_text("another key\n")
    with pytest.raises(subprocess.CalledProcessError):
        run(decrypt, tmp_path)


def run(commands: str, root: Path) -> None:
    for name in ("keys", "backups"):
        commands = commands.replace(f"/{name}/", f"{root}/{name}/")
    environment = os.environ | {"GNUPGHOME": str(root / "gnupg")}
    subprocess.run(["sh", "-ec", commands], env=environment, check=True, capture_output=True)
