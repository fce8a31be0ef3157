"""Word stems by the Snowball English stemmer; other scripts pass through unchanged."""

import threading
from collections.abc import Callable, Iterable

import Stemmer

from text.tokens import bare


class _Local(threading.local):
    """PyStemmer objects must not be shared between threads."""

    def __init__(self) -> None:
        stemmer = Stemmer.Stemmer("english")
        self.one: Callable[[str], str] = stemmer.stemWord
        self.many: Callable[[list[str]], list[str]] = stemmer.stemWords


_local = _Local()


def stem(word: str) -> str:
    """The stem of one lower-case word."""
    return _local.one(bare(word))


def stems(words: Iterable[str]) -> list[str]:
    """The stems of lower-case words, in order."""
    return _local.many([bare(word) for word in words])
