"""Fit the relevance scales of the safety checks: `python -m tools.training.relevance DATA`.

Prints the logistic functions of `lib.stats.relevance` (the share of a question's words in a
client's own source) and of `documents.retrieval` (cosine and share of words of a passage that a
search found), and what they misjudge. The first is fitted on questions with their
own source against another question's; the second on the best passage of collections of 1, 5 and 50
documents that hold the question's own document, against collections that do not.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
import numpy as np
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from analysis.engine.evidence.corpus import build
from analysis.engine.signals.relevance import shares, terms_asked
from analysis.engine.types import Source
from desk.scoring.split import split_of
from documents.chunking import chunk
from documents.lexical import terms
from tools.training.answers import rows_of

SETS = ("ragtruth.train_part", "halueval_qa.dev", "expertqa.val")
COLLECTIONS = (
    "short_squad.train", "short_newwiki.train", "short_mixed.train", "clapnq.dev", "mtragun.dev",
    "dstc9.real.train", "expertqa.val", "ragtruth.train_part",
)  # fmt: skip
APART = 7
"""The distance to the question whose source serves as the wrong one."""
SIZES, DRAWS = (1, 5, 50), 150
LONGEST = 3_000
"""Code points of a document."""
ROUNDS, DECAY = 8, 1e-4


@dataclass(frozen=True, slots=True)
class Case:
    """A question in a collection of `size` documents of a set; whether its own is among them."""

    name: str
    size: int
    passages: Any
    own: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its document; `family` says what else it was cut from."""

    query: str
    text: str
    family: str


def word_cases(data: Path, name: str, most: int) -> Iterator[Case]:
    """Yield every source of a question, and every one of another question."""
    sources_of = dict[str, list[str]]()
    for row in rows_of(data / "grounding", name):
        if row["query"] and row["task"] == "qa" and split_of(row) == "tune":
            sources_of.setdefault(row["query"], row["context"][:4])
    questions = list(sources_of.items())[:most]
    for at, (query, own) in enumerate(questions):
        other = questions[(at + APART) % len(questions)][1]
        for texts, belongs in ((own, True), (other, False)):
            for text in texts:
                (share,) = shares(terms_asked(query), build((Source("s", text),)))
                yield Case(name, 1, np.array([[share]]), belongs)


def questions_of(data: Path, name: str, most: int) -> list[Question]:
    """Return questions of a set, each with its whole context as one document."""
    by_text = dict[str, Question]()
    for row in rows_of(data / "grounding", name):
        if row["query"] and row["task"] in ("qa", "dialog"):
            text = "\n\n".join(row["context"])[:LONGEST]
            query = row["query"].split(" (about ")[0]
            by_text.setdefault(text, Question(query, text, str(row["meta"].get("source_id", ""))))
    questions = list(by_text.values())
    random.Random(3).shuffle(questions)
    return questions[:most]


def search_cases(data: Path, name: str, most: int) -> Iterator[Case]:
    """Yield questions in collections that hold their document, and in ones that do not."""
    from analysis.check_embedder import CheckEmbedder  # noqa: PLC0415 - settings first
    from documents.retrieval import share_held  # noqa: PLC0415

    embedder, questions = CheckEmbedder(), questions_of(data, name, most)
    chunks = [[q.text[c.start : c.end] for c in chunk(q.text)] for q in questions]
    vectors = [embedder.embed(texts) for texts in chunks]
    question_vectors = embedder.embed([question.query for question in questions])
    draw = random.Random(1)
    for size in SIZES:
        for _ in range(DRAWS if len(questions) > 2 * size else 0):
            at = draw.randrange(len(questions))
            others = [n for n in range(len(questions)) if n != at]
            family = questions[at].family
            strange = [n for n in others if not family or questions[n].family != family]
            if len(strange) < size:
                continue
            query_terms = terms(questions[at].query)
            for documents, own in (
                ([at, *draw.sample(others, size - 1)], True),
                (draw.sample(strange, size), False),
            ):
                cosines = np.concatenate([vectors[n] @ question_vectors[at] for n in documents])
                words = [share_held(query_terms, text) for n in documents for text in chunks[n]]
                yield Case(name, size, np.stack([cosines, np.array(words)], 1), own)


def fit(cases: Sequence[Case]) -> Any:
    """Return the likeliest weights and bias for the best passage of each; sets count the same."""
    weights = np.array([1.0] * cases[0].passages.shape[1] + [0.0])
    groups = [(case.name, case.size, case.own) for case in cases]
    shares_of = np.array([1 / groups.count(group) for group in groups])
    for _ in range(ROUNDS):
        best = [case.passages[(case.passages @ weights[:-1]).argmax()] for case in cases]
        model = LogisticRegression(C=1 / (2 * DECAY), tol=1e-8, max_iter=1_000).fit(
            best, [case.own for case in cases], sample_weight=shares_of / shares_of.sum()
        )
        weights = np.append(model.coef_[0], model.intercept_)
    return weights


def misjudged(cases: Sequence[Case], weights: Any, at: float) -> str:
    """Return the shares of own documents below the threshold and of strange ones at or above it."""

    def probability(case: Case) -> float:
        return float(1 / (1 + np.exp(-(case.passages @ weights[:-1] + weights[-1]).max())))

    own = [probability(case) < at for case in cases if case.own]
    strange = [probability(case) >= at for case in cases if not case.own]
    return f"{at}: {np.mean(own):.3f} own below, {np.mean(strange):.3f} strange from there on"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--most", type=int, default=80, help="questions of a set, for words")
    parser.add_argument("--documents", type=int, default=220, help="documents of a set")
    options = parser.parse_args()
    django.setup()
    words = [case for name in SETS for case in word_cases(options.data, name, options.most)]
    places = [
        case for name in COLLECTIONS for case in search_cases(options.data, name, options.documents)
    ]
    for kind, cases in (("words", words), ("search", places)):
        weights = fit(cases)
        print(kind, np.round(weights, 2))
        for size in sorted({case.size for case in cases}):
            some = [case for case in cases if case.size == size]
            print(f"  of {size}:", *(misjudged(some, weights, at) for at in (0.2, 0.3, 0.6)))


if __name__ == "__main__":
    main()
