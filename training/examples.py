"""One training example and the files that hold them (JSONL, gzip)."""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path


class Label(StrEnum):
    """NOT_ENTAILED is for two-way sets: neutral or contradict, nobody says which."""

    ENTAIL = "entail"
    NEUTRAL = "neutral"
    CONTRADICT = "contradict"
    NOT_ENTAILED = "not_entailed"


@dataclass(frozen=True, slots=True)
class Example:
    """A pair with its label. `spans` are code points of the claim that are unsupported; None
    where nobody marked them. `kind` says where it comes from, `weight` scales its loss."""

    window: str
    claim: str
    label: Label
    spans: tuple[tuple[int, int], ...] | None
    kind: str
    weight: float = 1.0


def write(path: Path, examples: Iterable[Example]) -> int:
    """Write a file of examples; returns how many."""
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=3) as file:
        for example in examples:
            file.write(json.dumps(asdict(example), ensure_ascii=False) + "\n")
            count += 1
    return count


def read(path: Path) -> Iterator[Example]:
    """The examples of a file that `write` wrote."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield decode(json.loads(line))


def decode(row: dict[str, object]) -> Example:
    """One example from its JSON object."""
    spans = row["spans"]
    return Example(
        str(row["window"]),
        str(row["claim"]),
        Label(str(row["label"])),
        None if spans is None else tuple((int(a), int(b)) for a, b in spans),  # type: ignore[attr-defined]
        str(row["kind"]),
        float(str(row["weight"])),
    )
