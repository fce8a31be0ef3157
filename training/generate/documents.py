"""The documents that examples are made from: only what the data's README allows."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from lxml import html

from training.answers import rows_of, trains

PROSE = (
    "ragtruth.train_part", "halueval_qa.dev", "summedits.dev", "expertqa.val", "frank.val",
    "wice.dev", "wice_spans.train", "begin.dev", "scifact.train", "feverous.dev", "xsumfaith.val",
)  # fmt: skip
_LONGEST = 12_000
_BLANK = re.compile(r"\n\s*\n")
_PIECE = 2_500


def prose(data: Path) -> Iterator[list[str]]:
    """The sources of each document: contexts of training rows, regulations, textbook, abstracts."""
    seen: set[str] = set()
    for name in PROSE:
        for row in rows_of(data / "grounding", name):
            key = "\n".join(row["context"])[:500]
            if trains(row) and key not in seen:
                seen.add(key)
                yield [text[:_LONGEST] for text in row["context"]]
    yield from _pieces(sorted((data / "documents" / "osha_1926").rglob("*.txt")), _plain)
    yield from _pieces(sorted((data / "documents" / "openstax_physics").rglob("*.html")), _visible)


def records(data: Path) -> Iterator[str]:
    """JSON objects of the training rows."""
    seen: set[str] = set()
    for row in rows_of(data / "grounding", "ragtruth_records.dev"):
        text = row["context"][0]
        if trains(row) and text not in seen:
            seen.add(text)
            json.loads(text)
            yield text


def _plain(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _visible(path: Path) -> str:
    root = html.fromstring(path.read_bytes())
    return "\n\n".join(" ".join(p.text_content().split()) for p in root.iter("p"))


def _pieces(paths: list[Path], read: object) -> Iterator[list[str]]:
    for path in paths:
        piece = ""
        for part in _BLANK.split(read(path)):  # type: ignore[operator]
            piece += " ".join(part.split()) + "\n"
            if len(piece) > _PIECE:
                yield [piece]
                piece = ""
