"""Word stems by the Snowball English stemmer; other scripts pass through unchanged."""

import threading
from collections.abc import Callable, Iterable
from functools import lru_cache

import Stemmer

from lib.text.words import STOPWORDS

_REMEMBERED = 1 << 15
"""Cached stems: a look-up costs a tenth of stemming."""


class _Local(threading.local):
    """A stemmer for each thread: PyStemmer objects must not be shared between threads."""

    def __init__(self) -> None:
        self.one: Callable[[str], str] = Stemmer.Stemmer("english").stemWord


_local = _Local()


@lru_cache(maxsize=_REMEMBERED)
def stem(word: str) -> str:
    """Return the stem of one lower-case word."""
    return _local.one(bare(word))


@lru_cache(maxsize=_REMEMBERED)
def term(word: str) -> str:
    """Return the stem of a lower-case content word or number; empty for stopwords and marks.

    >>> term("walls"), term("the"), term(".61")
    ('wall', '', '0.61')
    """
    if word[0].isalnum():
        return stem(word) if word not in STOPWORDS else ""
    return f"0{word}" if word[0] == "." and word[1:2].isdigit() else ""


def bare(word: str) -> str:
    """Return a lower-case word without the possessive: "company's" is "company"."""
    if word.endswith("'s"):
        return word[:-2]
    return word[:-1] if word.endswith("'") else word


def stems(words: Iterable[str]) -> list[str]:
    """Return the stems of lower-case words, in order."""
    return [stem(word) for word in words]


def stem_set(words: str) -> frozenset[str]:
    """Return the stems of the words of one string, split at spaces."""
    return frozenset(map(stem, words.split()))
