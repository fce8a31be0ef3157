"""Rows in the form in which the product hands them to a judge.

Run as `python -m tools.training.judge.served FILE… --out DIR`. The engine reads answer and sources
(tables become sentences, "No." the statement that it makes of its question), so that training and
serving see the same text. Writes a file of blocks for each file of rows: `context, query,
claims [{text, spans, target}], meta.source_id`. With `--nearest`, it writes the sentences of short
answers, and their parts, to DIR/nearest, each with the passage that is read alone for it.
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
from analysis.engine.evidence.hypotheses import Hypothesis, is_bare, parts
from analysis.engine.evidence.nearest import nearest_text
from analysis.engine.signals.grounding import Grounded, ground
from analysis.engine.signals.judgement import (
    JudgeInput,
    judge_input,
    kind_of,
    reword_sentence,
)
from analysis.engine.types import AnswerKind
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


def served_blocks(rows: Sequence[Row], *, nearest: bool = False) -> Iterator[dict[str, Any]]:
    """Yield blocks of at most 16 claims about the same sources and, where it is read, question.

    The more claims a block has, the less often its sources are read again for the next one. With
    `nearest`, the sources are the passage that a sentence of a short answer, or a part of it, is
    read with alone.
    """
    rng = random.Random(len(rows))
    groups: dict[tuple[tuple[str, ...], str, str], list[Claim]] = {}
    for row in rows:
        query = row["query"] or ""
        reading = read(row["response"], query)
        grounded = ground(reading, query, sources_of(row))
        inputs = judge_input(reading, query, grounded)
        if nearest and kind_of(reading, grounded, len(inputs.sentences)) is not AnswerKind.SHORT:
            continue
        for claim, item, is_name in _claims(row, reading, inputs):
            if nearest:
                alone = [(claim, item), *_in_parts(reading, grounded, claim, item)]
                for each, text in alone:
                    passage = nearest_text(grounded.corpus, inputs.evidence, text)
                    key = (passage,), inputs.question, source_key(row)
                    groups.setdefault(key, []).append(each)
                continue
            leans = is_name or _LEANING.match(claim["text"])
            question = inputs.question if leans or rng.random() >= _ALONE else ""
            groups.setdefault((inputs.evidence, question, source_key(row)), []).append(claim)
    groups = {key: claims for key, claims in groups.items() if any(key[0])}
    for (evidence, question, source), claims in groups.items():
        for at in range(0, len(claims), _MOST_CLAIMS):
            yield {
                "context": evidence,
                "query": question,
                "claims": claims[at : at + _MOST_CLAIMS],
                "meta": {"source_id": source},
            }


def _in_parts(
    reading: Reading, grounded: Grounded, claim: Claim, item: Hypothesis
) -> Iterator[tuple[Claim, Hypothesis]]:
    """Yield the parts of a claim; of a wrong one, those with marked words are wrong."""
    if claim["spans"] is None:
        return
    for part in parts(reading, item):
        text = reword_sentence(reading, grounded, part).text
        first, last = part.first - item.first, part.first - item.first + len(part.text)
        spans = [(max(a, first), min(b, last)) for a, b in claim["spans"] if a < last and first < b]
        placed = [(a - first, b - first) for a, b in spans] if text.startswith(part.text) else None
        target = claim["target"] if spans else ENTAIL
        yield {"text": text, "spans": placed, "target": target}, part


def _claims(
    row: Row, reading: Reading, inputs: JudgeInput
) -> Iterator[tuple[Claim, Hypothesis, bool]]:
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
            places: list[Any] | None = []
            target = ENTAIL
        elif len(inputs.sentences) == 1:
            places, target = placed or None, target_of(row)
        elif spans:
            places = placed
            target = span_target(row, item.start, item.end) if marked else ENTAIL
        else:
            continue
        yield {"text": words.text, "spans": places, "target": target}, item, is_name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--nearest", action="store_true", help="the nearest passages alone")
    options = parser.parse_args()
    folder = options.out / "nearest" if options.nearest else options.out
    folder.mkdir(parents=True, exist_ok=True)
    for path in options.files:
        with (folder / f"{path.stem}.jsonl").open("w") as out:
            for block in served_blocks(list(read_rows(path)), nearest=options.nearest):
                out.write(json.dumps(block, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
