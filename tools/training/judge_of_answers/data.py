"""Questions with the sentences of their documents, as the judge of answers learns from them.

`python -m tools.training.judge_of_answers.data --data DIR --out FILE` writes one JSON object a
line: `question, texts, labels, scores`, a label for each text: 1 for a sentence that answers, 0 for
others, and -1 for those that are not to be learned. `typed` are wordings of the question by people
in a hurry, `near` is a question that no text answers, though it sounds so. They come from

- the right answers of the rows that train the judges (`DIR/grounding/short_*.train.jsonl` and our
  own): their documents are taken apart as the assistant does, and the sentence that gives the
  answer is the one nearest to question and answer together, by meaning and by words. For our own
  rows `checked.jsonl` says what a reader said of it, and adds `typed` and `near`;
- the collections beside this module, whose authors wrote the questions and copied the answers.
"""

import argparse
import hashlib
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
COLLECTIONS = Path(__file__).with_name("collections")
CHECKED = Path(__file__).with_name("checked.jsonl")
UNSAID = re.compile(
    r"\b(?:not|never|n't) (?:\w+ )?(?:say|said|mention(?:ed)?|state[ds]?|given|specified|covered"
    r"|recorded|known)\b|\bno (?:information|mention|word|indication)\b"
    r"|\b(?:says|gives|contains) (?:nothing|no)\b",
    re.IGNORECASE,
)
"""In the answers that only say that the document does not."""
_WORD = re.compile(r"\w+")
_MARKDOWN = re.compile(r"^(?:#|\||[-*] |\d+\. )|\*\*", re.MULTILINE)
_OF_ANSWER, _OF_WORDS = 0.3, 0.8
"""Weights of the cosine to the answer and of its words, beside that to question and answer."""
_LEAST, _NEAR = 0.55, 0.12
"""Score of a sentence that answers, and the distance below it at which others are not told."""
_LONGEST, _FEWEST, _MOST_NEAR = 260, 3, 4
_COPIED = 0.8
"""The share of a copied sentence's words that the text made of it has."""


def right_rows(data: Path) -> Iterator[Row]:
    """Yield the rows with right answers that may train."""
    own = sorted(ROWS.glob("answers-*.jsonl"))
    for path in (*own, *(data / "grounding" / f"{name}.train.jsonl" for name in SETS)):
        yield from (row for row in read_rows(path) if not row["label"] and not held_out(row))


def texts_of(context: Any) -> list[str]:
    """Return the texts of a row's documents as they are parsed; none of JSON."""
    texts = context if isinstance(context, list) else [context]
    return [
        parse_text(text, "text.md" if _MARKDOWN.search(text) else "text.txt")
        for text in texts
        if isinstance(text, str) and text.lstrip()[:1] not in ("{", "[")
    ]


def parse_text(text: str, filename: str) -> str:
    try:
        return parse(text.encode(), filename=filename).text
    except UnreadableDocument:
        return ""


def sentences_of(texts: Sequence[str]) -> list[str]:
    """Return the sentences and rows of parsed documents under their headings."""
    items = [
        Item(number, EvidenceKind.DOCUMENT, text, "", place={"document_id": str(number)})
        for number, text in enumerate(texts, start=1)
    ]
    return list(dict.fromkeys(map(in_context, candidates(items))))


def question_of(row: Row, texts: Sequence[str], vectors: Any) -> Row | None:
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


def places(copies: Sequence[str], texts: Sequence[str]) -> set[int]:
    """Return the texts (positions) that have nearly all words of one of the copies."""
    own = [set(_WORD.findall(copy.lower())) for copy in copies]
    words = [set(_WORD.findall(text.lower())) for text in texts]
    return {
        at
        for at, each in enumerate(words)
        if any(len(each & one) >= _COPIED * len(one) for one in own)
    }


def labels_of(row: Row, texts: Sequence[str]) -> list[int]:
    """Return the labels by copies of what answers (`answers`) and of what is not to be learned."""
    answers, also = places(row.get("answers", ()), texts), places(row.get("also", ()), texts)
    return [1 if at in answers else -1 if at in also else 0 for at in range(len(texts))]


def with_reader(question: Row, reader: Row) -> Row:
    """Return a question with the labels and wordings of its reader, a row of `checked.jsonl`.

    Without `answers` its labels are right.
    """
    wordings = {name: reader[name] for name in ("typed", "near") if name in reader}
    labels = {"labels": labels_of(reader, question["texts"])} if "answers" in reader else {}
    return {**question, **wordings, **labels}


def document_id(row: Row) -> str:
    """Return the identity of a row's documents in `checked.jsonl`."""
    return hashlib.sha256(json.dumps(row["context"]).encode()).hexdigest()[:12]


def collection_questions(folder: Path) -> Iterator[Row]:
    """Yield the questions of a collection, which its author wrote with the sentences that answer.

    Questions whose answer is no sentence of the documents, as they are read, are left out.
    """
    files = sorted(folder.glob("[0-9].*"))
    texts = sentences_of([parse_text(path.read_text("utf-8"), path.name) for path in files])
    vectors = embed_passages(texts)
    for name in ("questions.jsonl", "near.jsonl"):
        for row in map(json.loads, (folder / name).read_text("utf-8").splitlines()):
            labels = labels_of(row, texts)
            if row.get("answers") and 1 not in labels:
                continue
            (vector,) = embed_passages([row["question"]])
            scores = vectors @ vector + _OF_WORDS * shares(set(terms(row["question"])), texts)
            typed = {"typed": row["typed"]} if "typed" in row else {}
            yield {
                "question": row["question"],
                "texts": texts,
                "labels": labels,
                "scores": [round(float(score), 3) for score in scores],
                **typed,
            }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    django.setup()
    with CHECKED.open(encoding="utf-8") as lines:
        readers = {(row["question"], row["document"]): row for row in map(json.loads, lines)}
    last, texts = None, list[str]()
    vectors: Any = None
    with options.out.open("w", encoding="utf-8") as out:
        for row in right_rows(options.data):
            if row["context"] != last:
                last, texts = row["context"], sentences_of(texts_of(row["context"]))
                vectors = embed_passages(texts) if texts else None
            if question := question_of(row, texts, vectors):
                if reader := readers.get((question["question"], document_id(row))):
                    question = with_reader(question, reader)
                out.write(json.dumps(question, ensure_ascii=False) + "\n")
        for folder in sorted(COLLECTIONS.iterdir()):
            for question in collection_questions(folder):
                out.write(json.dumps(question, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
