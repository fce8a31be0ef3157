"""The `curl` commands of the documentation run as written, in order, against real processes.

The commands of a page run in one shell. What a JSON block right after one shows must be in the last
line it printed, and the events of a text block must be among its lines. A block of JSON with
comments is shortened: its texts are compared, of ids, versions and measured figures the names. The
statuses of all commands are those listed here, and no page with commands or replies is left out.
"""

import json
import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from accounts.models import Application, Role, Scope
from accounts.services import create_api_key
from analysis.models import ReasonCode
from tests.commands import tried
from tests.integration.people import person
from tests.shapes import names_of
from tests.sockets import wait_until
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
"""Parts of a shortened reply that are not JSON: comments and ellipses."""
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
    shortened: Any | None = None

    def check(self, output: str) -> None:
        """Fail if the commands printed something else."""
        lines = output.strip().splitlines()
        if self.json is not None:
            assert includes(json.loads(lines[-1]), self.json), f"{self.command}\nprinted {output}"
        if self.shortened is not None:
            assert names_of(self.shortened) <= names_of(json.loads(lines[-1])), output
            assert includes(json.loads(lines[-1]), _lasting(self.shortened), whole=False)
        assert tuple(line for line in lines if line in self.events) == self.events


def steps_of(text: str) -> list[Step]:
    """Return the commands of a page, each with the result shown right after it."""
    return [step for block in _BLOCK.finditer(text) for step in _steps(block)]


def _steps(block: re.Match[str]) -> list[Step]:
    if block["language"] == "console":
        typed = _TYPED.findall(block["code"])
        steps = [Step(command.replace(_LOCAL, "$WATCHDOG_URL")) for command in typed]
        if block["kind"] == "jsonc":
            shortened = json.loads(_SHORTENED.sub("", block["result"]))
            steps[-1] = replace(steps[-1], shortened=shortened)
        return steps
    if block["kind"] == "json":
        return [Step(block["code"], json=json.loads(block["result"]))]
    lines = (block["result"] or "").splitlines()
    return [Step(block["code"], events=tuple(line for line in lines if line.startswith("event:")))]


def _lasting(example: Any) -> Any:
    """Return an example without what differs from check to check: ids, versions and figures."""
    if isinstance(example, dict):
        return {
            name: _lasting(value)
            for name, value in example.items()
            if name not in ("id", "engine_version") and not isinstance(value, float)
        }
    return [_lasting(item) for item in example] if isinstance(example, list) else example


def includes(actual: Any, example: Any, *, whole: bool = True) -> bool:
    """Return whether `actual` has all that is shown: members of objects, and elements in order.

    Of lists that are not shown `whole`, each element shown must be there.
    """
    if isinstance(example, dict):
        return isinstance(actual, dict) and all(
            name in actual and includes(actual[name], value, whole=whole)
            for name, value in example.items()
        )
    if isinstance(example, list):
        if not isinstance(actual, list):
            return False
        if whole:
            return len(actual) == len(example) and all(map(includes, actual, example))
        return all(any(includes(one, shown, whole=False) for one in actual) for shown in example)
    return bool(actual == example)


def run(steps: list[Step], environment: dict[str, str], folder: Path) -> tuple[list[str], str]:
    """Return what each step printed, and what all wrote to stderr. Fails where the shell does."""
    mark = "--- step ---"
    script = _PRELUDE + "".join(f"{step.command}\necho; echo '{mark}'\n" for step in steps)
    done = tried(
        *("bash", "-eu", "-o", "pipefail", "-c", script),
        environment={"PATH": "/usr/local/bin:/usr/bin:/bin", **environment},
        folder=folder,
        timeout=_SECONDS,
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
def reached(stack, application) -> dict[str, str]:
    """Return the variables of the commands: the server's address and a key with all scopes."""
    _, key = create_api_key(application=application, name="curl", scopes=tuple(Scope), by="test")
    receiver = "http://127.0.0.1:1/"
    return {"WATCHDOG_URL": stack.url, "WATCHDOG_KEY": key, "RECEIVER": receiver}


PAGES_FROM_NOTHING = {
    "docs/getting-started.md": [200, 201, 202, 200],
    "docs/how-to/clients/http.md": [200, 202, 200, 202, 200, 409, 400, 401],
}
"""The statuses of each page's commands; neighbours that are equal count once."""


@pytest.mark.parametrize("page", PAGES_FROM_NOTHING)
def test_a_page_that_starts_from_nothing_runs(reached, tmp_path, page) -> None:
    assert run_page(page, reached, tmp_path) == PAGES_FROM_NOTHING[page]


PAGES_WITH_A_CHECK = {
    "README.md": [200],
    "docs/concepts/trail.md": [200],
    "docs/how-to/documents.md": [200, 202, 200],
    "docs/how-to/notifications.md": [201],
    "docs/how-to/review-desk.md": [200],
    "docs/operations/retention.md": [204],
    "docs/reference/api.md": [201],
    "docs/reference/trends.md": [200],
}


def test_the_pages_that_need_a_check_run(stack, application, reached, tmp_path) -> None:
    person("anna", Role.REVIEWER, application)
    ReasonCode.objects.get_or_create(code="is-supported", defaults={"label": "Supported"})
    with stack.client(reached["WATCHDOG_KEY"]) as client:
        client.post("/api/v1/collections", json={"name": "handbook"}).raise_for_status()
        file = ("refunds.txt", b"Refunds take 14 days. Sale items are not refunded.\n")
        form = {"data": {"collection": "handbook"}, "files": {"file": file}}
        document = client.post("/api/v1/documents", **form).raise_for_status().headers["Location"]
        wait_until(lambda: client.get(document).json()["state"] == "indexed", seconds=_SECONDS)
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


ERRORS = {
    "urn:watchdog:problem:invalid": {"answer": "Yes.", "sources": ["Yes.", 7]},
    "urn:watchdog:problem:quota_exceeded": {"answer": "Yes."},
}
"""For each error that a page shows without its request a request that gets it."""
_REPLY = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/reference/api.md"])
def test_the_errors_that_a_page_shows_are_the_errors_one_gets(
    page, client, api_key, application
) -> None:
    Application.objects.filter(pk=application.pk).update(checks_per_day=1)
    shown = [json.loads(reply) for reply in _REPLY.findall((ROOT / page).read_text())]
    headers = {"authorization": f"Bearer {api_key[1]}", "prefer": "wait=0"}
    send = partial(client.post, "/api/v1/checks", content_type="application/json", headers=headers)
    send({"answer": "Yes."})  # the one that the quota allows
    for error in (item for item in shown if item.get("type") in ERRORS):
        actual = send(ERRORS[error["type"]]).json()
        assert names_of(error) <= names_of(actual)
        assert actual["type"] == error["type"]
        if error["status"] == 400:
            assert includes(actual, error)


_COMMANDS = re.compile(r"^(?:\$ )?curl |\(curl ", re.MULTILINE)


def test_no_page_with_commands_is_left_out() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    with_commands = {
        str(page.relative_to(ROOT))
        for page in pages
        if any(_COMMANDS.search(block["code"]) for block in _BLOCK.finditer(page.read_text()))
    }
    assert with_commands == {*PAGES_FROM_NOTHING, *PAGES_WITH_A_CHECK}


def test_a_result_that_differs_is_noticed() -> None:
    assert includes({"a": [{"b": 1, "c": 2}]}, {"a": [{"b": 1}]})
    assert not includes({"a": [{"b": 1}]}, {"a": [{"b": 2}]})
    assert not includes({"a": []}, {"a": [{"b": 1}]})
    assert not includes({}, {"a": None})
    shape = {"a": [{"b": {"c": 1}}]}
    assert names_of(shape) == {".a", ".a[].b", ".a[].b.c"} == names_of({"a": [{"b": {"c": 2}}]})
    assert not names_of(shape) <= names_of({"a": [{"b": 1}], "c": 2})
    assert includes({"a": [1, {"b": 2, "c": 3}]}, {"a": [{"b": 2}]}, whole=False)
    assert not includes({"a": [1, {"b": 2}]}, {"a": [{"b": 3}]}, whole=False)
