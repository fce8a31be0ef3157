"""Results remembered by a hash of (model, window, claim), the least recently used dropped."""

import hashlib
import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence

from inference.lazy import Lazy
from inference.nli.types import Entailment, EntailmentModel, Pair
from lib.telemetry import attributes
from lib.telemetry.tracing import span

DEFAULT_PAIRS = 4096
_DIGEST_BYTES = 16
_caches: "weakref.WeakSet[CachedModel]" = weakref.WeakSet()


class CachedModel:
    """An `EntailmentModel` in front of another one. Equal pairs are asked once, also in a call."""

    def __init__(self, model: Lazy[EntailmentModel], *, size: int) -> None:
        self._model = model
        self._size = size
        self._scores: OrderedDict[bytes, Entailment] = OrderedDict()
        self._lock = threading.Lock()
        _caches.add(self)

    @property
    def model_id(self) -> str:
        return self._model.get().model_id

    def score(self, pairs: Sequence[Pair]) -> list[Entailment]:
        model = self._model.get()
        keys = [_key(model.model_id, pair) for pair in pairs]
        scores_by_key = self._recall(keys)
        missing = {
            key: pair for key, pair in zip(keys, pairs, strict=True) if key not in scores_by_key
        }
        if missing:
            about = attributes.model(attributes.EVALUATOR, model.model_id)
            with span("entailment", {**about, "watchdog.pairs": len(missing)}):
                scores = model.score(list(missing.values()))
            fresh = dict(zip(missing, scores, strict=True))
            self._remember(fresh)
            scores_by_key |= fresh
        return [scores_by_key[key] for key in keys]

    def renew_lock(self) -> None:
        """A lock of this process: another thread may have held the old one during a fork."""
        self._lock = threading.Lock()

    def _recall(self, keys: Sequence[bytes]) -> dict[bytes, Entailment]:
        with self._lock:
            scores = {key: self._scores[key] for key in keys if key in self._scores}
            for key in scores:
                self._scores.move_to_end(key)
        return scores

    def _remember(self, fresh: dict[bytes, Entailment]) -> None:
        with self._lock:
            self._scores |= fresh
            while len(self._scores) > self._size:
                self._scores.popitem(last=False)


def _key(model_id: str, pair: Pair) -> bytes:
    """Each part with its length before it, so that no two different pairs read alike."""
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for part in (model_id, *pair):
        content = part.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.digest()


def _renew_after_fork() -> None:
    for cache in list(_caches):
        cache.renew_lock()


os.register_at_fork(after_in_child=_renew_after_fork)
