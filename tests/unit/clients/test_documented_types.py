"""The Python of the client's pages agrees with the client's types."""

import os
import re
from pathlib import Path

from tests.commands import python

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
    path = {"MYPYPATH": str(ROOT / "clients" / "python" / "src"), "PATH": os.environ["PATH"]}
    python("-m", "mypy", *options, "--cache-dir", tmp_path, *modules, environment=path)
