"""The files of a release, their checksums, and the signature over the checksums.

    python -m tools.launcher.release build FOLDER --key PRIVATE_KEY
    python -m tools.launcher.release verify FOLDER [--signers FILE]

The same commit gives the same files. Signed and verified by `ssh-keygen -Y`, which is installed
nearly everywhere, so that whoever receives a release needs nothing of ours to verify it.
"""

import argparse
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tools.launcher.components import NOTICES, components, sbom, version_of
from tools.launcher.environment import CHECKOUT
from tools.launcher.errors import LauncherError

SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
SIGNERS = CHECKOUT / "deploy" / "release" / "allowed_signers"
IDENTITY, NAMESPACE = "release@watchdog", "watchdog-release"
CHART = Path("deploy") / "helm" / "watchdog"
CLIENT_DIST = Path(".data") / "client-dist"
"""The client's distributions, as `make test-client` built and tested them."""


def build(folder: Path, root: Path = CHECKOUT) -> list[Path]:
    """Write the files of a release into a new folder. Raises LauncherError."""
    require_clean(root)
    if folder.exists() and any(folder.iterdir()):
        raise LauncherError(f"{folder} is not empty.", "Name a new folder for each release.")
    folder.mkdir(parents=True, exist_ok=True)
    version, moment = version_of(root), int(_git(root, "log", "-1", "--format=%ct"))
    name = f"watchdog-{version}"
    source = _git_bytes(root, "archive", "--format=tar", f"--prefix={name}/", "HEAD")
    _write(folder / f"{name}.tar.gz", gzip.compress(source, mtime=moment))
    chart = tarred(root / CHART, "watchdog", moment)
    _write(folder / f"{name}-chart.tgz", gzip.compress(chart, mtime=moment))
    bill = json.dumps(sbom(components(), version), indent=1) + "\n"
    _write(folder / f"{name}.sbom.json", bill.encode())
    shutil.copyfile(NOTICES, folder / NOTICES.name)
    for path in client_distributions(root):
        shutil.copyfile(path, folder / path.name)
    files = sorted(folder.iterdir())
    _write(folder / SUMS, sums(files).encode())
    return files


def require_clean(root: Path) -> None:
    """Raise LauncherError where something is not committed, or the commit has no tag."""
    if uncommitted := _git(root, "status", "--porcelain"):
        raise LauncherError(f"Not committed:\n{uncommitted}", "Commit it, or put it away.")
    tag = f"v{version_of(root)}"
    if tag not in _git(root, "tag", "--points-at", "HEAD").split():
        raise LauncherError(
            f"This commit does not have the tag {tag}.", f"Make it: git tag --sign {tag}"
        )


def client_distributions(root: Path) -> list[Path]:
    """Return wheel and sdist of the client, made after its last change. Raises LauncherError."""
    project = tomllib.loads((root / "clients" / "python" / "pyproject.toml").read_text())["project"]
    newest_change = int(_git(root, "log", "-1", "--format=%ct", "--", "clients/python"))
    distributions = sorted((root / CLIENT_DIST).glob(f"watchdog_client-{project['version']}[-.]*"))
    if (
        len(distributions) != 2
        or min(path.stat().st_mtime for path in distributions) < newest_change
    ):
        raise LauncherError(
            f"{root / CLIENT_DIST} does not hold the client {project['version']}, or an older one.",
            "Run `make test-client`, which builds and tests it.",
        )
    return distributions


def tarred(folder: Path, name: str, moment: int) -> bytes:
    """Return a folder as a tar file that depends on nothing but names, contents and `moment`."""
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            member = tarfile.TarInfo(f"{name}/{path.relative_to(folder).as_posix()}")
            content = path.read_bytes()
            member.size, member.mtime, member.mode = len(content), moment, 0o644
            archive.addfile(member, io.BytesIO(content))
    return output.getvalue()


def sums(files: Sequence[Path]) -> str:
    """Return lines as `sha256sum --check` reads them."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    return "".join(lines)


def sign(folder: Path, key: Path) -> None:
    """Sign the checksums by an SSH key. Raises LauncherError."""
    (folder / SIGNATURE).unlink(missing_ok=True)
    _ssh_keygen(["-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(folder / SUMS)])


def verify(folder: Path, signers: Path = SIGNERS) -> list[str]:
    """Return the names of a release's files, all of them signed and whole. Raises LauncherError."""
    if not signers.exists():
        raise LauncherError(f"{signers} is missing.", "It names the keys that may sign a release.")
    options = ["-f", str(signers), "-I", IDENTITY, "-n", NAMESPACE, "-s", str(folder / SIGNATURE)]
    _ssh_keygen(["-Y", "verify", *options], (folder / SUMS).read_bytes())
    expected = (folder / SUMS).read_text(encoding="utf-8")
    names = [line.split("  ", 1)[1] for line in expected.splitlines()]
    if absent := [name for name in names if not (folder / name).is_file()]:
        raise LauncherError(f"Missing: {', '.join(absent)}.", "Download the release again.")
    actual = sums([folder / name for name in names])
    if actual != expected:
        lines = zip(names, actual.splitlines(), expected.splitlines(), strict=True)
        altered_files = [name for name, is_now, was in lines if is_now != was]
        raise LauncherError(f"Changed: {', '.join(altered_files)}.", "Download the release again.")
    return names


def _ssh_keygen(arguments: Sequence[str], text: bytes = b"") -> None:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise LauncherError("ssh-keygen is missing.", "Debian: apt-get install openssh-client.")
    result = subprocess.run(  # noqa: S603 - a list, no shell
        [program, *arguments], input=text, capture_output=True, check=False
    )
    if result.returncode:
        raise LauncherError((result.stdout + result.stderr).decode(errors="replace").strip())


def _git(root: Path, *arguments: str) -> str:
    return _git_bytes(root, *arguments).decode().strip()


def _git_bytes(root: Path, *arguments: str) -> bytes:
    result = subprocess.run(  # noqa: S603 - a list, no shell
        ["git", "-C", str(root), *arguments],  # noqa: S607 - the user's own git
        capture_output=True,
        check=False,
    )
    if result.returncode:
        raise LauncherError(result.stderr.decode(errors="replace").strip())
    return result.stdout


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def main(arguments: Sequence[str]) -> int:
    """Build and sign, or verify; report a known failure in plain words."""
    parser = argparse.ArgumentParser(prog="python -m tools.launcher.release", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("build")
    making.add_argument("folder", type=Path)
    making.add_argument("--key", type=Path, required=True, help="a private SSH key (ed25519)")
    checking = commands.add_parser("verify")
    checking.add_argument("folder", type=Path)
    checking.add_argument("--signers", type=Path, default=SIGNERS)
    options = parser.parse_args(arguments)
    try:
        if options.command == "build":
            files = build(options.folder)
            sign(options.folder, options.key)
            print("\n".join(f"{path.stat().st_size:>12,}  {path.name}" for path in files))
        else:
            print("\n".join(f"{name}: whole" for name in verify(options.folder, options.signers)))
    except LauncherError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
