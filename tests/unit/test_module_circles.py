"""No module imports itself through others, late imports and those for types included."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

from tools.launcher.environment import CHECKOUT
from tools.launcher.packages import NOT_CODE, NOT_PACKAGES, circles


def _modules(root: Path) -> dict[str, str]:
    """Return the text of each module of the packages below `root`, by its dotted name."""
    packages = (init.parent for init in root.glob("*/__init__.py"))
    paths = (
        path
        for package in packages
        if package.name not in NOT_PACKAGES
        for path in package.rglob("*.py")
        if NOT_CODE.isdisjoint(path.relative_to(root).parts)
    )
    return {_name(path.relative_to(root)): path.read_text("utf-8") for path in paths}


def _name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _imports(text: str, names: Collection[str]) -> Iterator[str]:
    """Yield those of the modules `names` that a module imports anywhere in its text."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative imports are not read here"
            members = (f"{node.module}.{alias.name}" for alias in node.names)
            targets = (member if member in names else str(node.module) for member in members)
            yield from (target for target in targets if target in names)


def module_circles(root: Path) -> list[str]:
    modules = _modules(root)
    imports = {name: frozenset(_imports(text, modules)) - {name} for name, text in modules.items()}
    return circles(imports)


def test_no_module_is_in_a_circle() -> None:
    assert module_circles(CHECKOUT) == []


def test_a_circle_through_a_late_import_is_noticed(tmp_path: Path) -> None:
    package = tmp_path / "rooms"
    package.mkdir()
    (package / "__init__.py").write_text("def door():\n    from rooms.loading import load\n")
    (package / "loading.py").write_text("from rooms import door, types\n")
    (package / "types.py").write_text("import os\n")
    assert module_circles(tmp_path) == ["rooms", "rooms.loading"]
