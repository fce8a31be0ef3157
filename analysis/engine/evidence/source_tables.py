"""Rows of tables among the sources: lines of cells, and the line that names their columns."""

import re

from analysis.engine.evidence.corpus import Corpus
from lib.text.stems import term
from lib.text.tokens import MARK, tokenize

_SEPARATORS = "|\t;,"
_MOST_UP = 2_000
_MOST_WORDS = 8
_COMMA_IN_PROSE = re.compile(r"[.!?:]$|,\s+(?:and|or|but|which|who)\b")


def cells_of(text: str) -> list[str]:
    """The cells of a line that is a table's row; none for any other text."""
    text = text.strip().strip("|")
    if _COMMA_IN_PROSE.search(text):
        return []
    for separator in _SEPARATORS:
        if separator in text:
            cells = [cell.strip().strip('"') for cell in text.split(separator)]
            return cells if all(len(cell.split()) <= _MOST_WORDS for cell in cells) else []
    return []


def cell_beside(
    corpus: Corpus, index: int, key: frozenset[str], label: frozenset[str]
) -> str | None:
    """The cell of a source's row in the column that `key` names, or the only one beside `label`.

    None where the passage is no row of which `label` is the name, or has no such cell.
    """
    cells = cells_of(corpus.text_of(index))
    label_columns = [at for at, cell in enumerate(cells) if label <= _terms(cell)]
    if not label_columns:
        return None
    head = _head(corpus, index, len(cells))
    columns = [at for at, name in enumerate(head) if key & _terms(name) and at != label_columns[0]]
    if len(columns) == 1:
        return cells[columns[0]]
    return cells[1 - label_columns[0]] if len(cells) == 2 and len(label_columns) == 1 else None


def _head(corpus: Corpus, index: int, width: int) -> list[str]:
    """The first row of the table that a passage is a row of."""
    head, source = list[str](), corpus.passages[index].source
    for at in range(index - 1, max(-1, index - _MOST_UP), -1):
        if corpus.passages[at].source != source:
            break
        cells = cells_of(corpus.text_of(at))
        if len(cells) != width:
            break
        head = cells
    return head


def _terms(text: str) -> frozenset[str]:
    tokens = tokenize(text)
    words = zip(tokens.lower, tokens.kinds, strict=True)
    return frozenset(filter(None, (term(word) for word, kind in words if kind != MARK)))
