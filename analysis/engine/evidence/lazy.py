"""Dictionaries that compute missing values on demand."""

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Lazy(dict[K, V]):
    """A dictionary that computes and keeps missing values.

    Existing ones are found without a call.
    """

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[K], V]) -> None:
        self._read = read

    def __missing__(self, key: K) -> V:
        value = self[key] = self._read(key)
        return value
