"""The client's package carries the licence of the whole."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_it_has_the_products_licence() -> None:
    ours, clients = (
        tomllib.loads(path.read_text())["project"]
        for path in (ROOT / "pyproject.toml", ROOT / "clients" / "python" / "pyproject.toml")
    )
    assert clients["license"] == ours["license"]
    assert clients["license-files"] == ["LICENSE"]  # NOTICE lists files that are not in it
    assert (ROOT / "clients" / "python" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
