"""`python -m launcher.rooms`: the rooms of the code, their size and their imports of each other.

A room is a package at the root of the checkout. The picture in ARCHITECTURE.md is `picture(...)`.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from launcher.environment import CHECKOUT

Imports = Mapping[str, frozenset[str]]
NOT_ROOMS = frozenset({"tests"})
NOT_CODE = frozenset({"migrations", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Room:
    """A package with its Python files (without migrations), their lines, and what it imports."""

    name: str
    files: int
    lines: int
    imports: frozenset[str]


def rooms(root: Path = CHECKOUT) -> list[Room]:
    """Every room of a checkout, by name."""
    folders = {init.parent.name: init.parent for init in root.glob("*/__init__.py")}
    names = folders.keys() - NOT_ROOMS
    return [read_room(folders[name], names) for name in sorted(names)]


def read_room(folder: Path, names: Collection[str]) -> Room:
    """One room; of its imports only those of the other rooms in `names`."""
    paths = [
        path for path in folder.rglob("*.py") if NOT_CODE.isdisjoint(path.relative_to(folder).parts)
    ]
    texts = [path.read_text() for path in paths]
    imported = {name for text in texts for name in imported_packages(text)}
    others = frozenset(imported & (set(names) - {folder.name}))
    return Room(folder.name, len(texts), sum(text.count("\n") for text in texts), others)


def imported_packages(source: str) -> Iterator[str]:
    """The top-level packages that a module imports anywhere in its text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def reachable(start: str, imports: Imports) -> frozenset[str]:
    """The rooms that a room imports, directly or through others."""
    seen: set[str] = set()
    pending = set(imports[start])
    while pending:
        name = pending.pop()
        seen.add(name)
        pending |= imports[name] - seen
    return frozenset(seen)


def circles(imports: Imports) -> list[str]:
    """The rooms that import themselves through others."""
    return sorted(name for name in imports if name in reachable(name, imports))


def shortest_arrows(imports: Imports) -> list[tuple[str, str]]:
    """The imports without those that other arrows imply: if a -> b -> c, then no a -> c."""
    return [
        (name, target)
        for name in sorted(imports)
        for target in sorted(imports[name])
        if not any(target in reachable(other, imports) for other in imports[name] - {target})
    ]


def picture(all_rooms: Collection[Room]) -> str:
    """The imports as a Mermaid diagram; an arrow points from the importing room."""
    imports = {room.name: room.imports for room in all_rooms}
    linked = set().union(*imports.values()) | {name for name in imports if imports[name]}
    alone = [f"    {name}" for name in sorted(imports.keys() - linked)]
    arrows = [f"    {name} --> {target}" for name, target in shortest_arrows(imports)]
    return "\n".join(["```mermaid", "flowchart TD", *alone, *arrows, "```"])


def table(all_rooms: Collection[Room]) -> str:
    """Size and imports of each room, largest first."""
    total = sum(room.lines for room in all_rooms)
    rows = [
        f"{room.name:<15}{room.files:>6}{room.lines:>8}{room.lines / total:>8.1%}  "
        + (", ".join(sorted(room.imports)) or "-")
        for room in sorted(all_rooms, key=lambda room: -room.lines)
    ]
    return "\n".join([f"{'room':<15}{'files':>6}{'lines':>8}{'share':>8}  imports", *rows])


def main() -> None:
    """Print table, circles and picture."""
    all_rooms = rooms()
    in_circles = circles({room.name: room.imports for room in all_rooms})
    print(table(all_rooms))
    print(f"\nRooms in a circle of imports: {', '.join(in_circles) or 'none'}\n")
    print(picture(all_rooms))


if __name__ == "__main__":
    main()
