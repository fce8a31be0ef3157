"""Real passages and real questions, from which a larger corpus is made up.

By default they are the docstrings of the packages this product is installed with: English prose
about mathematics, databases, the web, graphs and statistics that lies on every machine.
"""

import ast
import importlib.util
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from documents.chunking import chunk

_PACKAGES = ("django", "sqlalchemy", "networkx", "numpy", "scipy", "sklearn", "sympy", "torch")
_SHORTEST, _LONGEST = 200, 500
_SHORTEST_QUESTION, _LONGEST_QUESTION = 25, 160
_LONGEST_FILE = 400_000
_A_FILE = 12


@dataclass(frozen=True, slots=True)
class Passages:
    """Texts of at most 500 characters, and questions that some of them answer."""

    texts: list[str]
    questions: list[str]


def installed_passages(count: int, *, questions: int, seed: int) -> Passages:
    """Return up to `count` passages of docstrings; a question is a docstring's first sentence."""
    files = sorted(_sources())
    random.Random(seed).shuffle(files)  # noqa: S311  a benchmark repeats itself
    texts: dict[str, None] = {}
    question_texts: dict[str, None] = {}
    for file in files:
        if len(texts) >= count and len(question_texts) >= questions:
            break
        for summary, body in list(_docstrings(file))[:_A_FILE]:
            _take(texts, body, count)
            if _SHORTEST_QUESTION <= len(summary) <= _LONGEST_QUESTION:
                question_texts.setdefault(summary)
    return Passages(list(texts), list(question_texts)[:questions])


def folder_passages(folder: Path, count: int, *, questions: int, seed: int) -> Passages:
    """Return up to `count` passages of a folder in BEIR's layout, and its questions."""
    chance = random.Random(seed)  # noqa: S311  as above
    documents = list(_read(folder / "corpus.jsonl"))
    question_texts = list(dict.fromkeys(_read(folder / "queries.jsonl")))
    chance.shuffle(documents)
    chance.shuffle(question_texts)
    texts: dict[str, None] = {}
    for document in documents:
        _take(texts, document, count)
    return Passages(list(texts), question_texts[:questions])


def _take(texts: dict[str, None], document: str, count: int) -> None:
    for span in chunk(document, size=_LONGEST, overlap=0):
        if span.end - span.start >= _SHORTEST and len(texts) < count:
            texts.setdefault(document[span.start : span.end])


def _read(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield f"{row.get('title', '')}\n{row['text']}".strip()


def _sources() -> Iterator[Path]:
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            yield from (
                file
                for file in Path(folder).rglob("*.py")
                if "test" not in str(file.relative_to(folder))
            )


def _docstrings(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the first paragraph of each docstring and the rest."""
    if file.stat().st_size > _LONGEST_FILE:
        return
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            summary, _, body = (ast.get_docstring(node) or "").partition("\n\n")
            if body:
                yield " ".join(summary.split()), body
