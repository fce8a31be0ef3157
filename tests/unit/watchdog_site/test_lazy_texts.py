"""Texts translated at import are in the language of no request."""

import ast
from collections.abc import Iterator
from pathlib import Path

from accounts.model_names import own_apps

AT_ONCE = {"gettext", "ngettext", "pgettext"}
Code = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def names_of(tree: ast.Module) -> set[str]:
    """Return the module's names for the functions that translate at once."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("utils.translation")
        for alias in node.names
        if alias.name in AT_ONCE
    }


def at_import(node: ast.AST, names: set[str]) -> Iterator[int]:
    """Yield lines that translate outside a function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Code):
            continue
        if isinstance(child, ast.Call) and getattr(child.func, "id", "") in names:
            yield child.lineno
        yield from at_import(child, names)


def found(source: str) -> list[int]:
    tree = ast.parse(source)
    return list(at_import(tree, names_of(tree)))


def test_no_text_is_translated_at_import() -> None:
    files = [path for app in own_apps() for path in Path(app.path).rglob("*.py")]
    assert len(files) > 100
    assert [f"{path}:{line}" for path in files for line in found(path.read_text())] == []


def test_such_a_text_is_found() -> None:
    first = "from django.utils.translation import gettext as _\n"
    assert found(first + "class Form:\n    label = _('To')\n") == [3]
    assert found(first + "def label():\n    return _('To')\n") == []
