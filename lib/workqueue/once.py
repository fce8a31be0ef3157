"""Objects of which a process has one."""

from collections.abc import Callable
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
        self._make, self._lock = make, Lock()
        self._object: T | None = None

    def __call__(self) -> T:
        # Without the lock once it is there: a child forked while it is held would wait for ever.
        if (existing := self._object) is not None:
            return existing
        with self._lock:
            if self._object is None:
                self._object = self._make()
            return self._object

    def cache_clear(self) -> None:
        """Forget the object, so that the next call makes another."""
        self._object = None
