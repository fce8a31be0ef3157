"""The settings: their page, times that fit into each other, and those of connections."""

import ast
import re
import runpy
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from watchdog_site.databases import configured, session_settings
from watchdog_site.settings import checks

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


SETTINGS = "watchdog_site/settings/models.py"


def test_the_time_of_a_language_model_that_judges_is_below_the_soft_limit(monkeypatch):
    monkeypatch.delenv("JUDGE_LLM_SECONDS", raising=False)
    default = runpy.run_path(SETTINGS)["JUDGE_LLM_SECONDS"]
    assert 0 < default < checks.CHECK_SOFT_LIMIT_SECONDS
    monkeypatch.setenv("JUDGE_LLM_SECONDS", f"{checks.CHECK_SOFT_LIMIT_SECONDS - 0.1}")
    runpy.run_path(SETTINGS)
    monkeypatch.setenv("JUDGE_LLM_SECONDS", f"{checks.CHECK_SOFT_LIMIT_SECONDS}")
    with pytest.raises(ImproperlyConfigured, match="below CHECK_SOFT_LIMIT_SECONDS"):
        runpy.run_path(SETTINGS)


ADDRESS = {"ENGINE": "e", "NAME": "n", "OPTIONS": {"sslmode": "require"}}
LIVENESS = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
SESSION = session_settings(statement_seconds=1.5)


def test_a_server_is_told_what_holds_for_the_session() -> None:
    configuration = configured(ADDRESS, SESSION, connect_seconds=5)
    assert configuration["OPTIONS"] == {
        **LIVENESS,
        "sslmode": "require",
        "connect_timeout": 5,
        "options": "-c statement_timeout=1500 -c hnsw.ef_search=300 "
        "-c hnsw.iterative_scan=relaxed_order -c jit=off",
    }
    assert configuration["DISABLE_SERVER_SIDE_CURSORS"] is False


def test_a_pooler_is_asked_for_nothing_that_belongs_to_a_session() -> None:
    configuration = configured(ADDRESS, SESSION, connect_seconds=5, pooled=True)
    assert configuration["OPTIONS"] == {**LIVENESS, "sslmode": "require", "connect_timeout": 5}
    assert configuration["DISABLE_SERVER_SIDE_CURSORS"] is True
