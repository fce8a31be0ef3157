"""`python -m tools.launcher.packages`: prints packages, their size, their imports of each other.

They stand at the root of the checkout. The picture in ARCHITECTURE.md is `picture(...)`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import grimp
import networkx  # type: ignore[import-untyped]  # ships no types

from tools.launcher.environment import CHECKOUT

Imports = Mapping[str, Collection[str]]
NOT_PACKAGES = frozenset({"tests"})
NOT_CODE = frozenset({"migrations", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Package:
    """A package with its Python files (without migrations), their lines, and what it imports."""

    name: str
    files: int
    lines: int
    imports: frozenset[str]


def packages() -> list[Package]:
    names = {init.parent.name for init in CHECKOUT.glob("*/__init__.py")} - NOT_PACKAGES
    graph = grimp.build_graph(*sorted(names), cache_dir=None)
    for name in names:
        graph.squash_module(name)
    return [
        _measured(name, graph.find_modules_directly_imported_by(name) - {name})
        for name in sorted(names)
    ]


def _measured(name: str, imports: Collection[str]) -> Package:
    paths = (CHECKOUT / name).rglob("*.py")
    texts = [path.read_text() for path in paths if NOT_CODE.isdisjoint(path.parts)]
    lines = sum(text.count("\n") for text in texts)
    return Package(name, len(texts), lines, frozenset(imports))


def circles(imports: Imports) -> list[str]:
    """Return the packages that import themselves through others."""
    groups = networkx.strongly_connected_components(networkx.DiGraph(imports))
    return sorted(name for group in groups if len(group) > 1 for name in group)


def shortest_arrows(imports: Imports) -> list[tuple[str, str]]:
    """Return the imports without those that other arrows imply: if a -> b -> c, then no a -> c."""
    return sorted(networkx.transitive_reduction(networkx.DiGraph(imports)).edges)


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
