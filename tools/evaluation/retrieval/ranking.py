"""Measures of ranking, and folders in BEIR's layout. Pure functions.

nDCG with binary or graded gains as in BEIR (Thakur et al., 2021): gain 2^rel - 1 would equal rel
for the binary judgements used here, so rel itself is taken, as pytrec_eval does.
"""

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Beir:
    """Documents by id, the test queries, and for each the relevance of its documents.

    `skipped` names each row that could not be read, with its file, line and reason.
    """

    corpus: dict[str, str]
    queries: dict[str, str]
    judgements: dict[str, dict[str, int]]
    skipped: tuple[str, ...] = ()


def read_beir(folder: Path) -> Beir:
    """Read corpus.jsonl, queries.jsonl and qrels.tsv, without the rows that cannot be used.

    A judgement of a skipped document stands: it was relevant and cannot be retrieved. Raises
    FileNotFoundError, and ValueError where a file has no usable row.
    """
    skipped: list[str] = []
    judgements = _judgements(folder / "qrels.tsv", skipped)
    queries = _texts(folder / "queries.jsonl", skipped)
    corpus = _texts(folder / "corpus.jsonl", skipped)
    judged_queries = {query: grades for query, grades in judgements.items() if query in queries}
    skipped += [f"qrels.tsv: no query {query}" for query in judgements if query not in queries]
    if not corpus or not judged_queries:
        raise ValueError("no usable document, or no judged query")
    return Beir(
        corpus, {query: queries[query] for query in judged_queries}, judged_queries, tuple(skipped)
    )


def _judgements(path: Path, skipped: list[str]) -> dict[str, dict[str, int]]:
    judgements: dict[str, dict[str, int]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        for row in rows:
            try:
                query, document, grade = row["query-id"], row["corpus-id"], int(row["score"])
            except (KeyError, TypeError, ValueError) as error:
                skipped.append(f"{path.name} line {rows.line_num}: {error!r}")
            else:
                judgements.setdefault(query, {})[document] = grade
    return judgements


def _texts(path: Path, skipped: list[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                name, text = row["_id"], f"{row.get('title', '')}\n{row['text']}".strip()
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                skipped.append(f"{path.name} line {number}: {error!r}")
                continue
            if text:
                texts[name] = text
            else:
                skipped.append(f"{path.name} line {number}: {name} has no text")
    return texts


def ndcg(ranked: Sequence[str], relevance: Mapping[str, int], *, at: int = 10) -> float:
    """Return the normalised discounted cumulative gain of the first `at`, from 0 to 1."""
    gained = sum(
        relevance.get(document, 0) / math.log2(rank + 1)
        for rank, document in enumerate(ranked[:at], start=1)
    )
    best = sorted((grade for grade in relevance.values() if grade > 0), reverse=True)[:at]
    ideal = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(best, start=1))
    return gained / ideal if ideal else 0.0


def hit(ranked: Sequence[str], relevance: Mapping[str, int], *, at: int = 4) -> float:
    """Return 1 when any of the first `at` is relevant, else 0."""
    return float(any(relevance.get(document, 0) > 0 for document in ranked[:at]))


def recall(ranked: Sequence[str], relevance: Mapping[str, int], *, at: int = 100) -> float:
    """Return the share of the relevant documents among the first `at`."""
    relevant = {document for document, grade in relevance.items() if grade > 0}
    return len(relevant & set(ranked[:at])) / len(relevant) if relevant else 0.0


def measure(
    rankings: Mapping[str, Sequence[str]], judgements: Mapping[str, Mapping[str, int]]
) -> dict[str, float]:
    """Return the three measures, each the mean over the queries."""
    pairs = [(rankings.get(query, ()), relevance) for query, relevance in judgements.items()]
    measures = {"ndcg@10": ndcg, "hit@4": hit, "recall@100": recall}
    return {
        name: sum(function(*pair) for pair in pairs) / len(pairs)
        for name, function in measures.items()
    }
