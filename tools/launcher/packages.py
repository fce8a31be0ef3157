"""`python -m tools.launcher.packages`: prints packages, their size, their imports of each other.

They stand at the root of the checkout. The picture in ARCHITECTURE.md is `picture(...)`.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.launcher.environment import CHECKOUT

Imports = Mapping[str, frozenset[str]]
NOT_PACKAGES = frozenset({"tests"})
NOT_CODE = frozenset({"migrations", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Package:
    """A package with its Python files (without migrations), their lines, and what it imports."""

    name: str
    files: int
    lines: int
    imports: frozenset[str]


def packages(root: Path = CHECKOUT) -> list[Package]:
    folders = {init.parent.name: init.parent for init in root.glob("*/__init__.py")}
    names = folders.keys() - NOT_PACKAGES
    return [read_package(folders[name], names) for name in sorted(names)]


def read_package(folder: Path, names: Collection[str]) -> Package:
    """Return one package; of its imports only those of the other packages in `names`."""
    paths = [
        path for path in folder.rglob("*.py") if NOT_CODE.isdisjoint(path.relative_to(folder).parts)
    ]
    texts = [path.read_text() for path in paths]
    imported = {name for text in texts for name in imported_packages(text)}
    others = frozenset(imported & (set(names) - {folder.name}))
    return Package(folder.name, len(texts), sum(text.count("\n") for text in texts), others)


def imported_packages(source: str) -> Iterator[str]:
    """Yield the top-level packages that a module imports anywhere in its text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def reachable(start: str, imports: Imports) -> frozenset[str]:
    """Return the packages that a package imports, directly or through others."""
    seen: set[str] = set()
    pending = set(imports[start])
    while pending:
        name = pending.pop()
        seen.add(name)
        pending |= imports[name] - seen
    return frozenset(seen)


def circles(imports: Imports) -> list[str]:
    """Return the packages that import themselves through others."""
    return sorted(name for name in imports if name in reachable(name, imports))


def shortest_arrows(imports: Imports) -> list[tuple[str, str]]:
    """Return the imports without those that other arrows imply: if a -> b -> c, then no a -> c."""
    return [
        (name, target)
        for name in sorted(imports)
        for target in sorted(imports[name])
        if not any(target in reachable(other, imports) for other in imports[name] - {target})
    ]


def picture(all_packages: Collection[Package]) -> str:
    """Return the imports as a Mermaid diagram; an arrow points from the importing package."""
    imports = {package.name: package.imports for package in all_packages}
    linked = set().union(*imports.values()) | {name for name in imports if imports[name]}
    alone = [f"    {name}" for name in sorted(imports.keys() - linked)]
    arrows = [f"    {name} --> {target}" for name, target in shortest_arrows(imports)]
    return "\n".join(["```mermaid", "flowchart TD", *alone, *arrows, "```"])


def table(all_packages: Collection[Package]) -> str:
    total = sum(package.lines for package in all_packages)
    rows = [
        f"{package.name:<15}{package.files:>6}{package.lines:>8}{package.lines / total:>8.1%}  "
        + (", ".join(sorted(package.imports)) or "-")
        for package in sorted(all_packages, key=lambda package: -package.lines)
    ]
    return "\n".join([f"{'package':<15}{'files':>6}{'lines':>8}{'share':>8}  imports", *rows])


def main() -> None:
    all_packages = packages()
    in_circles = circles({package.name: package.imports for package in all_packages})
    print(table(all_packages))
    print(f"\nPackages in a circle of imports: {', '.join(in_circles) or 'none'}\n")
    print(picture(all_packages))


if __name__ == "__main__":
    main()
