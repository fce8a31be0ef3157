"""Labelled answers as blocks: the sources, the question, and claims with their labels.

Rows follow the schema of the public sets (`context, query, response, label, spans, meta`); pairs
of sentences (`premise, hypothesis, label`), pairs of answers (`context, query, right, wrong, fault,
kind`, or several about one context: `context, pairs`) and our own written blocks (`written.py`) are
read as such rows.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.engine.evidence.records import as_text, verbalise
from analysis.engine.types import Source
from desk.scoring.split import source_key
from inference.judge.windows import spans_between
from tools.evaluation.answers.sets import read_written, unmarked

ROWS = Path(__file__).parent / "rows"
"""The folder of the rows written for this project: blocks (.txt), and answers in pairs (.jsonl)."""
OWN = "rows/*.txt"
TWO_WAY = ("scitail", "qnli", "rte")
"""Sets of pairs that call neutral whatever is not entailed."""
ENTAIL, NEUTRAL, CONTRADICT, NOT_ENTAILED = 0, 1, 2, -1
_LABELS = {
    "entail": ENTAIL, "entailment": ENTAIL, "supports": ENTAIL, "supported": ENTAIL,
    "neutral": NEUTRAL,
    "contradict": CONTRADICT, "contradiction": CONTRADICT, "refutes": CONTRADICT,
    "refuted": CONTRADICT,
}  # fmt: skip
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b(?:Mr|Ms|Dr|St)\.)(?<!\bMrs\.)\s+"
    # A German date goes on behind its day ("am 9. Mai").
    r"(?!(?<=\d\. )(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sept|Okt|Nov|Dez)[a-z]*\b)"
    r"(?=[A-ZÀ-Þ0-9\"“„«¿¡(\-•*])|\n+"
)
Span = tuple[int, int]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class LabelledClaim:
    """One claim; `spans` are its unsupported words, None where nobody marked them."""

    text: str
    spans: tuple[Span, ...] | None
    target: int


@dataclass(frozen=True)
class Block:
    """Claims about the same sources."""

    texts: tuple[str, ...]
    question: str
    claims: tuple[LabelledClaim, ...]


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a JSONL file, of pairs of sentences, or of a file of written blocks."""
    if path.suffix == ".txt":
        yield from read_written(path)
        return
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "premise" in row:
                yield _of_pair(row, path.name.startswith(TWO_WAY))
            elif "wrong" in row:
                yield from _of_two_answers(row)
            elif "pairs" in row:
                for pair in row["pairs"]:
                    yield from _of_two_answers({"context": row["context"], **pair})
            else:
                yield row


def _of_pair(pair: Row, two_way: bool) -> dict[str, Any]:
    entailed = pair["label"] == "entailment"
    meta = {} if two_way and not entailed else {"label3": pair["label"]}
    return {
        "context": [pair["premise"]],
        "query": "",
        "response": pair["hypothesis"].strip(),
        "label": int(not entailed),
        "spans": [],
        "meta": meta,
    }


def _of_two_answers(pair: Row) -> Iterator[dict[str, Any]]:
    """Yield the right and the wrong answer of a pair; of the latter `{{…}}` are the wrong words."""
    source_id = hashlib.sha256(json.dumps(pair["context"]).encode()).hexdigest()[:8]
    shared = {"context": pair["context"], "query": pair["query"]}
    meta = {"source_id": source_id, "kind": pair["kind"]}
    yield {**shared, "response": pair["right"], "label": 0, "spans": [], "meta": meta}
    text, places = unmarked(pair["wrong"])
    spans = [(start, end, pair["fault"]) for start, end in places]
    meta = {**meta, "label3": pair["fault"]}
    yield {**shared, "response": text, "label": 1, "spans": spans, "meta": meta}


def held_out(row: Row) -> bool:
    """Return whether a row belongs to the tenth of the sources that never trains."""
    digest = hashlib.sha256(b"judge" + source_key(row).encode("utf-8", "surrogatepass")).digest()
    return digest[0] < 26


def sources_of(row: Row) -> tuple[Source, ...]:
    """Return the sources of a row as the engine takes them; a record as JSON."""
    texts = (part if isinstance(part, str) else as_text(part) for part in row["context"])
    return tuple(Source(f"s{at}", text) for at, text in enumerate(texts, start=1))


def source_text(part: Any) -> str:
    """Return a passage as it is; a record in sentences, as the product reads it."""
    text = part if isinstance(part, str) else as_text(part)
    verbal = verbalise(text)
    return verbal.text if verbal else text


def blocks(path: Path, keep: Callable[[Row], bool], most_claims: int = 16) -> list[Block]:
    """Return blocks of at most `most_claims` claims over the rows to keep, by source."""
    by_source: dict[str, list[dict[str, Any]]] = {}
    rows = [row for row in read_rows(path) if keep(row)]
    if rows and "claims" in rows[0]:
        return [_of_served(row) for row in rows]
    for row in rows:
        by_source.setdefault(json.dumps(row["context"]), []).append(row)
    return [block for rows in by_source.values() for block in _of_source(rows, most_claims)]


def _of_served(row: Row) -> Block:
    """Return a block that `tools.training.judge.served` wrote."""
    claims = tuple(
        LabelledClaim(
            each["text"],
            None if each["spans"] is None else tuple((a, b) for a, b in each["spans"]),
            each["target"],
        )
        for each in row["claims"]
    )
    return Block(tuple(row["context"]), row["query"], claims)


def _of_source(rows: Sequence[Row], most: int) -> Iterator[Block]:
    texts = tuple(source_text(part) for part in rows[0]["context"])
    by_question: dict[str, list[LabelledClaim]] = {}
    for row in rows:
        by_question.setdefault(row["query"] or "", []).extend(claims_of(row))
    for question, claims in by_question.items():
        for start in range(0, len(claims), most):
            yield Block(texts, question, tuple(claims[start : start + most]))


def claims_of(row: Row) -> Iterator[LabelledClaim]:
    """Yield the sentences of the response whose label is known."""
    response, spans = row["response"], [(a, b) for a, b, *_ in row.get("spans") or []]
    sentences = _statements(row)
    for start, end in sentences:
        inside = tuple((max(a, start) - start, min(b, end) - start) for a, b in spans
                       if a < end and start < b)  # fmt: skip
        text = response[start:end]
        if row["label"] == 0:
            yield LabelledClaim(text, (), ENTAIL)
        elif len(sentences) == 1:
            yield LabelledClaim(text, inside or None, target_of(row))
        elif spans:
            target = span_target(row, start, end) if inside else ENTAIL
            yield LabelledClaim(text, inside, target)


def _statements(row: Row) -> list[Span]:
    """Return the sentences of the response; of a chatbot's without questions ("Anything else?")."""
    response = row["response"]
    spans = sentence_spans(response)
    if row.get("task") != "dialog":
        return spans
    return [(a, b) for a, b in spans if not response[a:b].rstrip().endswith("?")] or spans


def sentence_spans(text: str) -> list[Span]:
    """Return the sentences and lines of a text as code points; blank ones are left out."""
    return spans_between(_SENTENCE_END, text)


def target_of(row: Row) -> int:
    meta = row.get("meta") or {}
    label_text = str(meta.get("label3") or meta.get("nli") or meta.get("label") or "").lower()
    label = _LABELS.get(label_text, NOT_ENTAILED)
    return NOT_ENTAILED if label == ENTAIL else label


def span_target(row: Row, start: int, end: int) -> int:
    kinds = {str(span[2]).lower() for span in row["spans"]
             if len(span) > 2 and span[0] < end and start < span[1]}  # fmt: skip
    if kinds and all("conflict" in kind or kind.startswith("contradict") for kind in kinds):
        return CONTRADICT
    if kinds and all("baseless" in kind or kind == "neutral" for kind in kinds):
        return NEUTRAL
    return NOT_ENTAILED
