"""The clients in `.ci/run`: built and tested, or reported as skipped."""

import shutil
from pathlib import Path

import pytest

from tests.commands import tried

ROOT = Path(__file__).parents[4]
MAKE = """#!/bin/sh
echo "$1" >> calls
[ "$1" != client-environment ] || [ -n "$NO_WHEEL" ] || { mkdir -p .data/client-dist; : > .data/client-dist/c.whl; }
[ "$1" != "$FAILING" ]
"""  # noqa: E501
NPM = """#!/bin/sh
echo "npm-$1" >> ../../calls
[ "npm-$1" != "$FAILING" ]
"""


def ci(folder: Path, **environment: str) -> tuple[int, list[str], str]:
    """Return the script's status with a `make` of ours, what it called, and what it printed."""
    (folder / "clients" / "typescript").mkdir(parents=True)
    there = {f"bin/{name}": "#!/bin/sh\n" for name in ("pgbouncer", "caddy", "prometheus")}
    programs = {"bin/make": MAKE, "bin/npm": NPM, **there}
    for name, text in (programs | {".venv/bin/python": "#!/bin/sh\n"}).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", folder / ".ci" / "run")
    variables = {"PATH": f"{folder}/bin:/usr/bin:/bin", **environment}
    done = tried("bash", folder / ".ci" / "run", environment=variables, timeout=60)
    return done.returncode, (folder / "calls").read_text().split(), done.stdout


def test_both_clients_are_built_and_tested(tmp_path) -> None:
    status, calls, printed = ci(tmp_path)
    assert (status, "skipped" in printed) == (0, False)
    assert "client-environment" in calls
    assert calls.index("npm-ci") < calls.index("npm-run") < calls.index("test")
    assert calls[-2:] == ["client-tests", "sbom"]


@pytest.mark.parametrize("failing", ["client-environment", "npm-ci"])
def test_what_cannot_be_fetched_is_skipped_and_said(tmp_path, failing) -> None:
    status, calls, printed = ci(tmp_path, FAILING=failing)
    assert (status, calls[-1]) == (0, "sbom")
    assert "skipped" in printed.partition("Not run here:")[2]
    assert ("client-tests" in calls) is (failing == "npm-ci")
    assert "npm-run" not in calls or failing != "npm-ci"


@pytest.mark.parametrize(
    "environment",
    [
        {"FAILING": "client-tests"},
        {"FAILING": "client-environment", "NO_WHEEL": "yes"},
        {"FAILING": "npm-run"},
    ],
    ids=["tests", "no wheel", "TypeScript"],
)
def test_a_broken_client_fails(tmp_path, environment) -> None:
    status, calls, _ = ci(tmp_path, **environment)
    assert status != 0
    assert "sbom" not in calls
