"""Selects the labelled answers that may train what ships.

Only rows of the *tune* half (desk.scoring.split) of sets that may train shipped weights,
and of those only seven in ten: the rest fits thresholds and temperatures.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from desk.scoring.split import source_key, split_of

ALLOWED = (
    "ragtruth.train_part", "ragtruth_records.dev", "halueval_qa.dev", "summedits.dev",
    "expertqa.val", "frank.val", "wice.dev", "wice_spans.train", "wice_spans.dev", "begin.dev",
    "scifact.train", "scifact.dev", "feverous.dev", "xsumfaith.val",
)  # fmt: skip


def trains(row: Mapping[str, Any]) -> bool:
    """Return whether a row may train: tune half, first seven tenths of it by another hash."""
    digest = hashlib.sha256(b"train" + source_key(row).encode("utf-8", "surrogatepass")).digest()
    return split_of(row) == "tune" and digest[0] < 179


def is_spare(row: Mapping[str, Any]) -> bool:
    """Return whether a row may fit or measure what was trained: tune half, and does not train."""
    return split_of(row) == "tune" and not trains(row)


def rows_of(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
