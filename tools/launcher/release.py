"""The files of a release, their checksums, and the signature over the checksums.

    python -m tools.launcher.release FOLDER --key PRIVATE_KEY

The same commit gives the same files. Signed by `ssh-keygen -Y`, which is installed nearly
everywhere, so that whoever receives a release needs nothing of ours to verify it.
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
NAMESPACE = "watchdog-release"
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
    source = _run(["git", "-C", str(root), "archive", "--format=tar", f"--prefix={name}/", "HEAD"])
    (folder / f"{name}.tar.gz").write_bytes(gzip.compress(source, mtime=moment))
    chart = tarred(root / CHART, "watchdog", moment)
    (folder / f"{name}-chart.tgz").write_bytes(gzip.compress(chart, mtime=moment))
    bill = json.dumps(sbom(components(), version), indent=1) + "\n"
    (folder / f"{name}.sbom.json").write_text(bill, encoding="utf-8")
    shutil.copyfile(NOTICES, folder / NOTICES.name)
    for path in client_distributions(root):
        shutil.copyfile(path, folder / path.name)
    files = sorted(folder.iterdir())
    (folder / SUMS).write_text(
        "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    )
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


def sign(folder: Path, key: Path) -> None:
    """Sign the checksums by an SSH key. Raises LauncherError."""
    (folder / SIGNATURE).unlink(missing_ok=True)
    _run(["ssh-keygen", "-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(folder / SUMS)])


def _git(root: Path, *arguments: str) -> str:
    return _run(["git", "-C", str(root), *arguments]).decode().strip()


def _run(command: Sequence[str]) -> bytes:
    try:
        result = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - no shell
    except FileNotFoundError as error:
        raise LauncherError(
            f"{command[0]} is missing.", "Install it, then run this again."
        ) from error
    if result.returncode:
        raise LauncherError((result.stdout + result.stderr).decode(errors="replace").strip())
    return result.stdout


def main(arguments: Sequence[str]) -> int:
    """Build and sign; report a known failure in plain words."""
    parser = argparse.ArgumentParser(prog="python -m tools.launcher.release", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--key", type=Path, required=True, help="a private SSH key (ed25519)")
    options = parser.parse_args(arguments)
    try:
        files = build(options.folder)
        sign(options.folder, options.key)
    except LauncherError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(f"{path.stat().st_size:>12,}  {path.name}" for path in files))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
