"""Scored answers for tests, with everything that a test does not care about filled in."""

from typing import Any

from desk.scoring.scoring import ScoredAnswer


def scored(label: bool, score: float | None, **changes: Any) -> ScoredAnswer:
    fields: dict[str, Any] = {
        "task": "qa",
        "label": label,
        "source": "s",
        "score": score,
        "flagged": False,
        "blocked": False,
        "words": 0.5,
        "signals": {},
        "milliseconds": 1.0,
        "cpu_milliseconds": 1.0,
        "models": ("m",),
        "not_checked": (),
        "rejection": "",
    }
    return ScoredAnswer(**fields | changes)
