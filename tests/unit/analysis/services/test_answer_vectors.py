"""The thread that makes a check's vectors."""

import threading
from typing import Any

import pytest
import structlog

from analysis.services import answer_vectors as module


def test_checks_share_a_thread_beside_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def row(query: str, answer: str) -> str:
        seen.append((threading.get_ident(), structlog.contextvars.get_contextvars().get("check")))
        return answer

    monkeypatch.setattr(module, "embedding_row", row)
    for name in ("one", "two"):
        with structlog.contextvars.bound_contextvars(check=name), module.embedding("", name) as get:
            assert str(get()) == name
    (first, one), (second, two) = seen
    assert (one, two) == ("one", "two")
    assert first == second != threading.get_ident()
