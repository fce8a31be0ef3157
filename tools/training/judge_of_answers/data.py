"""Questions with the sentences of their documents, as the judge of answers learns from them.

`python -m tools.training.judge_of_answers.data --data DIR --out FILE` takes the right answers of
the rows that train the judges (`DIR/grounding/short_*.train.jsonl` and our own), takes their
documents apart as the assistant does, and finds the sentence that gives the answer: the one nearest
to question and answer together, by meaning and by words. It writes one JSON object a line:
`question, texts, labels, scores`, a label for each text: 1 for the sentence that answers, 0 for
others, and -1 for those too near to it to be told. Rows whose answer says that the document does
not say it have no 1.
"""

import argparse
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import django
import numpy as np

from assistant.evidence import EvidenceKind, Item
from assistant.synthesis.candidates import candidates
from assistant.synthesis.extractive import in_context
from documents.embedding import embed_passages
from documents.lexical import terms
from documents.parsing.funnel import parse
from documents.parsing.types import UnreadableDocument
from tools.training.judge.data import ROWS, Row, held_out, read_rows

SETS = ("short_squad", "short_newwiki", "short_mixed")
UNSAID = re.compile(
    r"\b(?:not|never|n't) (?:\w+ )?(?:say|said|mention(?:ed)?|state[ds]?|given|specified|covered"
    r"|recorded|known)\b|\bno (?:information|mention|word|indication)\b"
    r"|\b(?:says|gives|contains) (?:nothing|no)\b",
    re.IGNORECASE,
)
"""In the answers that only say that the document does not."""
_MARKDOWN = re.compile(r"^(?:#|\||[-*] |\d+\. )|\*\*", re.MULTILINE)
_OF_ANSWER, _OF_WORDS = 0.3, 0.8
"""Weights of the cosine to the answer and of its words, beside that to question and answer."""
_LEAST, _NEAR = 0.55, 0.12
"""Score of a sentence that answers, and the distance below it at which others are not told."""
_LONGEST, _FEWEST, _MOST_NEAR = 260, 3, 4


def right_rows(data: Path) -> Iterator[Row]:
    """Yield the rows with right answers that may train."""
    own = sorted(ROWS.glob("answers-*.jsonl"))
    for path in (*own, *(data / "grounding" / f"{name}.train.jsonl" for name in SETS)):
        yield from (row for row in read_rows(path) if not row["label"] and not held_out(row))


def sentences_of(context: Any) -> list[str]:
    """Return the sentences and rows of the documents under their headings; none of JSON."""
    texts = [text for text in (context if isinstance(context, list) else [context])
             if isinstance(text, str) and text.lstrip()[:1] not in ("{", "[")]  # fmt: skip
    items = [
        Item(number, EvidenceKind.DOCUMENT, _parsed(text), "", place={"document_id": str(number)})
        for number, text in enumerate(texts, start=1)
    ]
    return list(dict.fromkeys(map(in_context, candidates(items))))


def _parsed(text: str) -> str:
    name = "text.md" if _MARKDOWN.search(text) else "text.txt"
    try:
        return parse(text.encode(), filename=name).text
    except UnreadableDocument:
        return ""


def question_of(row: Row, texts: Sequence[str], vectors: Any) -> dict[str, Any] | None:
    """Return the question with a label for each sentence; None if none is sure to answer it."""
    question, answer = (row["query"] or "").strip(), row["response"].strip()
    long = len(answer) > _LONGEST or "|" in answer or "\n" in answer
    if not question or long or len(texts) < _FEWEST:
        return None
    both, alone = embed_passages([f"{question} {answer}", answer])
    words = shares(set(terms(answer)) - set(terms(question)) or set(terms(answer)), texts)
    scores = vectors @ both + _OF_ANSWER * (vectors @ alone) + _OF_WORDS * words
    verbatim = np.array([answer.lower().strip(".") in text.lower() for text in texts])
    if verbatim.any():
        scores = np.where(verbatim, scores, scores - 1)
    best = int(np.argmax(scores))
    labels = [-1 if score > scores[best] - _NEAR else 0 for score in scores]
    labels[best] = 1
    if scores[best] < _LEAST or labels.count(-1) > _MOST_NEAR:
        return None
    if UNSAID.search(answer):
        labels = [0] * len(labels)
    rounded = [round(float(score), 3) for score in scores]
    return {"question": question, "texts": texts, "labels": labels, "scores": rounded}


def shares(words: set[str], texts: Sequence[str]) -> Any:
    """Return for each text the share of the words that it holds.

    Rare ones count more, those of no text half.
    """
    common = [words & set(terms(text)) for text in texts]
    counts = Counter(word for each in common for word in each)
    worth = {
        word: math.log(1 + len(texts) / (0.5 + counts[word])) / (1 if counts[word] else 2)
        for word in words
    }
    total = sum(worth.values()) or 1.0
    return np.array([sum(worth[word] for word in each) / total for each in common])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    django.setup()
    last, texts = None, list[str]()
    vectors: Any = None
    with options.out.open("w", encoding="utf-8") as out:
        for row in right_rows(options.data):
            if row["context"] != last:
                last, texts = row["context"], sentences_of(row["context"])
                vectors = embed_passages(texts) if texts else None
            if question := question_of(row, texts, vectors):
                out.write(json.dumps(question, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
