"""An expensive object created on first use, once per process, also after a fork."""

import ctypes
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_all: "weakref.WeakSet[Lazy[Any]]" = weakref.WeakSet()


class Lazy(Generic[T]):
    """Calls `make` for whoever asks first, and gives everybody what it returned.

    If that raises, the next call tries again. `functools.cache` would call it for each thread that
    asks before the first has its answer. Of several Redis clients, for example, those that are not
    kept close their connections while they are in use.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._value: T | None = None
        _all.add(self)

    def __call__(self) -> T:
        value = self._value
        if value is None:
            with self._lock:
                value = self._value
                if value is None:
                    value = self._value = self._make()
        return value

    def forget(self) -> None:
        """Create it again at the next use."""
        self._lock = threading.Lock()
        self._value = None

    def forget_after_fork(self) -> None:
        """Create it again, without closing the parent's session, which would wait for lost threads.

        A forked child has neither the threads nor the lock's owner of its parent.
        """
        if self._value is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._value))
        self.forget()


def _forget_after_fork() -> None:
    for lazy in list(_all):
        lazy.forget_after_fork()


os.register_at_fork(after_in_child=_forget_after_fork)
