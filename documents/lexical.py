"""BM25 in two halves (Robertson and Zaragoza, 2009): the chunk's, stored, and the query's.

score(query, chunk) = Σ IDF(t) · tf·(k1+1) / (tf + k1·(1 − b + b·length/average_length))

The fraction is the chunk's weight for a term and is written once, so the average length is a
constant of the collection. IDF comes with the query, from counts that may grow.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b

from lib.text.stems import stem
from lib.text.tokens import CJK, NUMBER, WORD, tokenize
from lib.text.words import STOPWORDS

K1 = 1.2
B = 0.75
TERM_DIMENSIONS = 1_000_000_000
_LONGEST_TERM = 60


def terms(text: str) -> list[str]:
    """Return the stemmed words and numbers of a text, in order, without stop words and marks."""
    tokens = tokenize(text)
    stems = []
    for word, kind in zip(tokens.lower, tokens.kinds, strict=True):
        if kind == WORD and word not in STOPWORDS:
            stems.append(stem(word)[:_LONGEST_TERM])
        elif kind == NUMBER:
            stems.append(word.replace(",", "")[:_LONGEST_TERM])
        elif kind == CJK:
            stems.append(word)
    return stems


def weights(chunk_terms: Iterable[str], *, average_length: float) -> dict[int, float]:
    """Return a chunk's weight for each term id: BM25 without IDF."""
    counts = Counter(chunk_terms)
    length = K1 * (1 - B + B * counts.total() / average_length)
    # Two terms may share an id (about one in a million pairs); the greater weight is kept.
    weighed: dict[int, float] = {}
    for term, count in counts.items():
        weight = count * (K1 + 1) / (count + length)
        weighed[term_id(term)] = max(weight, weighed.get(term_id(term), 0.0))
    return weighed


def idf(chunks: int, holding: int) -> float:
    """Return the IDF of a term in `holding` of `chunks` chunks; always above 0."""
    holding = min(holding, chunks)
    return math.log(1 + (chunks - holding + 0.5) / (holding + 0.5))


def query_weights(
    query_terms: Iterable[str], holding: Mapping[str, int], *, chunks: int
) -> dict[int, float]:
    """Return the IDF of each distinct query term; an uncounted term has the highest."""
    return {term_id(term): idf(chunks, holding.get(term, 0)) for term in dict.fromkeys(query_terms)}


def gathering_terms(
    query_terms: Iterable[str], holding: Mapping[str, int], *, budget: int
) -> list[str]:
    """Return the rarest terms whose chunks, taken together, stay within the budget.

    At least one counted term is among them. Uncounted terms are all included: either no chunk has
    them, or one so new that the counts do not know it yet.
    """
    uncounted = sorted(term for term in set(query_terms) if not holding.get(term))
    rarest: list[str] = []
    for count, term in sorted(
        (holding[term], term) for term in set(query_terms) if holding.get(term)
    ):
        if rarest and count > budget:
            break
        budget -= count
        rarest.append(term)
    return uncounted + rarest


@lru_cache(maxsize=1 << 16)
def term_id(term: str) -> int:
    """Return a stable id from 0 to TERM_DIMENSIONS - 1."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest()) % TERM_DIMENSIONS
