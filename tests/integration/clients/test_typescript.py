"""The TypeScript client, run by node against real processes; `make test-client` builds it."""

import os
import re
import shutil
from pathlib import Path

import pytest

from accounts.models import Scope
from accounts.services import create_api_key
from tests.commands import program, tried

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "clients" / "typescript"
PAGE = ROOT / "docs" / "how-to" / "clients" / "typescript.md"
BEGINNING = """
const URL = process.env["WATCHDOG_URL"]!;
const KEY = process.env["KEY"]!;
const SECRET = "whsec_MDEyMw==";
"""
pytestmark = [
    pytest.mark.timeout(400),
    pytest.mark.skipif(
        shutil.which("node") is None or not (FOLDER / "dist" / "test").is_dir(),
        reason="not built: `make test-client` does, with node and npm",
    ),
]


def test_the_page_runs(stack, application) -> None:
    _, key = create_api_key(application=application, name="ts", scopes=tuple(Scope), by="test")
    blocks = re.findall(r"^```ts\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    ending = """
console.log("received:", await receive(new Headers(), "{}"));
console.log("api:", typeof ApiError, typeof PendingError);
"""
    source = BEGINNING + "".join(blocks).replace('"watchdog-client"', '"../src/index.js"') + ending
    (FOLDER / "test" / "page.ts").write_text(source)
    try:
        program("npx", "tsc", folder=FOLDER)
        environment = os.environ | {"WATCHDOG_URL": stack.url, "KEY": key}
        printed = program("node", "dist/test/page.js", folder=FOLDER, environment=environment)
    finally:
        (FOLDER / "test" / "page.ts").unlink()
        (FOLDER / "dist" / "test" / "page.js").unlink(missing_ok=True)
    lines = printed.splitlines()
    assert lines[0].startswith("BLOCK ")
    assert lines[1:] == [
        "guard: BLOCK false",
        "handler: BLOCK",
        "blocked: 3",
        "claim: Refunds take 30 days Contradictory",
        "result: BLOCK",
        "received: 401",
        "api: function function",
    ]


def test_the_guard_never_lets_an_unchecked_answer_out() -> None:
    assert "pass 10" in program("node", "--test", "dist/test/guard.test.js", folder=FOLDER)


def test_node_runs_its_tests_against_a_server(stack, application) -> None:
    _, key = create_api_key(application=application, name="ts", scopes=tuple(Scope), by="test")
    environment = os.environ | {"WATCHDOG_URL": stack.url, "WATCHDOG_KEY": key}
    tests = ["dist/test/client.test.js", "dist/test/middleware.test.js"]
    done = tried("node", "--test", *tests, folder=FOLDER, environment=environment)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{stack.logs()[-4000:]}"
    assert "pass 8" in done.stdout
