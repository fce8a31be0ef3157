import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def chosen(file):
    lines = (ROOT / file).read_text().splitlines()
    names = (
        re.match(r"[A-Za-z0-9._-]+", line) for line in lines if not line.startswith(("#", "-"))
    )
    return {canonical(match.group()) for match in names if match}


def explained(heading):
    text = (ROOT / "docs" / "dependencies.md").read_text()
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return [canonical(name) for name in re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)]


@pytest.mark.parametrize(
    ("heading", "file"), [("Product", "requirements.in"), ("Development", "requirements-dev.in")]
)
def test_each_direct_dependency_is_explained_once(heading, file):
    names = explained(heading)
    assert len(names) == len(set(names))
    assert set(names) == chosen(file)


@pytest.mark.parametrize("file", ["requirements.in", "requirements-dev.in"])
def test_each_direct_dependency_is_pinned(file):
    pins = (ROOT / file.replace(".in", ".txt")).read_text()
    every = pins + (ROOT / "requirements.txt").read_text()
    pinned = {canonical(line.split("==")[0]) for line in every.splitlines() if "==" in line}
    assert chosen(file) <= pinned
