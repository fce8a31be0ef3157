"""`python prune.py pyproject.toml [GROUP]`: uninstall what its dependencies do not need.

GROUP: one of its dependency groups, instead of the project's own. An image is built from all
packages, so that they are those of the lists with hashes, and keeps the few that it runs on.
Standard library only.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distributions, requires
from pathlib import Path

_NAME = re.compile(r"([A-Za-z0-9][\w.-]*)(?:\[([\w,\s-]+)\])?")
_EXTRA = re.compile(r"""extra\s*==\s*["']([\w.-]+)["']""")


def main(file: str, group: str = "") -> None:
    """Uninstall from this interpreter's environment; pip goes last."""
    keep = needed(dependencies(Path(file), group))
    installed = {canonical(each.metadata["Name"]) for each in distributions()}
    surplus = sorted(installed - keep - {"pip"})
    uninstall = [sys.executable, "-m", "pip", "uninstall", "--yes", "--quiet"]
    command = [*uninstall, "--root-user-action=ignore", *surplus, "pip"]
    subprocess.run(command, check=True)  # noqa: S603 - names of installed packages
    print(f"{len(keep)} packages kept, {len(surplus) + 1} uninstalled.")


def dependencies(pyproject: Path, group: str = "") -> list[str]:
    """Return the project's own dependencies, or those of a group."""
    data = tomllib.loads(pyproject.read_text())
    if group:
        return list(data["dependency-groups"][group])
    return list(data["project"]["dependencies"])


def needed(requirements: Iterable[str]) -> set[str]:
    """Return the packages that these requirements name, and what those need in turn."""
    keep: set[str] = set()
    queue = [_split(each) for each in requirements]
    seen: set[tuple[str, frozenset[str]]] = set()
    while queue:
        name, extras = queue.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            parts = requires(name) or []
        except PackageNotFoundError:
            continue  # of another platform, or of an extra that nobody installed
        keep.add(name)
        for part in parts:
            extra = _EXTRA.search(part)
            if extra is None or canonical(extra[1]) in extras:
                queue.append(_split(part))
    return keep


def _split(requirement: str) -> tuple[str, frozenset[str]]:
    match = _NAME.match(requirement)
    if match is None:
        raise ValueError(f"{requirement!r} names no package.")
    extras = (canonical(each.strip()) for each in (match[2] or "").split(",") if each.strip())
    return canonical(match[1]), frozenset(extras)


def canonical(name: str) -> str:
    """Return a package's name as indexes spell it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main(*sys.argv[1:])
