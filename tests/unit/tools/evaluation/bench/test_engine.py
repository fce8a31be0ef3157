"""The timed step is the safety step itself."""

from collections.abc import Sequence
from typing import Any

import pytest

from analysis.engine.safety import checks
from tools.evaluation.bench import engine


def test_the_step_runs_all_five_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = list[int]()
    original = checks._explanation

    def count(outcomes: Sequence[Any], failed: Sequence[Any]) -> str:
        counts.append(len(outcomes))
        return original(outcomes, failed)

    call = engine.step(50)
    monkeypatch.setattr(checks, "_explanation", count)
    call()
    assert counts == [5]


def test_each_length_is_timed() -> None:
    latencies = engine.measure_safety(seconds=0.02)
    assert tuple(latencies) == engine.WORDS
    assert all(0 < item.p50 <= item.p95 for item in latencies.values())
