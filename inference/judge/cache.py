"""A cache for keys and values of windows; drops the least recently used."""

import threading
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from inference.judge.segments import Segment

KeysValues = NDArray[np.float16]
"""(2 x layers, heads, tokens, width)."""


class ContextCache:
    """Stores at most `size` bytes of keys and values. Safe to share between threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._used = 0
        self._contexts: OrderedDict[Segment, KeysValues] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, segment: Segment) -> KeysValues | None:
        """Return what was stored for the segment, unless it was dropped since."""
        with self._lock:
            if segment in self._contexts:
                self._contexts.move_to_end(segment)
            return self._contexts.get(segment)

    def put(self, segment: Segment, context: KeysValues) -> None:
        """Store it, and drop the least recently used if there is no room."""
        with self._lock:
            if segment in self._contexts or context.nbytes > self._size:
                return
            self._contexts[segment] = context
            self._used += context.nbytes
            while self._used > self._size:
                self._used -= self._contexts.popitem(last=False)[1].nbytes
