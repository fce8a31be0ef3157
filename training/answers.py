"""Labelled answers as examples: `python -m training.answers GROUNDING_FOLDER --out FILE`.

Only rows of the *tune* half (scoring.split) of sets that may train shipped weights,
and of those only seven in ten: the rest fits thresholds and temperatures.
"""

import argparse
import difflib
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.engine.evidence.hypotheses import Hypothesis
from scoring.split import source_key, split_of
from training.evidence import corpus_of, read_pairs
from training.examples import Example, Label, write

ALLOWED = (
    "ragtruth.train_part", "ragtruth_records.dev", "halueval_qa.dev", "summedits.dev",
    "expertqa.val", "frank.val", "wice.dev", "wice_spans.train", "wice_spans.dev", "begin.dev",
    "scifact.train", "scifact.dev", "feverous.dev", "xsumfaith.val",
)  # fmt: skip
SPANNED = ("ragtruth.train_part", "ragtruth_records.dev")
"""Sets whose unmarked sentences are known to be supported."""
_WORD = re.compile(r"\w+|[^\w\s]")
Spans = tuple[tuple[int, int], ...]


def trains(row: Mapping[str, Any]) -> bool:
    """Whether a row may train: tune half, first seven tenths of it by another hash."""
    digest = hashlib.sha256(b"train" + source_key(row).encode("utf-8", "surrogatepass")).digest()
    return split_of(row) == "tune" and digest[0] < 179


def rows_of(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """The rows of one file."""
    for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def examples(folder: Path) -> Iterator[Example]:
    """Every sentence of an allowed answer whose label is known."""
    for name in ALLOWED:
        for row in rows_of(folder, name):
            if trains(row):
                yield from _of_row(name, row)


def _of_row(name: str, row: dict[str, Any]) -> Iterator[Example]:
    corpus = corpus_of(row["context"])
    pairs = list(read_pairs(corpus, row["response"], row["query"]))
    marks = _marks(name, row)
    for hypothesis, window in pairs:
        label_and_spans = _label(name, row, hypothesis, marks, len(pairs))
        if label_and_spans is not None:
            label, spans = label_and_spans
            yield Example(window, hypothesis.text, label, spans, f"answers/{name}")


def _marks(name: str, row: dict[str, Any]) -> Spans | None:
    """Unsupported spans of the response; None where nobody marked them."""
    if row["label"] == 0:
        return ()
    if row["spans"]:
        return tuple((a, b) for a, b, _ in row["spans"])
    original = row["meta"].get("original_summary") if name == "summedits.dev" else None
    return edited(original, row["response"]) if original else None


def edited(original: str, changed: str) -> Spans | None:
    """The words of `changed` that `original` does not have at that place; None if too many."""
    old = [match[0] for match in _WORD.finditer(original)]
    new = list(_WORD.finditer(changed))
    matcher = difflib.SequenceMatcher(None, old, [match[0] for match in new], autojunk=False)
    spans = [
        (new[a].start(), new[b - 1].end())
        for tag, _, _, a, b in matcher.get_opcodes()
        if tag in ("replace", "insert") and b > a
    ]
    return tuple(spans) if 0 < sum(b - a for a, b in spans) < len(changed) / 3 else None


def _label(
    name: str, row: dict[str, Any], hypothesis: Hypothesis, marks: Spans | None, count: int
) -> tuple[Label, Spans | None] | None:
    if row["label"] == 0:
        return Label.ENTAIL, ()
    if marks is None:
        return (_whole(row), None) if count == 1 else None
    shift = hypothesis.lead - hypothesis.start
    inside = tuple(
        (max(a, hypothesis.start) + shift, min(b, hypothesis.end) + shift)
        for a, b in marks
        if a < hypothesis.end and hypothesis.start < b
    )
    if inside:
        return _typed(row, hypothesis), inside
    is_certain = name in SPANNED or name == "summedits.dev"
    return (Label.ENTAIL, ()) if is_certain else None


def _whole(row: dict[str, Any]) -> Label:
    label_text = row["meta"].get("label3") or row["meta"].get("label") or ""
    if str(label_text).lower() in ("contradict", "contradiction", "refutes", "refuted"):
        return Label.CONTRADICT
    return Label.NOT_ENTAILED


def _typed(row: dict[str, Any], hypothesis: Hypothesis) -> Label:
    kinds = {
        str(kind) for a, b, kind in row["spans"] if a < hypothesis.end and hypothesis.start < b
    }
    if kinds and all("Conflict" in kind for kind in kinds):
        return Label.CONTRADICT
    if kinds and all("Baseless" in kind for kind in kinds):
        return Label.NEUTRAL
    return Label.NOT_ENTAILED


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    print(write(options.out, examples(options.folder)), "examples")


if __name__ == "__main__":
    main()
