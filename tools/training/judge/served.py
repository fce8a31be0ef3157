"""Rows in the form in which the product hands them to a judge.

Run as `python -m tools.training.judge.served FILE… --out DIR`. The engine reads answer and sources
(tables become sentences, "No." the statement that it makes of its question), so that training and
serving see the same text. Writes a file of blocks for each file of rows: `context, query,
claims [{text, spans, target}], meta.source_id`.
"""

import argparse
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from analysis.engine.claims.extraction import read
from analysis.engine.claims.reading import Reading
from analysis.engine.evidence.hypotheses import is_bare
from analysis.engine.signals.grounding import ground
from analysis.engine.signals.judgement import JudgeInput, judge_input
from desk.scoring.split import source_key
from tools.training.judge.data import ENTAIL, Row, read_rows, sources_of, span_target, target_of

_MOST_CLAIMS = 16
_LEANING = re.compile(
    r"(?:it|that|they|there|this|these|those|he|she|yes|no|in|on|at|its|their|the answer)\b", re.I
)
"""Beginnings of sentences that say little without their question."""
_ALONE = 0.7
"""Share of the sentences that say enough alone which are learned without their question."""
Claim = dict[str, Any]


def served_blocks(rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """Yield blocks of at most 16 claims about the same sources and, where it is read, question.

    The more claims a block has, the less often its sources are read again for the next one.
    """
    rng = random.Random(len(rows))
    groups: dict[tuple[tuple[str, ...], str, str], list[Claim]] = {}
    for row in rows:
        query = row["query"] or ""
        sources = sources_of(row)
        reading = read(row["response"], query)
        inputs = judge_input(reading, query, ground(reading, query, sources))
        for claim, is_name in _claims(row, reading, inputs):
            leans = is_name or _LEANING.match(claim["text"])
            is_alone = not leans and rng.random() < _ALONE
            key = (inputs.evidence, "" if is_alone else inputs.question, source_key(row))
            groups.setdefault(key, []).append(claim)
    for (evidence, question, source), claims in groups.items():
        for at in range(0, len(claims), _MOST_CLAIMS):
            yield {
                "context": evidence,
                "query": question,
                "claims": claims[at : at + _MOST_CLAIMS],
                "meta": {"source_id": source},
            }


def _claims(row: Row, reading: Reading, inputs: JudgeInput) -> Iterator[tuple[Claim, bool]]:
    """Yield the sentences of the response whose label is known, and say which are mere names."""
    spans = [(a, b) for a, b, *_ in row.get("spans") or []]
    for item, words in zip(inputs.sentences, inputs.texts, strict=True):
        marked = [(max(a, item.start), min(b, item.end)) for a, b in spans
                  if a < item.end and item.start < b]  # fmt: skip
        is_name = any(is_bare(reading, reading.statements[at]) for at in item.statements)
        # Places are those of the answer as written; of what is read in another form than it was
        # written in, the words cannot be told.
        is_plain = words.text == item.text and item.first == item.start
        shift = item.lead - item.start
        has_words = is_plain and item.lead < len(item.text)
        placed = [(a + shift, b + shift) for a, b in marked] if has_words else None
        if row["label"] == 0:
            yield {"text": words.text, "spans": [], "target": ENTAIL}, is_name
        elif len(inputs.sentences) == 1:
            yield {"text": words.text, "spans": placed or None, "target": target_of(row)}, is_name
        elif spans:
            target = span_target(row, item.start, item.end) if marked else ENTAIL
            yield {"text": words.text, "spans": placed, "target": target}, is_name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for path in options.files:
        with (options.out / f"{path.stem}.jsonl").open("w") as out:
            for block in served_blocks(list(read_rows(path))):
                out.write(json.dumps(block, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
