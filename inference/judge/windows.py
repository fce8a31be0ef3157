"""Windows of evidence for the judge: sources cut at sentence ends, the best ones chosen by words.

Pure functions over token ids, shared by training and serving, so that both read the same text.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WINDOW_TOKENS = 200
"""Tokens of one window at most, special tokens aside."""
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")

Encode = Callable[[str], Sequence[int]]
"""Token ids of a text, without special tokens."""


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive sentences of one source: code points [start, end) and their token ids."""

    source: int
    start: int
    end: int
    ids: tuple[int, ...]


def cut(texts: Sequence[str], encode: Encode, size: int = WINDOW_TOKENS) -> list[Window]:
    """Windows of at most `size` tokens over all texts, in order; nothing is left out."""
    windows: list[Window] = []
    for source, text in enumerate(texts):
        windows += _cut_one(source, text, encode, size)
    return windows


def _cut_one(source: int, text: str, encode: Encode, size: int) -> list[Window]:
    windows: list[Window] = []
    tokens: list[int] = []
    begin = end = 0
    for start, stop in _sentences(text):
        ids = list(encode(text[start:stop]))
        if tokens and len(tokens) + len(ids) > size:
            windows.append(Window(source, begin, end, tuple(tokens)))
            tokens = []
        if not tokens:
            begin = start
        tokens, end = tokens + ids, stop
        # One sentence may be a megabyte: its windows are cut in one pass.
        whole = max(0, len(tokens) - 1) // size * size
        windows += [
            Window(source, begin, end, tuple(tokens[at : at + size]))
            for at in range(0, whole, size)
        ]
        tokens = tokens[whole:]
    if tokens:
        windows.append(Window(source, begin, end, tuple(tokens)))
    return windows


def _sentences(text: str) -> list[tuple[int, int]]:
    """Spans of sentences and lines, blank ones left out."""
    spans, at = [], 0
    for match in _SENTENCE_END.finditer(text):
        if text[at : match.start()].strip():
            spans.append((at, match.start()))
        at = match.end()
    if text[at:].strip():
        spans.append((at, len(text)))
    return spans


def select(
    windows: Sequence[Window], queries: Sequence[Sequence[int]], budget: int
) -> list[Window]:
    """The windows that share the rarest tokens with the queries (claims and question).

    Every query in turn adds its best window that is not yet chosen, until `budget` tokens are
    spent; all windows are kept where they fit. The order of the sources is kept.
    """
    if sum(len(window.ids) for window in windows) <= budget:
        return list(windows)
    rankings = _rankings(windows, queries)
    indices: set[int] = set()
    spent = 0
    for place in range(len(windows)):
        for ranking in rankings:
            index = ranking[place]
            cost = len(windows[index].ids)
            if index in indices or (indices and spent + cost > budget):
                continue
            indices.add(index)
            spent += cost
    return [windows[index] for index in sorted(indices)]


def _rankings(windows: Sequence[Window], queries: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each query the window numbers, best first; ties keep the order of the sources."""
    sets = [frozenset(window.ids) for window in windows]
    frequency = Counter(token for window_tokens in sets for token in window_tokens)
    weight = {token: math.log(1 + len(sets) / count) for token, count in frequency.items()}
    rankings = []
    for query in queries or [()]:
        tokens = set(query)
        scores = [sum(weight[token] for token in tokens & window_tokens) for window_tokens in sets]
        rankings.append(sorted(range(len(sets)), key=lambda index: -scores[index]))
    return rankings
