"""Objects of which a process has one."""

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class MadeOnce(Generic[T]):
    """Calls a function for whoever asks first, and gives everybody what it returned.

    `functools.cache` calls it again for each thread that asks before the first has its answer. Of
    several Redis clients the one that is not kept closes its connections while they are in use.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self.__doc__ = make.__doc__
        self._lock, self._make = Lock(), cache(make)

    def __call__(self) -> T:
        with self._lock:
            return self._make()

    def cache_clear(self) -> None:
        """The next call makes another one."""
        self._make.cache_clear()
