"""A steady stream of requests, each sent with its key until it is accepted."""

import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

ASYNC = {"Prefer": "respond-async"}
KINDS = ("check", "check", "check", "batch", "upload", "question", "review")
_PAUSE = 0.05
_GIVE_UP_SECONDS = 300.0


@dataclass
class Accepted:
    """Accepted requests: by key the kind and the id it made, and the time of the last one."""

    ids: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By idempotency key: kind and id."""
    contradicted: list[str] = field(default_factory=list)
    """Keys that made another thing when they were sent again."""
    unanswered: list[str] = field(default_factory=list)
    """Keys that were given up."""
    decided: set[str] = field(default_factory=set)
    statuses: Counter[int] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)
    times: list[float] = field(default_factory=list)

    def keep(self, key: str, kind: str, row_id: str) -> None:
        with self.lock:
            if self.ids.setdefault(key, (kind, row_id)) != (kind, row_id):
                self.contradicted.append(key)
            self.times.append(time.monotonic())


class Client(threading.Thread):
    """One client of the stream; `seed` makes its requests the same in each run.

    What one of `urls` does not answer goes to the next; `at_start` is called in its thread.
    """

    def __init__(
        self,
        urls: Sequence[str],
        token: str,
        accepted: Accepted,
        number: int,
        seed: int,
        *,
        kinds: Sequence[str] = KINDS,
        at_start: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(daemon=True)
        self.accepted, self.number, self.random = accepted, number, random.Random(seed + number)
        self.urls, self.kinds, self.at_start = deque(urls), kinds, at_start
        self.urls.rotate(number)
        headers = {"Authorization": f"Bearer {token}", **ASYNC}
        self.http = httpx.Client(headers=headers, timeout=httpx.Timeout(10, connect=2))
        self.over = threading.Event()
        self.request_count = 0

    def run(self) -> None:
        self.at_start()
        while not self.over.is_set():
            self.request_count += 1
            kind = self.random.choice(self.kinds)
            self._review() if kind == "review" else self._keyed(kind)
            time.sleep(_PAUSE)

    def _keyed(self, kind: str) -> None:
        """Send until it is accepted, now and then once more after that."""
        key = f"{self.number}-{self.request_count}"
        for _ in range(1 + (self.random.random() < 0.2)):
            answer = self._until_taken(*self._request(kind, key), key)
            if answer is not None and answer.status_code in (200, 202):
                self.accepted.keep(key, kind, answer.json()["id"])

    def _request(self, kind: str, key: str) -> tuple[str, dict[str, Any]]:
        text = f"Bridge {key} has 3 arches."
        match kind:
            case "check":
                # A third is wrong: it is blocked, and there is a review to decide.
                source = text if self.request_count % 3 else text.replace("3 arches", "5 arches")
                return "/api/v1/checks", {"json": {"answer": text, "sources": [source]}}
            case "batch":
                items = [{"answer": f"Part {n} of {text}", "sources": [text]} for n in range(3)]
                return "/api/v1/batches", {"json": {"items": items}}
            case "upload":
                file = {"file": (f"{key}.txt", text.encode())}
                return "/api/v1/documents", {"data": {"collection": "handbook"}, "files": file}
            case _:
                body = {"message": f"Has {text}", "manager": f"Ann {self.number}"}
                return "/api/v1/assistant/messages", {"json": body}

    def _until_taken(self, path: str, body: dict[str, Any], key: str) -> httpx.Response | None:
        """Return the answer; send again with the same key as long as only faults come."""
        until = time.monotonic() + _GIVE_UP_SECONDS
        while time.monotonic() < until:
            answer = self._send(path, body, {"Idempotency-Key": key})
            if answer is not None and answer.status_code < 500:
                return answer
            time.sleep(_PAUSE)
        with self.accepted.lock:
            self.accepted.unanswered.append(f"{path} {key}")
        return None

    def _send(
        self, path: str, body: dict[str, Any], headers: dict[str, str]
    ) -> httpx.Response | None:
        try:
            answer = self.http.post(self.urls[0] + path, headers=headers, **body)
        except httpx.TransportError:
            self.urls.rotate(-1)
            return None
        self.accepted.statuses[answer.status_code] += 1
        return answer

    def _review(self) -> None:
        """Take the most urgent review and confirm it; a fault in between leaves it to the next."""
        reviewer = {"reviewer": "reviewer"}
        response = self._send("/api/v1/reviews/next", {"json": reviewer}, {})
        if response is None or response.status_code != 200:
            return
        review_id, version = response.json()["id"], response.headers["ETag"]
        body = {"json": {**reviewer, "decision": "confirmed"}}
        answer = self._send(f"/api/v1/reviews/{review_id}/decide", body, {"If-Match": version})
        if answer is not None and answer.status_code == 200:
            with self.accepted.lock:
                self.accepted.decided.add(str(review_id))
