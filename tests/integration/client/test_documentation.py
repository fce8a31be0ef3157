"""The code blocks of docs/how-to/clients run as written."""

import re
from pathlib import Path
from typing import Any

import pytest

from accounts.models import ApiKey
from tests.stack import Stack

FOLDER = Path(__file__).parents[3] / "docs" / "how-to" / "clients"
pytestmark = pytest.mark.timeout(400)


def code_of(page: str, language: str) -> list[str]:
    """The code blocks of a page, in order."""
    text = (FOLDER / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_python_page_runs(
    stack: Stack, api_key: tuple[ApiKey, str], capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {"URL": stack.url, "KEY": api_key[1], "SECRET": "whsec_MDEyMw=="}
    blocks = code_of("python.md", "python")
    for number, block in enumerate(blocks):
        exec(compile(block, f"python.md, block {number}", "exec"), names)
    printed = capsys.readouterr().out
    assert "BLOCK" in printed
    assert "'done': 2" in printed
    assert "claim: Refunds take 30 days Contradictory" in printed
    assert "result: BLOCK" in printed
    assert "indexed Refunds take 14 days." in printed
    assert names["receive"]({}, b"{}") == 401
