"""The TypeScript client, run by node against real processes; `make test-client` builds it."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from accounts.models import Scope
from accounts.services import create_api_key

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
        compiled = _run(["npx", "tsc"], {})
        assert compiled.returncode == 0, compiled.stdout
        done = _run(["node", "dist/test/page.js"], {"WATCHDOG_URL": stack.url, "KEY": key})
    finally:
        (FOLDER / "test" / "page.ts").unlink()
        (FOLDER / "dist" / "test" / "page.js").unlink(missing_ok=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
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


def _run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=FOLDER,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_guard_never_lets_an_unchecked_answer_out() -> None:
    done = _run(["node", "--test", "dist/test/guard.test.js"], {})
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "pass 10" in done.stdout


def test_node_runs_its_tests_against_a_server(stack, application) -> None:
    _, key = create_api_key(application=application, name="ts", scopes=tuple(Scope), by="test")
    environment = {"WATCHDOG_URL": stack.url, "WATCHDOG_KEY": key}
    tests = ["dist/test/client.test.js", "dist/test/middleware.test.js"]
    done = _run(["node", "--test", *tests], environment)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{stack.logs()[-4000:]}"
    assert "pass 8" in done.stdout
