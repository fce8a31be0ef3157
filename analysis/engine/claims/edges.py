"""The edges of a clause: punctuation, list signs, citation marks and paired quotes are no part."""

from analysis.engine.claims.reading import Range
from lib.text.tokens import MARK, NUMBER, Tokens
from lib.text.words import word_set

_EDGES = frozenset(".,;:!?。！？…।،؛、,-–—•*_|/\\·")
_CITED_WORDS = word_set("source sources document documents doc docs passage passages ref refs")
_CITING = _CITED_WORDS | frozenset(",;:-–&") | {"and"}
_CITATION_SIGNS = {"]": "[", ")": "("}
_LABELS = word_set(
    "attention correction edit erratum fact fyi headline heading important info nb note ps "
    "reminder remember statement subject summary tip title update warning"
)
_LEAST_BEHIND_LABEL = 3
"""Words that make a statement behind a label; fewer are its value ("title: Ulysses")."""


def trim(tokens: Tokens, first: int, last: int) -> Range:
    """Without punctuation, list signs, citation marks and paired quotes at the edges."""
    while True:
        while first < last and _edge(tokens, first):
            first += 1
        while last > first and _edge(tokens, last - 1):
            last -= 1
        end = _drop_citation(tokens, first, last)
        inner = _unwrap(tokens, _skip_label(tokens, first, end), end)
        if inner == (first, last):
            return inner
        first, last = inner


def _skip_label(tokens: Tokens, first: int, last: int) -> int:
    """Past "Note:", "title =", "P.S." and an opening tag, which state nothing themselves."""
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
    """Take off a pair of marks around the whole, and a mark whose partner is elsewhere."""
    if last - first < 2:
        return first, last
    closing = _PAIRS.get(tokens.words[first])
    if closing and closing not in tokens.words[first + 1 : last - 1]:
        return first + 1, last - (tokens.words[last - 1] == closing)
    opening = _OPENERS.get(tokens.words[last - 1])
    if opening and opening not in tokens.words[first : last - 1]:
        return first, last - 1
    return first, last


def _drop_citation(tokens: Tokens, first: int, last: int) -> int:
    """Without [1], [2, 3], [Source 4] or (Passage 5) at the end."""
    opening = _CITATION_SIGNS.get(tokens.words[last - 1]) if last - first > 3 else None
    at = last - 2
    while opening and at > first and _cites(tokens, at):
        at -= 1
    is_cited = first < at < last - 2 and _is_citation(tokens, at, last)
    return at if opening and is_cited and tokens.words[at] == opening else last


def skip_citations(tokens: Tokens, first: int, last: int) -> int:
    """Past the citation marks of the sentence before: "[1] The next one"."""
    while first < last and tokens.words[first] in ("[", "("):
        at = first + 1
        while at < last and _cites(tokens, at):
            at += 1
        closed = at < last and _CITATION_SIGNS.get(tokens.words[at]) == tokens.words[first]
        if not closed or not _is_citation(tokens, first, at + 1):
            break
        first = at + 1
    return first


def _cites(tokens: Tokens, at: int) -> bool:
    return tokens.kinds[at] == NUMBER or tokens.lower[at] in _CITING


def _is_citation(tokens: Tokens, first: int, last: int) -> bool:
    """Whether tokens [first, last), brackets at both ends, name a source; round ones by a word."""
    numbered = any(tokens.kinds[at] == NUMBER for at in range(first, last))
    has_word = not _CITED_WORDS.isdisjoint(tokens.lower[first:last])
    return numbered and (has_word or tokens.words[first] == "[")
