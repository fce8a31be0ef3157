"""The `curl` commands of the documentation run as written, in order, against real processes.

The commands of a page run in one shell. What a JSON block right after one shows must be in the last
line it printed, and the events of a text block must be among its lines. Of a block of JSON with
comments only the names of members are compared. The statuses of all commands are those listed here.
"""

import json
import re
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from accounts.models import Application, Role, Scope
from accounts.services import create_api_key
from analysis.models import ReasonCode
from tests.integration.people import person
from tests.shapes import names_of
from tests.stack import Stack

ROOT = Path(__file__).parents[3]
_BLOCK = re.compile(
    r"^```(?P<language>bash|console)\n(?P<code>.*?)^```$"
    r"(?:\n+```(?P<kind>jsonc?|text)\n(?P<result>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
_TYPED = re.compile(r"^\$ (curl .*?)\n(?=\$ |\Z)", re.MULTILINE | re.DOTALL)
"""A `curl` command that a console block shows behind a prompt, up to the next prompt."""
_SHORTENED = re.compile(r" // .*$|,? …|(?<=\{) +//.*$", re.MULTILINE)
"""What is no JSON in a shortened reply: comments, and the marks of what was left out."""
_LOCAL = "http://127.0.0.1:8000"
_SECONDS = 300
_PRELUDE = """
curl() { command curl -w '%{stderr}%{http_code}\\n' "$@"; }
"""
pytestmark = pytest.mark.timeout(400)


@dataclass(frozen=True, slots=True)
class Step:
    """Commands with the JSON or the lines of events that the page shows as their result."""

    command: str
    json: Any | None = None
    events: tuple[str, ...] = ()
    shape: Any | None = None

    def check(self, output: str) -> None:
        """Fail if the commands printed something else."""
        lines = output.strip().splitlines()
        if self.json is not None:
            assert includes(json.loads(lines[-1]), self.json), f"{self.command}\nprinted {output}"
        if self.shape is not None:
            assert names_of(self.shape) <= names_of(json.loads(lines[-1])), output
        assert tuple(line for line in lines if line in self.events) == self.events


def steps_of(text: str) -> list[Step]:
    """Return the commands of a page, each with the result shown right after it."""
    return [step for block in _BLOCK.finditer(text) for step in _steps(block)]


def _steps(block: re.Match[str]) -> list[Step]:
    if block["language"] == "console":
        typed = _TYPED.findall(block["code"])
        steps = [Step(command.replace(_LOCAL, "$WATCHDOG_URL")) for command in typed]
        if block["kind"] == "jsonc":
            steps[-1] = replace(steps[-1], shape=json.loads(_SHORTENED.sub("", block["result"])))
        return steps
    if block["kind"] == "json":
        return [Step(block["code"], json=json.loads(block["result"]))]
    lines = (block["result"] or "").splitlines()
    return [Step(block["code"], events=tuple(line for line in lines if line.startswith("event:")))]


def includes(actual: Any, example: Any) -> bool:
    """Return whether `actual` has all that is shown: members of objects, and elements in order."""
    if isinstance(example, dict):
        return isinstance(actual, dict) and all(
            name in actual and includes(actual[name], value) for name, value in example.items()
        )
    if isinstance(example, list):
        return (
            isinstance(actual, list)
            and len(actual) == len(example)
            and all(map(includes, actual, example))
        )
    return bool(actual == example)


def run(steps: list[Step], environment: dict[str, str], folder: Path) -> tuple[list[str], str]:
    """Return what each step printed, and what all wrote to stderr. Fails where the shell does."""
    mark = "--- step ---"
    script = _PRELUDE + "".join(f"{step.command}\necho; echo '{mark}'\n" for step in steps)
    done = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script],
        cwd=folder,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout.split(mark)[:-1], done.stderr


def run_page(page: str, environment: dict[str, str], folder: Path) -> list[int]:
    """Run a page's commands and compare their results; return the statuses they ended with."""
    steps = steps_of((ROOT / page).read_text())
    printed, log = run(steps, environment, folder)
    for step, output in zip(steps, printed, strict=True):
        step.check(output)
    return without_repeats(log)


def without_repeats(log: str) -> list[int]:
    """Return the statuses in order.

    Equal neighbours count once, since polling repeats a request.
    """
    statuses = [int(line) for line in log.split()]
    return [code for at, code in enumerate(statuses) if at == 0 or statuses[at - 1] != code]


@pytest.fixture
def reached(stack: Stack, application: Application) -> dict[str, str]:
    """Return the variables of the commands: the server's address and a key with all scopes."""
    _, key = create_api_key(application=application, name="curl", scopes=tuple(Scope), by="test")
    return {"WATCHDOG_URL": stack.url, "WATCHDOG_KEY": key}


@pytest.mark.parametrize(
    ("page", "statuses"),
    [
        ("docs/getting-started.md", [200, 201, 202, 200]),
        ("docs/how-to/clients/http.md", [200, 202, 200, 202, 200, 409, 400, 401]),
    ],
)
def test_a_page_that_starts_from_nothing_runs(
    reached: dict[str, str], tmp_path: Path, page: str, statuses: list[int]
) -> None:
    assert run_page(page, reached, tmp_path) == statuses


PAGES_WITH_A_CHECK = {
    "README.md": [200],
    "docs/concepts/trail.md": [200],
    "docs/how-to/documents.md": [200],
    "docs/how-to/notifications.md": [201],
    "docs/how-to/review-desk.md": [200],
    "docs/operations/retention.md": [204],
    "docs/reference/api.md": [201],
    "docs/reference/trends.md": [200],
}


def test_the_pages_that_need_a_check_run(
    stack: Stack, application: Application, reached: dict[str, str], tmp_path: Path
) -> None:
    person("anna", Role.REVIEWER, application)
    ReasonCode.objects.get_or_create(code="is-supported", defaults={"label": "Supported"})
    with stack.client(reached["WATCHDOG_KEY"]) as client:
        client.post("/api/v1/collections", json={"name": "handbook"}).raise_for_status()
    for page, statuses in PAGES_WITH_A_CHECK.items():
        names = blocked_check(stack, reached["WATCHDOG_KEY"])
        assert run_page(page, {**reached, **names}, tmp_path) == statuses, page


def blocked_check(stack: Stack, key: str) -> dict[str, str]:
    """Return the id of a new blocked check, which waits for review, by the pages' name for it."""
    with stack.client(key) as client:
        answer = client.post(
            "/api/v1/checks",
            json={"answer": "Refunds take 30 days.", "sources": ["Refunds take 14 days."]},
            headers={"Prefer": "wait=60"},
        )
    return {"CHECK": answer.json()["id"]}


def test_a_result_that_differs_is_noticed() -> None:
    assert includes({"a": [{"b": 1, "c": 2}]}, {"a": [{"b": 1}]})
    assert not includes({"a": [{"b": 1}]}, {"a": [{"b": 2}]})
    assert not includes({"a": []}, {"a": [{"b": 1}]})
    assert not includes({}, {"a": None})
    shape = {"a": [{"b": {"c": 1}}]}
    assert names_of(shape) == {".a", ".a[].b", ".a[].b.c"} == names_of({"a": [{"b": {"c": 2}}]})
    assert not names_of(shape) <= names_of({"a": [{"b": 1}], "c": 2})
