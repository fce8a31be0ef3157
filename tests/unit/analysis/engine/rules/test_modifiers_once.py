"""A passage's modifiers are read once, however many claims are compared with it."""

import pytest

from analysis.engine import analyze
from analysis.engine.rules import conflicts
from analysis.engine.rules.modifiers import Modifiers
from lib.text.tokens import Tokens

SOURCE = "The bridge was opened before 1990. Only cars may use it without a permit."
ANSWER = (
    "The bridge was opened in 1985. Only cars may use the bridge. Cars need no permit on the "
    "bridge. The bridge has a permit."
)


def test_for_all_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    read, of = list[tuple[int, int]](), Modifiers.of

    def counted(tokens: Tokens, first: int, last: int) -> Modifiers:
        read.append((first, last))
        return of(tokens, first, last)

    monkeypatch.setattr(conflicts.Modifiers, "of", counted)
    result = analyze("What of the bridge?", ANSWER, [SOURCE])
    claims = len(result["claims"])
    assert claims >= 4
    assert len(read) == claims + 2
