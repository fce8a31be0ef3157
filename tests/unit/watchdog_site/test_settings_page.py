"""docs/reference/settings.md names every variable that the settings read, and no other."""

import ast
import re
from pathlib import Path

PAGE = Path("docs/reference/settings.md")
READERS = (*Path("watchdog_site/settings").glob("*.py"), Path("watchdog_site/gunicorn_conf.py"))
OF_THE_LAUNCHER = {"WORKER_PROCESSES"}


def variables(source: str) -> set[str]:
    """Return the names in every `env.type("NAME")` and `required("NAME")`."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    names = [call.args[0] for call in calls if _reads(call.func) and call.args]
    return {str(name.value) for name in names if isinstance(name, ast.Constant)}


def _reads(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return isinstance(function.value, ast.Name) and function.value.id == "env"
    return isinstance(function, ast.Name) and function.id == "required"


def named() -> set[str]:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row.split("|")[1])}


def test_every_setting_is_on_the_page_and_no_other():
    read = set().union(*(variables(path.read_text()) for path in READERS))
    assert len(read) > 80
    assert named() == read | OF_THE_LAUNCHER
