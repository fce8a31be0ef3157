"""`make lock`: pin the dependencies of pyproject.toml into uv.lock, and into the lists for pip.

Standard library only: it runs before (and apart from) the virtual environment. uv takes the hashes
from PyPI; those of a wheel that PyPI does not list (PyTorch's for CPUs) are added where pip finds
one. What PyPI's build of PyTorch needs beside them (CUDA) is a list of its own.
"""

from __future__ import annotations  # bootstrap imports it under an older Python too

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.launcher.errors import LauncherError

PINS, HASHED, CUDA, DEV = (
    "requirements.txt",
    "requirements/hashed.txt",
    "requirements/cuda-hashed.txt",
    "requirements/dev.txt",
)
HEADER = "# Made by `make lock` from uv.lock; do not edit.\n"
INSTALLED_BY = "# pip install --require-hashes --no-deps -r {file} (docs/operations/security.md)\n"
BLOCK = re.compile(r"^([\w.-]+)==.*\n(?:    .*\n)*", re.MULTILINE)
"""A pin, with its hashes where uv writes them."""
OF_CUDA = re.compile(r"cuda-|nvidia-|triton$")
"""Names of packages that only PyPI's build of PyTorch needs."""
UV = "uv==0.13.9"
EXPORT = (
    "export", "--frozen", "--no-header", "--no-annotate", "--no-default-groups", "--all-extras",
    "--quiet",
)  # fmt: skip
INSTALL_S = 3600


def lock(checkout: Path, arguments: Sequence[str] = ()) -> None:
    """Write uv.lock and the lists; `--upgrade` takes the newest versions that are allowed."""
    with tempfile.TemporaryDirectory(prefix="watchdog-lock-") as folder:
        run([sys.executable, "-m", "venv", folder])
        run([f"{folder}/bin/python", "-m", "pip", "install", "--quiet", UV])
        uv = [f"{folder}/bin/uv", "--no-config", "--project", str(checkout)]
        run([*uv, "lock", *arguments])
        hashed = without_markers(run([*uv, *EXPORT], keep=True))
        everything = run([*uv, *EXPORT, "--group", "dev", "--no-hashes"], keep=True)
    product = {name: block for name, block in blocks(hashed) if not OF_CUDA.match(name)}
    cuda = [block for name, block in blocks(hashed) if name not in product]
    pins = [block.split(" ", 1)[0] + "\n" for block in product.values()]
    more = [
        block
        for name, block in blocks(without_markers(everything))
        if name not in product and not OF_CUDA.match(name)
    ]
    with_local = with_local_builds("".join(product.values()), os.environ.get("PIP_FIND_LINKS", ""))
    write(checkout / PINS, HEADER, "".join(pins))
    write(checkout / DEV, HEADER + "-r ../requirements.txt\n", "".join(more))
    write(checkout / HASHED, HEADER + INSTALLED_BY.format(file=HASHED), with_local)
    write(checkout / CUDA, HEADER + INSTALLED_BY.format(file=CUDA), "".join(cuda))


def blocks(pins: str) -> list[tuple[str, str]]:
    """Return each pin's name, and the pin with its hashes."""
    return [(match[1], match[0]) for match in BLOCK.finditer(pins)]


def without_markers(pins: str) -> str:
    """Return the pins without the conditions that hold in every environment of pyproject.toml."""
    return re.sub(r" ; [^\\\n]*?(?= \\\n|\n)", "", pins)


def write(file: Path, header: str, pins: str) -> None:
    file.write_text(header + pins)
    print(f"{file.name}: {pins.count('==')} packages, {pins.count('sha256:')} hashes", flush=True)


def with_local_builds(hashed: str, folders: str) -> str:
    """Return the list with the hashes of the labelled wheels that lie in `folders` added."""
    for name, version, _, digest in _builds(folders):
        pin = f"{name}=={version} \\\n"
        hashed = hashed.replace(pin, f"{pin}    --hash=sha256:{digest} \\\n")
    return hashed


def preferring_local_builds(hashed: str, folders: str) -> str:
    """Return the list with the labels of wheels that lie in `folders` and whose hashes it has.

    pip would rather download a file whose hash the index states than take one that lies there.
    Wheels for another Python than the running one are left aside.
    """
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    for name, version, label, digest in _builds(folders, python):
        if digest in hashed:
            pin = f"{name}=={version} \\\n"
            hashed = hashed.replace(pin, f"{name}=={version}+{label} \\\n")
    return hashed


def _builds(folders: str, python: str = "*") -> Iterator[tuple[str, str, str, str]]:
    """Yield name, version, label and SHA-256 of each wheel of a labelled build ("2.13.0+cpu")."""
    for folder in filter(os.path.isdir, folders.split()):
        for wheel in sorted(Path(folder).glob(f"*+*-{python}-*.whl")):
            name, labelled = wheel.name.split("-")[:2]
            with wheel.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            version, _, label = labelled.partition("+")
            yield name.replace("_", "-").lower(), version, label, digest


def run(command: list[str], *, keep: bool = False) -> str:
    """Run a program in sight of the user, or keep what it prints."""
    process = subprocess.run(  # noqa: S603 - a list of our own making, never a shell
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if keep else None,
        text=True,
        timeout=INSTALL_S,
        check=False,
    )
    if process.returncode != 0:
        raise LauncherError(f"This failed: {' '.join(command)}", "Its last lines are above.")
    return process.stdout or ""
