"""`python -m tools.launcher.hashes`: writes requirements.txt with the hashes of all files.

Standard library only, as `make lock`, which calls it. `uv` asks the index for the hashes; a wheel
of a build that the index does not list (PyTorch's for CPUs) is added where pip finds one. What
PyPI's build of PyTorch needs beside them (CUDA) is a list of its own.
"""

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.launcher.commands import run
from tools.launcher.errors import LauncherError

FILE, CUDA_FILE = "requirements/hashed.txt", "requirements/cuda-hashed.txt"
HEADER = (
    "# Made by `python -m tools.launcher.hashes` from requirements.txt; do not edit.\n"
    "# pip install --require-hashes --no-deps -r {file} (docs/operations/security.md)\n"
)
TORCH = re.compile(r"^torch==.*\n", re.MULTILINE)
BLOCK = re.compile(r"^(\S+)==(?:.*\\\n)+.*\n", re.MULTILINE)
"""A pin with its hashes, as uv writes them."""
UV = "uv==0.13.9"
BESIDE = "setuptools==84.2.1\n"
"""What packages need that `pip freeze` leaves out."""
LONGEST_S = 600.0
OPTIONS = (
    "--no-config", "--generate-hashes", "--no-header", "--no-annotate",
    "--python-version", "3.11", "--python-platform", "x86_64-unknown-linux-gnu", "--quiet",
)  # fmt: skip


def write(checkout: Path) -> None:
    """Write both lists of `checkout` again."""
    pins = checkout / "requirements.txt"
    with tempfile.TemporaryDirectory(prefix="watchdog-hashes-") as name:
        folder = Path(name)
        _call([sys.executable, "-m", "venv", name])
        _call([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", UV])
        beside, torch = folder / "beside.in", folder / "torch.in"
        beside.write_text(BESIDE)
        torch.write_text("".join(TORCH.findall(pins.read_text())))
        product = _compiled(folder, "--no-deps", str(pins), str(beside))
        everything = _compiled(folder, "--constraint", str(pins), str(torch))
    product = with_local_builds(product, os.environ.get("PIP_FIND_LINKS", ""))
    _write(checkout / FILE, product)
    _write(checkout / CUDA_FILE, without(everything, product))


def without(hashed: str, other: str) -> str:
    """Return the pins of one list whose packages are not in the other."""
    names = set(BLOCK.findall(other))
    return "".join(match[0] for match in BLOCK.finditer(hashed) if match[1] not in names)


def _compiled(folder: Path, *arguments: str) -> str:
    hashed = folder / "hashed.txt"
    hashed.unlink(missing_ok=True)
    _call([str(folder / "bin" / "uv"), "pip", "compile", *OPTIONS, "-o", str(hashed), *arguments])
    return hashed.read_text()


def _write(file: Path, text: str) -> None:
    file.write_text(HEADER.format(file=file.name) + text)
    print(f"{file.name}: {text.count('==')} packages, {text.count('sha256:')} files", flush=True)


def with_local_builds(hashed: str, folders: str) -> str:
    """Return the list with the hashes of the labelled wheels that lie in `folders` added."""
    for name, version, _, digest in _builds(folders):
        pin = f"{name}=={version} \\\n"
        hashed = hashed.replace(pin, f"{pin}    --hash=sha256:{digest} \\\n")
    return hashed


def preferring_local_builds(hashed: str, folders: str) -> str:
    """Return the list with the labels of wheels that lie in `folders` and whose hashes it has.

    pip would rather download a file whose hash the index states than take one that lies there.
    """
    for name, version, label, digest in _builds(folders):
        if digest in hashed:
            pin = f"{name}=={version} \\\n"
            hashed = hashed.replace(pin, f"{name}=={version}+{label} \\\n")
    return hashed


def _builds(folders: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield name, version, label and SHA-256 of each wheel of a labelled build ("2.13.0+cpu")."""
    for folder in filter(os.path.isdir, folders.split()):
        for wheel in sorted(Path(folder).glob("*+*.whl")):
            name, labelled = wheel.name.split("-")[:2]
            with wheel.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            version, _, label = labelled.partition("+")
            yield name.replace("_", "-").lower(), version, label, digest


def _call(command: list[str]) -> None:
    result = run(command, timeout_s=LONGEST_S)
    if result.code != 0:
        raise LauncherError(f"This failed: {' '.join(command)}", result.tail())


if __name__ == "__main__":
    write(Path(__file__).resolve().parents[2])
