"""`python -m launcher.hashes`: the pins of requirements.txt with the hashes of all their files.

Standard library only, as `make lock`, which calls it. `uv` asks the index for the hashes; a wheel
of a build that the index does not list (PyTorch's for CPUs) is added where pip finds one.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from launcher.commands import run
from launcher.errors import LauncherError

FILE = "requirements-hashed.txt"
HEADER = (
    "# Made by `python -m launcher.hashes` from requirements.txt; do not edit.\n"
    "# pip install --require-hashes -r requirements-hashed.txt (docs/operations/security.md)\n"
)
UV = "uv==0.13.9"
BESIDE = "setuptools==84.2.1\n"
"""What packages need that `pip freeze` leaves out."""
LONGEST_S = 600.0
OPTIONS = (
    "--no-config", "--generate-hashes", "--no-deps", "--no-header", "--no-annotate",
    "--python-version", "3.11", "--python-platform", "x86_64-unknown-linux-gnu", "--quiet",
)  # fmt: skip


def write(checkout: Path) -> None:
    """Write the list of `checkout` again."""
    with tempfile.TemporaryDirectory(prefix="watchdog-hashes-") as folder:
        python, hashed = Path(folder) / "bin" / "python", Path(folder) / FILE
        _call([sys.executable, "-m", "venv", folder])
        _call([str(python), "-m", "pip", "install", "--quiet", UV])
        compiled = [str(python.with_name("uv")), "pip", "compile", *OPTIONS, "-o", str(hashed)]
        beside = Path(folder) / "beside.in"
        beside.write_text(BESIDE)
        _call([*compiled, str(checkout / "requirements.txt"), str(beside)])
        text = with_local_builds(hashed.read_text(), os.environ.get("PIP_FIND_LINKS", ""))
    (checkout / FILE).write_text(HEADER + text)
    print(f"{FILE}: {text.count('==')} packages, {text.count('sha256:')} files", flush=True)


def with_local_builds(hashed: str, folders: str) -> str:
    """The list with the hashes of wheels that lie in `folders` and carry the label of a build."""
    for name, version, digest in _builds(folders):
        pin = f"{name}=={version} \\\n"
        hashed = hashed.replace(pin, f"{pin}    --hash=sha256:{digest} \\\n")
    return hashed


def _builds(folders: str) -> Iterator[tuple[str, str, str]]:
    """Name, version and SHA-256 of each wheel of a labelled build ("2.13.0+cpu")."""
    for folder in filter(os.path.isdir, folders.split()):
        for wheel in sorted(Path(folder).glob("*+*.whl")):
            name, labelled = wheel.name.split("-")[:2]
            with wheel.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            yield name.replace("_", "-").lower(), labelled.partition("+")[0], digest


def _call(command: list[str]) -> None:
    result = run(command, timeout_s=LONGEST_S)
    if result.code != 0:
        raise LauncherError(f"This failed: {' '.join(command)}", result.tail())


if __name__ == "__main__":
    write(Path(__file__).resolve().parent.parent)
