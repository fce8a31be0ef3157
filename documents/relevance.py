"""The relevance of a passage to a question, 0-1: one scale for words and vectors.

A logistic function of the cosine and of the share of the question's words in the passage, fitted on
questions whose document is in a collection of 1, 5 or 50 against questions whose document is not
(`python -m tools.training.relevance DATA`, docs/decisions/0606).
"""

import math
from collections.abc import Iterable

from documents.lexical import terms

FITTED = {"all-MiniLM-L6-v2": (8.43, 3.35, -4.45)}
"""Weights of cosine and share of words and the bias, by the name of the embedding model."""
BY_WORDS = (14.12, -3.11)
"""Weight and bias of the share of words where no cosine was measured, or by another model."""


def relevance(cosine: float | None, share: float, model: str) -> float:
    """Return the probability that a passage is about the question."""
    fit = next((fit for name, fit in FITTED.items() if name in model), None)
    if cosine is None or fit is None:
        slope, bias = BY_WORDS
        return _logistic(slope * share + bias)
    by_cosine, by_share, bias = fit
    return _logistic(by_cosine * cosine + by_share * share + bias)


def share_held(query_terms: Iterable[str], text: str) -> float:
    """Return the share of a question's terms that occur in a passage.

    An identifier ("F207") is what the question is about: a passage with it counts as having all.
    """
    question, passage = frozenset(query_terms), frozenset(terms(text))
    if any(_is_identifier(term) for term in question & passage):
        return 1.0
    return len(question & passage) / len(question) if question else 0.0


def _is_identifier(term: str) -> bool:
    return any(map(str.isdigit, term)) and any(map(str.isalpha, term))


def _logistic(value: float) -> float:
    return round(1 / (1 + math.exp(-value)), 4)
