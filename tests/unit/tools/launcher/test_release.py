"""The files of a release: the same again, signed, and no longer valid once one is changed."""

import gzip
import io
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from tools.launcher import release
from tools.launcher.environment import CHECKOUT
from tools.launcher.errors import LauncherError
from tools.launcher.release import NAMESPACE, SUMS, build, sign, tarred

needs_ssh_keygen = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is missing: openssh-client"
)


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "tag.gpgSign=false"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path) -> Path:
    """Make a small repository with the parts of a release, committed and tagged."""
    root = tmp_path / "checkout"
    for name in ("clients/python/pyproject.toml", "pyproject.toml"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text('[project]\nversion = "1.2.3"\n')
    shutil.copytree(CHECKOUT / release.CHART, root / release.CHART)
    (root / ".gitignore").write_text(".data/\n")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "first")
    git(root, "tag", "v1.2.3")
    for name in ("watchdog_client-1.2.3-py3-none-any.whl", "watchdog_client-1.2.3.tar.gz"):
        (root / release.CLIENT_DIST).mkdir(parents=True, exist_ok=True)
        (root / release.CLIENT_DIST / name).write_text(name)
    return root


@pytest.fixture
def key(tmp_path) -> Path:
    """Make a private key; the file `signers` beside it allows it."""
    path = tmp_path / "key"
    made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", str(path)]
    subprocess.run(made, check=True)
    public = path.with_suffix(".pub").read_text()
    (tmp_path / "signers").write_text(f'release@watchdog namespaces="{NAMESPACE}" {public}')
    return path


def test_the_same_commit_gives_the_same_files(checkout, tmp_path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    names = [path.name for path in build(first, checkout)]
    build(second, checkout)
    assert (first / SUMS).read_text() == (second / SUMS).read_text()
    assert names == [
        "third-party-notices.md",
        "watchdog-1.2.3-chart.tgz",
        "watchdog-1.2.3.sbom.json",
        "watchdog-1.2.3.tar.gz",
        "watchdog_client-1.2.3-py3-none-any.whl",
        "watchdog_client-1.2.3.tar.gz",
    ]
    with tarfile.open(first / "watchdog-1.2.3-chart.tgz") as chart:
        assert "watchdog/Chart.yaml" in chart.getnames()
    source = gzip.decompress((first / "watchdog-1.2.3.tar.gz").read_bytes())
    with tarfile.open(fileobj=io.BytesIO(source)) as archive:
        assert "watchdog-1.2.3/clients/python/pyproject.toml" in archive.getnames()


def verified(folder: Path, signers: Path) -> bool:
    """Run the documented commands in a release's folder; return whether all succeed."""
    page = (CHECKOUT / "docs/operations/releases.md").read_text()
    commands = re.search(r"```console\n(\$ ssh-keygen -Y verify.*?)```", page, re.DOTALL)
    assert commands
    shutil.copyfile(signers, folder / "allowed_signers")
    lines = re.findall(r"^\$ (.*)$", commands[1], re.MULTILINE)
    command = " && ".join(lines)
    run = subprocess.run(command, shell=True, cwd=folder, capture_output=True, check=False)
    return run.returncode == 0


@needs_ssh_keygen
@pytest.mark.parametrize("changed", ["", "watchdog-1.2.3.tar.gz", SUMS])
def test_a_signed_release_is_verified_and_a_changed_one_refused(
    checkout, tmp_path, key, changed
) -> None:
    made = tmp_path / "release"
    build(made, checkout)
    sign(made, key)
    if changed:
        with (made / changed).open("ab") as file:
            file.write(b"x")
    assert verified(made, tmp_path / "signers") == (not changed)


@needs_ssh_keygen
def test_another_key_or_none_is_refused(checkout, tmp_path, key) -> None:
    made, signers = tmp_path / "release", tmp_path / "signers"
    build(made, checkout)
    assert not verified(made, signers), "not signed"
    sign(made, key)
    signers.write_text(signers.read_text().replace(NAMESPACE, "git"))
    assert not verified(made, signers)
    with pytest.raises(LauncherError):
        sign(made, tmp_path / "none")


def test_only_a_clean_and_tagged_commit_is_released(checkout, tmp_path) -> None:
    git(checkout, "tag", "--delete", "v1.2.3")
    with pytest.raises(LauncherError, match=r"tag v1\.2\.3"):
        build(tmp_path / "release", checkout)
    (checkout / "new").write_text("x")
    with pytest.raises(LauncherError, match="Not committed"):
        build(tmp_path / "release", checkout)
    assert not (tmp_path / "release").exists()


def test_a_client_older_than_its_code_is_not_released(checkout, tmp_path) -> None:
    wheel = checkout / release.CLIENT_DIST / "watchdog_client-1.2.3-py3-none-any.whl"
    os.utime(wheel, (1, 1))
    with pytest.raises(LauncherError, match="make test-client") as refused:
        build(tmp_path / "release", checkout)
    assert "older" in str(refused.value)


def test_a_folder_in_use_is_not_written_to(checkout) -> None:
    with pytest.raises(LauncherError, match="not empty"):
        build(checkout, checkout)


def test_a_tar_depends_on_names_and_contents_alone(tmp_path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "file").write_text("x")
    before = tarred(tmp_path, "top", 0)
    os.utime(tmp_path / "a" / "file", (1, 1))
    (tmp_path / "a" / "file").chmod(0o600)
    assert tarred(tmp_path, "top", 0) == before
