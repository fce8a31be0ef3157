"""Collects the pages' static files, but only when they can have changed."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from tools.launcher.environment import CHECKOUT, Stack


def fingerprint(checkout: Path, variables: dict[str, str]) -> str:
    """Return a hash of what the collected files depend on: packages, own files, target."""
    digest = hashlib.sha256((checkout / "requirements.txt").read_bytes())
    for name in ("STATIC_ROOT", "STATIC_FROM_SOURCE"):
        digest.update(f"{name}={variables.get(name)}\n".encode())
    for file in sorted(own_files(checkout)):
        digest.update(f"{file} {file.stat().st_mtime_ns} {file.stat().st_size}\n".encode())
    return digest.hexdigest()


def own_files(checkout: Path) -> Iterator[Path]:
    """Yield the static files of the checkout: those of the project and those of each app."""
    for folder in (checkout / "static", *checkout.glob("*/static")):
        yield from (file for file in folder.rglob("*") if file.is_file())


def stamp(stack: Stack) -> Path:
    return stack.data_dir / "run" / "static.sha256"


def are_collected(stack: Stack) -> bool:
    file = stamp(stack)
    if not file.exists() or not Path(stack.variables["STATIC_ROOT"]).is_dir():
        return False
    return file.read_text() == fingerprint(CHECKOUT, stack.variables)


def remember(stack: Stack) -> None:
    stamp(stack).write_text(fingerprint(CHECKOUT, stack.variables))
