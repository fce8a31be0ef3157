"""A passage's small words are read once, however many claims are held against it."""

from typing import Any

import pytest

from analysis.engine import analyze
from analysis.engine.rules import conflicts

SOURCE = "The bridge was opened before 1990. Only cars may use it without a permit."
ANSWER = (
    "The bridge was opened in 1985. Only cars may use the bridge. Cars need no permit on the "
    "bridge. The bridge has a permit."
)


def test_for_all_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[tuple[int, int]]()

    class Counted(conflicts.Stretch):
        def __init__(self, tokens: Any, first: int, last: int) -> None:
            made.append((first, last))
            super().__init__(tokens, first, last)

    monkeypatch.setattr(conflicts, "Stretch", Counted)
    result = analyze("What of the bridge?", ANSWER, [SOURCE])
    assert len(result["claims"]) >= 4
    assert len(made) == len(set(made)) == 2
