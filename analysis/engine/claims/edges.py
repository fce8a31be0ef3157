"""The edges of a clause, without punctuation, list signs and paired quotes."""

from analysis.engine.claims.reading import Range
from lib.text.tokens import MARK, Tokens
from lib.text.words import word_set

_EDGES = frozenset(".,;:!?。！？…।،؛、,-–—•*_|/\\·")
_LABELS = word_set(
    "attention correction edit erratum fact fyi headline heading important info nb note ps "
    "reminder remember statement subject summary tip title update warning"
)
_LEAST_BEHIND_LABEL = 3
"""Words that make a statement behind a label; fewer are its value ("title: Ulysses")."""


def trim(tokens: Tokens, first: int, last: int) -> Range:
    """Return the range without punctuation, list signs and paired quotes at its edges."""
    while True:
        while first < last and _edge(tokens, first):
            first += 1
        while last > first and _edge(tokens, last - 1):
            last -= 1
        inner = _unwrap(tokens, _skip_label(tokens, first, last), last)
        if inner == (first, last):
            return inner
        first, last = inner


def _skip_label(tokens: Tokens, first: int, last: int) -> int:
    """Return the position after "Note:", "title =", "P.S." and an opening tag."""
    words = tokens.lower[first : min(last, first + 12)]
    at = 0
    if words[:4] == ["p", ".", "s", "."]:
        at = 4
    elif words[:1] == ["<"] and ">" in words:
        at = words.index(">") + 1
    elif len(words) > 1 and words[0] in _LABELS and words[1] in (":", "="):
        at = 2
    return first + at if last - first - at >= _LEAST_BEHIND_LABEL else first


def _edge(tokens: Tokens, at: int) -> bool:
    word = tokens.words[at]
    return tokens.kinds[at] == MARK and word[0] in _EDGES and word not in ("**", "*", "_", "__")


_PAIRS = {"**": "**", "*": "*", "_": "_", "__": "__", '"': '"', "“": "”", "«": "»", "'": "'"}
_OPENERS = {closing: opening for opening, closing in _PAIRS.items()}


def _unwrap(tokens: Tokens, first: int, last: int) -> Range:
    """Remove a pair of marks around the whole, and a mark whose partner is elsewhere."""
    if last - first < 2:
        return first, last
    closing = _PAIRS.get(tokens.words[first])
    if closing and closing not in tokens.words[first + 1 : last - 1]:
        return first + 1, last - (tokens.words[last - 1] == closing)
    opening = _OPENERS.get(tokens.words[last - 1])
    if opening and opening not in tokens.words[first : last - 1]:
        return first, last - 1
    return first, last
