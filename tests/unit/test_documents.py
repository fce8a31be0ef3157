"""The documents at the root and under docs/: links lead somewhere, docs/README.md lists all."""

import re
from pathlib import Path

import pytest

DOCS = Path("docs")
MOST_WORDS = 1_200
MOST_WORDS_OF_ACCURACY = 1_100
"""Two pages of A4 with its tables, set in 10 points."""
PAGES = [*sorted(Path().glob("*.md")), *sorted(DOCS.rglob("*.md"))]
TEXTS = [
    *Path().glob("*.md"),
    *DOCS.rglob("*.md"),
    *(path for init in Path().glob("*/__init__.py") for path in init.parent.rglob("*.py")),
]
_NAMED = re.compile(r"(?<![\w/.])docs/[\w/.-]+\.(?:md|yaml|png|json)\b")
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")
_NOT_IN_AN_ANCHOR = re.compile(r"[^\w\- ]")


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {_NOT_IN_AN_ANCHOR.sub("", text.lower()).replace(" ", "-") for text in headings}


def broken_links(page: Path) -> list[str]:
    """Return the links of a page that lead to no file, or to no heading of it."""
    broken = []
    for target, anchor in _LINK.findall(page.read_text()):
        file = (page.parent / target) if target else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(f"{target}#{anchor}" if anchor else target)
    return broken


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_link_leads_somewhere(page):
    assert broken_links(page) == []


def test_every_document_that_a_text_names_exists():
    absent = {
        f"{path}: {name}"
        for path in TEXTS
        for name in _NAMED.findall(path.read_text(encoding="utf-8"))
        if not Path(name).exists()
    }
    assert absent == set()


def test_a_broken_link_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# One\n\n[a](#one) [b](#two) [c](none.md) [d](https://example.com/x)")
    assert broken_links(page) == ["#two", "none.md"]


def test_the_index_lists_every_document():
    index = (DOCS / "README.md").read_text()
    linked = {(DOCS / target).resolve() for target, _ in _LINK.findall(index)}
    pages = {path.resolve() for path in DOCS.rglob("*.md") if path.parent.name != "decisions"}
    assert pages - {(DOCS / "README.md").resolve()} <= linked


def test_the_readme_stays_short():
    assert len(Path("README.md").read_text().split()) <= MOST_WORDS


def test_how_right_the_verdicts_are_takes_two_pages_at_most():
    words = [word for word in (DOCS / "accuracy.md").read_text().split() if word.strip("|-:")]
    assert len(words) <= MOST_WORDS_OF_ACCURACY
