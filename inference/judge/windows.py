"""Windows of evidence: sources split at sentence ends, the best ones chosen by words.

Pure functions over token ids, shared by training and serving, so that both read the same text. A
line of a record in sentences begins with its path: "events 2, player: id: 9429, name: Ana". Lines
that share steps of their paths belong to one object, and stay together where they can.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, takewhile
from typing import NamedTuple

from lib.text.antecedents import refers_back

WINDOW_TOKENS = 200
"""Tokens of one window at most, special tokens aside."""
_LEAST_PART = 4
"""A window is not cut short below this part of its room."""
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")

Encode = Callable[[str], Sequence[int]]
"""Token ids of a text, without special tokens."""
_PATH = re.compile(r"([^A-Z.!?;:\n]{1,120}): ")
_OPENING = 80
"""Characters of a sentence that are looked at for what it refers to."""


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive sentences of one source: code points [start, end) and their token ids.

    `leans`: its first sentence depends on the window before it ("It costs 40").
    """

    source: int
    start: int
    end: int
    ids: tuple[int, ...]
    leans: bool = False


class Bond(NamedTuple):
    """The bond to the previous sentence: shared `steps` of the path, one more within a line.

    `leans`: it cannot be understood without that sentence ("It costs 40").
    """

    steps: int
    leans: bool


@dataclass(frozen=True, slots=True)
class _Sentence:
    start: int
    end: int
    ids: tuple[int, ...]
    bond: Bond


def cut(texts: Sequence[str], encode: Encode, size: int = WINDOW_TOKENS) -> list[Window]:
    """Return windows of at most `size` tokens over all texts, in order; nothing is left out.

    An object of a record stays in one window if it fits.
    """
    windows: list[Window] = []
    for source, text in enumerate(texts):
        windows += _cut_one(source, text, encode, size)
    return windows


def _cut_one(source: int, text: str, encode: Encode, size: int) -> list[Window]:
    windows: list[Window] = []
    pending: list[_Sentence] = []
    tokens = 0
    spans = spans_between(_SENTENCE_END, text)
    for (start, end), bond in zip(spans, bonds(text, spans), strict=True):
        sentence = _Sentence(start, end, tuple(encode(text[start:end])), bond)
        while pending and tokens + len(sentence.ids) > size:
            at = _boundary(pending, sentence, size)
            windows.append(_window(source, pending[:at]))
            pending = pending[at:]
            tokens -= len(windows[-1].ids)
        # One sentence may be a megabyte: its windows are cut in one pass.
        whole = max(0, len(sentence.ids) - 1) // size * size
        windows += [
            Window(source, start, end, sentence.ids[at : at + size]) for at in range(0, whole, size)
        ]
        pending.append(replace(sentence, ids=sentence.ids[whole:]) if whole else sentence)
        tokens += len(pending[-1].ids)
    return [*windows, _window(source, pending)] if pending else windows


def _boundary(pending: Sequence[_Sentence], following: _Sentence, size: int) -> int:
    """Return how many of the sentences make a window of at least a quarter of `size`.

    The next begins where the fewest steps of a path are shared, at the latest such place.
    """
    count, fewest = len(pending), following.bond.steps
    tokens = sum(len(sentence.ids) for sentence in pending)
    for at in range(len(pending) - 1, 0, -1):
        tokens -= len(pending[at].ids)
        if not fewest or tokens * _LEAST_PART < size:
            break
        if pending[at].bond.steps < fewest:
            count, fewest = at, pending[at].bond.steps
    return count


def _window(source: int, sentences: Sequence[_Sentence]) -> Window:
    ids = tuple(chain.from_iterable(sentence.ids for sentence in sentences))
    first, last = sentences[0], sentences[-1]
    return Window(source, first.start, last.end, ids, first.bond.leans)


def spans_between(ends: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Return the parts of a text, as code points, between what a pattern finds; no blank ones."""
    spans, at = [], 0
    for match in ends.finditer(text):
        if text[at : match.start()].strip():
            spans.append((at, match.start()))
        at = match.end()
    if text[at:].strip():
        spans.append((at, len(text)))
    return spans


def select(
    windows: Sequence[Window], queries: Sequence[Sequence[int]], budget: int
) -> list[Window]:
    """Return the windows that share the rarest tokens with the queries (claims and question).

    Every query in turn adds its best window not yet chosen, with the one before it if it depends on
    that, until `budget` tokens are spent; all windows are returned if they fit. The order of the
    sources is kept.
    """
    if sum(len(window.ids) for window in windows) <= budget:
        return list(windows)
    rankings = _rankings(windows, queries)
    indices: set[int] = set()
    spent = 0
    for place in range(len(windows)):
        for ranking in rankings:
            best = ranking[place]
            for index in (best, best - 1) if windows[best].leans else (best,):
                cost = len(windows[index].ids)
                if indices and index not in indices and spent + cost > budget:
                    break
                spent += 0 if index in indices else cost
                indices.add(index)
    return [windows[index] for index in sorted(indices)]


def _rankings(windows: Sequence[Window], queries: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return each query's window numbers, best first; ties keep the order of the sources."""
    sets = [frozenset(window.ids) for window in windows]
    frequency = Counter(token for window_tokens in sets for token in window_tokens)
    weight = {token: math.log(1 + len(sets) / count) for token, count in frequency.items()}
    rankings = []
    for query in queries or [()]:
        tokens = set(query)
        scores = [sum(weight[token] for token in tokens & window_tokens) for window_tokens in sets]
        rankings.append(sorted(range(len(sets)), key=lambda index: -scores[index]))
    return rankings


def bonds(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Bond]:
    """Yield each sentence's [start, end) bond to the one before; the first has none."""
    path: tuple[str, ...] = ()
    before = 0
    for at, (start, end) in enumerate(spans):
        is_line = at == 0 or "\n" in text[before:start]
        own = path
        if is_line:
            match = _PATH.match(text, start, end)
            own = tuple(match[1].split(", ")) if match else ()
        if at == 0:
            yield Bond(0, leans=False)
        elif own and not is_line:
            yield Bond(len(own) + 1, leans=True)
        else:
            opening = text[start : min(end, start + _OPENING)]
            shared = takewhile(lambda pair: pair[0] == pair[1], zip(path, own, strict=False))
            yield Bond(sum(1 for _ in shared), leans=not own and refers_back(opening))
        path, before = own, end
