"""Figures over examples and outcomes. Positive = stored (written or superseded)."""

from collections.abc import Iterable
from dataclasses import dataclass

from memory.outcomes import Status
from tools.evaluation.memory.examples import MemoryExample

STORED = frozenset({Status.WRITTEN, Status.SUPERSEDED})


@dataclass(frozen=True, slots=True)
class ExampleResult:
    example: MemoryExample
    status: Status
    target: str

    @property
    def right(self) -> bool:
        """True if it came out as written, in the right memory."""
        example = self.example
        return self.status is example.outcome and (
            self.status not in STORED or self.target == example.target
        )


@dataclass(frozen=True, slots=True)
class HalfFigures:
    examples: int
    should_store: int
    stored_count: int
    rightly_stored: int
    right_memory: int
    """Of those rightly stored, in the memory (user, company) that the example names."""
    same_outcome: int
    """Outcomes exactly as written: written, superseded, duplicate, refused."""

    @property
    def precision(self) -> float:
        """Share of what was stored that should be; 1.0 where nothing was."""
        return self.rightly_stored / self.stored_count if self.stored_count else 1.0

    @property
    def recall(self) -> float:
        """Share of what should be stored that was; 1.0 where there is nothing to store."""
        return self.rightly_stored / self.should_store if self.should_store else 1.0


def figures(results: Iterable[ExampleResult]) -> HalfFigures:
    rows = list(results)
    stored_rows = [row for row in rows if row.status in STORED]
    rightly = [row for row in stored_rows if row.example.outcome in STORED]
    return HalfFigures(
        len(rows),
        sum(row.example.outcome in STORED for row in rows),
        len(stored_rows),
        len(rightly),
        sum(row.target == row.example.target for row in rightly),
        sum(row.status is row.example.outcome for row in rows),
    )
