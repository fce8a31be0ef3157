"""The code blocks of docs/how-to/clients/proxy.md run as written."""

import re
from pathlib import Path
from typing import Any

from proxy.app import CHAT, RESPONSES
from tests import fake_llm
from tests.unit.proxy.serving import proxying

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "clients" / "proxy.md"


def test_the_page_lists_every_error() -> None:
    sources = [path.read_text() for path in (PAGE.parents[3] / "proxy").glob("*.py")]
    codes = {code for source in sources for code in re.findall(r'code="(\w+)"', source)}
    codes |= {f"invalid_{api.input}" for api in (CHAT, RESPONSES)}
    assert len(codes) > 8
    assert [code for code in codes if f"`{code}`" not in PAGE.read_text()] == []


def test_the_page_runs(capsys) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    with proxying(fake_llm.text("Refunds take 14 days. They take 30 days.")) as running:
        names: dict[str, Any] = {
            "PROXY_URL": running.url, "MODEL_KEY": "model-key", "WATCHDOG_KEY": "wd_key",
        }  # fmt: skip
        for number, block in enumerate(blocks):
            exec(compile(block, f"proxy.md, block {number}", "exec"), names)
    assert capsys.readouterr().out == (
        "I don't know.\nBLOCK\nRefunds take 14 days. BLOCK ['ALLOW', 'BLOCK']\n"
    )
