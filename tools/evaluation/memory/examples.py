"""The written examples: a statement, the statements before it, and the right outcome.

`tune.jsonl` is what the rules were made by. `held_out.jsonl` was written before them and is only
counted: nothing here shows which of its examples went wrong.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from memory.outcomes import Status

HALVES = ("tune", "held_out")
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class MemoryExample:
    """One statement after others. `target` is empty where it is refused."""

    id: str
    statement: str
    before: tuple[str, ...]
    outcome: Status
    target: str
    kind: str


def examples(half: str) -> list[MemoryExample]:
    lines = (_FOLDER / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_example(json.loads(line)) for line in lines]


def _example(row: dict[str, object]) -> MemoryExample:
    before = row["before"]
    return MemoryExample(
        str(row["id"]),
        str(row["said"]),
        tuple(map(str, before)) if isinstance(before, list) else (),
        Status(str(row["outcome"])),
        str(row["target"] or ""),
        str(row["kind"]),
    )
