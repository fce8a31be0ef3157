"""The Python of the client's pages agrees with the client's types."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGES = (
    "docs/how-to/clients/python.md",
    "docs/how-to/clients/webhooks.md",
    "clients/python/README.md",
)
PREAMBLE = 'URL = KEY = RECEIVER = ""\n'


def test_the_pages_use_members_that_the_client_declares(tmp_path) -> None:
    modules = [tmp_path / f"page_{number}.py" for number in range(len(PAGES))]
    for page, module in zip(PAGES, modules, strict=True):
        code = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)
        module.write_text(PREAMBLE + "\n".join(code))
    options = ["--config-file", os.devnull, "--follow-imports=silent", "--no-strict-optional"]
    options += [
        "--check-untyped-defs",
        "--allow-redefinition",
        "--disable-error-code=var-annotated",
    ]
    result = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--cache-dir", str(tmp_path), *map(str, modules)],
        env={"MYPYPATH": str(ROOT / "clients" / "python" / "src"), "PATH": os.environ["PATH"]},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
