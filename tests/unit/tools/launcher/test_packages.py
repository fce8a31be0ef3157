"""The packages of the code, and the picture of their imports in ARCHITECTURE.md."""

import re
from pathlib import Path

import pytest

from tools.launcher.packages import Package, circles, packages, picture, shortest_arrows

PAGE = Path("ARCHITECTURE.md")


@pytest.fixture(scope="module")
def ours() -> list[Package]:
    """Return the packages of this checkout; reading all its code takes seconds."""
    return packages()


def test_the_picture_in_architecture_md_is_that_of_the_imports(ours):
    assert picture(ours) in PAGE.read_text(), "python -m tools.launcher.packages prints it"


def test_architecture_md_names_every_room_and_every_folder_of_the_engine(ours):
    engine = {path.parent.name for path in Path("analysis/engine").glob("*/__init__.py")}
    matches = set(re.findall(r"^\| `(\w+)/` \|", PAGE.read_text(), re.MULTILINE))
    assert matches == {package.name for package in ours} | engine


def test_every_path_that_the_guides_name_exists():
    for page in (PAGE, Path("CONTRIBUTING.md")):
        paths = re.findall(r"`((?:[\w.]+/)+[\w.]*)`", page.read_text())
        assert paths
        assert [path for path in paths if not _exists(path)] == []


def _exists(path: str) -> bool:
    return any((Path(root) / path).exists() for root in ("", "analysis/engine", "analysis", "api"))


def test_no_room_is_in_a_circle(ours):
    assert circles({package.name: package.imports for package in ours}) == []


def test_a_circle_is_named():
    imports = {name: frozenset(to) for name, to in {"a": "b", "b": "c", "c": "a", "d": "a"}.items()}
    assert circles(imports) == ["a", "b", "c"]


def test_an_import_that_others_imply_gets_no_arrow():
    imports = {"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset[str]()}
    assert shortest_arrows(imports) == [("a", "b"), ("b", "c")]


def test_packages_are_counted_without_migrations(ours):
    (accounts,) = (package for package in ours if package.name == "accounts")
    paths = [path for path in Path("accounts").rglob("*.py") if "migrations" not in path.parts]
    assert (accounts.files, accounts.lines) == (
        len(paths), sum(len(path.read_text().splitlines()) for path in paths),
    )  # fmt: skip
    assert "tests" not in {package.name for package in ours}


def test_a_room_without_ties_stands_alone_in_the_picture():
    diagram = picture(
        [
            Package("a", 1, 1, frozenset("b")),
            Package("b", 1, 1, frozenset()),
            Package("z", 1, 1, frozenset()),
        ]
    )
    assert diagram.splitlines() == ["```mermaid", "flowchart TD", "    z", "    a --> b", "```"]
