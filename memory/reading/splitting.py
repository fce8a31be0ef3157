"""Splits a manager's statement into sentences."""

import re

from lib.text.sentences import sentences
from lib.text.tokens import tokenize
from lib.text.verbs import predicates
from lib.text.words import BE

_JOINT = re.compile(
    r",\s+and\s+(?=(?:i|i'm|we|we're|our|my|the|there|it|this|nobody|no)\b)", re.IGNORECASE
)
_LEAST_WORDS = 3


def split(statement: str) -> list[str]:
    """Return the sentences; two main clauses are two sentences.

    "I am the safety manager, and our site is in Rotterdam." is about the manager and the site.
    """
    parts = (statement[sentence.start : sentence.end].strip() for sentence in sentences(statement))
    return [clause for part in parts if part for clause in _clauses(part)]


def _clauses(sentence: str) -> list[str]:
    """Return the main clauses joined by ", and", or the whole sentence if a part is none."""
    joints = list(_JOINT.finditer(sentence))
    starts = [0, *(item.end() for item in joints)]
    ends = [*(item.start() for item in joints), len(sentence)]
    clauses = [sentence[start:end] for start, end in zip(starts, ends, strict=True)]
    if len(clauses) == 1 or sentence.rstrip().endswith("?") or not all(map(_states, clauses)):
        return [sentence]
    return [_as_sentence(item) for item in clauses]


def _as_sentence(clause: str) -> str:
    closed = clause if clause[-1] in ".!?" else f"{clause}."
    return closed[0].upper() + closed[1:]


def _states(clause: str) -> bool:
    tokens = tokenize(clause)
    verb = not BE.isdisjoint(tokens.lower) or predicates(tokens, 0, len(tokens))
    return verb and len(clause.split()) >= _LEAST_WORDS
