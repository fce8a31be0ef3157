"""Groups similar questions and names the groups by their words. Pure Python with NumPy.

A group is a question and all that are at least LIKE it, the largest first (the "community
detection" of sentence-transformers, which needs no number of topics and is deterministic). Names
are the words of highest class-based TF-IDF (M. Grootendorst, "BERTopic", arXiv:2203.05794, 2022,
formula 2).
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log
from typing import Any

import numpy as np

from lib.text.stems import stem
from lib.text.tokens import tokenize
from lib.text.words import STOPWORDS, word_set

LIKE = 0.55
"""The cosine from which two questions are of one topic."""
LEAST = 3
"""Fewer questions are no topic."""
WORDS = 3
_AT_ONCE = 1_000
_ASKING = word_set("what's who's when where how why much many long does tell please give")
Vectors = np.ndarray[Any, np.dtype[np.float32]]
QuestionGroup = tuple[int, ...]
"""Indices of similar questions, the central one first."""


def groups(vectors: Vectors, *, like: float = LIKE, least: int = LEAST) -> list[QuestionGroup]:
    """Return disjoint groups of at least `least` questions, the largest first.

    `vectors` have length 1, one in each row. A question that resembles no other is in no group.
    """
    near = _near(vectors, like)
    company = near.sum(axis=1)
    free = np.ones(len(near), dtype=bool)
    clusters: list[QuestionGroup] = []
    for centre in np.argsort(-company, kind="stable").tolist():
        if company[centre] < least:
            break
        members = np.flatnonzero(near[centre] & free)
        if free[centre] and len(members) >= least:
            free[members] = False
            clusters.append((centre, *(int(at) for at in members if at != centre)))
    return sorted(clusters, key=lambda group: (-len(group), group))


def names(groups: Sequence[QuestionGroup], questions: Sequence[str]) -> list[tuple[str, ...]]:
    """Return for each group the words frequent in it and rare in the others, at most WORDS.

    Words of one stem count as one and are shown as they stand most often.
    """
    word_counts = [
        Counter(stem(word) for at in group for word in _words(questions[at])) for group in groups
    ]
    everywhere = sum(word_counts, Counter[str]())
    spelled = _spellings(groups, questions)
    average = sum(everywhere.values()) / max(len(groups), 1)
    weights = [
        {item: n * log(1 + average / everywhere[item]) for item, n in counts.items()}
        for counts in word_counts
    ]
    return [
        tuple(spelled[item] for item in sorted(weight, key=lambda w: (-weight[w], w))[:WORDS])
        for weight in weights
    ]


def kept_ids(groups: Sequence[Sequence[Any]], before: dict[Any, int]) -> list[int | None]:
    """Return for each group the earlier topic of most members, or None; each topic once.

    `before` is the topic of each member that had one.
    """
    taken_ids: set[int] = set()
    ids: list[int | None] = []
    for members in groups:
        counts = Counter(before[member] for member in members if member in before)
        best = next((topic for topic, _ in counts.most_common() if topic not in taken_ids), None)
        if best is not None:
            taken_ids.add(best)
        ids.append(best)
    return ids


def _near(vectors: Vectors, like: float) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which pairs are similar, computed in parts so that the cosines need little memory."""
    near = np.zeros((len(vectors), len(vectors)), dtype=bool)
    for first in range(0, len(vectors), _AT_ONCE):
        rows = slice(first, first + _AT_ONCE)
        near[rows] = vectors[rows] @ vectors.T >= like
    return near


def _spellings(groups: Sequence[QuestionGroup], questions: Sequence[str]) -> dict[str, str]:
    spelled: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for group in groups:
        for at in group:
            for word in _words(questions[at]):
                spelled[stem(word)][word] += 1
    return {
        item: min(forms, key=lambda form: (-forms[form], form)) for item, forms in spelled.items()
    }


def _words(question: str) -> list[str]:
    """Return the content words of a question: no closed-class words, numbers or single letters."""
    return [
        word
        for word in tokenize(question).lower
        if len(word) > 1
        and word not in STOPWORDS
        and word not in _ASKING
        and any(char.isalpha() for char in word)
    ]
