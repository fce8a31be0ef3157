"""`manage.py evaluate_retrieval PATH…`: measures how well retrieval ranks, on BEIR's layout."""

import csv
import json
import math
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from rich.console import Console
from rich.progress import Progress

from accounts.models import Application
from documents.lexical import terms
from documents.models import Collection
from documents.retrieval import Mode, SearchOptions, search
from documents.services.collections import count_terms
from documents.services.indexing import index_texts
from tools.evaluation.rendering import console_on, figures_table

# Measures of ranking, and folders in BEIR's layout. Pure functions.
#
# nDCG with binary or graded gains as in BEIR (Thakur et al., 2021): gain 2^rel - 1 would equal rel
# for the binary judgements used here, so rel itself is taken, as pytrec_eval does.


@dataclass(frozen=True, slots=True)
class Beir:
    """Documents by id, the test queries, and for each the relevance of its documents."""

    corpus: dict[str, str]
    queries: dict[str, str]
    judgements: dict[str, dict[str, int]]


def read_beir(folder: Path) -> Beir:
    """Read corpus.jsonl, queries.jsonl and qrels.tsv; queries that are not judged are left out.

    Raises FileNotFoundError, KeyError, and ValueError where nothing is judged.
    """
    judgements = defaultdict[str, dict[str, int]](dict)
    with (folder / "qrels.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            judgements[row["query-id"]][row["corpus-id"]] = int(row["score"])
    corpus, queries = (_texts(folder / f"{name}.jsonl") for name in ("corpus", "queries"))
    judged_queries = {query: queries[query] for query in judgements}
    if not corpus or not judged_queries:
        raise ValueError("no document, or no judged query")
    return Beir(corpus, judged_queries, dict(judgements))


def _texts(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8") as lines:
        return {
            row["_id"]: f"{row.get('title', '')}\n{row['text']}".strip()
            for row in map(json.loads, lines)
        }


def ndcg(ranked: Sequence[str], relevance: Mapping[str, int]) -> float:
    """Return the normalised discounted cumulative gain of the first ten, from 0 to 1."""
    gained = sum(
        relevance.get(document, 0) / math.log2(rank + 1)
        for rank, document in enumerate(ranked[:10], start=1)
    )
    best = sorted((grade for grade in relevance.values() if grade > 0), reverse=True)[:10]
    ideal = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(best, start=1))
    return gained / ideal if ideal else 0.0


def hit(ranked: Sequence[str], relevance: Mapping[str, int]) -> float:
    """Return 1 when any of the first four is relevant, else 0."""
    return float(any(relevance.get(document, 0) > 0 for document in ranked[:4]))


def recall(ranked: Sequence[str], relevance: Mapping[str, int]) -> float:
    """Return the share of the relevant documents among the first hundred."""
    relevant = {document for document, grade in relevance.items() if grade > 0}
    return len(relevant & set(ranked[:100])) / len(relevant) if relevant else 0.0


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


_PLAIN = SearchOptions(depth=100, relevance_floor=0.0, most_per_document=None, rerank=False)
_MODES = (Mode.LEXICAL, Mode.DENSE, Mode.HYBRID)
_BATCH = 256


class Command(BaseCommand):
    """Indexes each folder into a collection of its own, asks its queries, and deletes it again."""

    help = "Measure lexical, dense and hybrid retrieval on folders in BEIR's layout."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument("--every", type=int, default=1, help="only every Nth query")

    def handle(self, *args: Any, **options: Any) -> None:
        out = console_on(self.stdout, 80)
        for path in options["paths"]:
            modes = self._folder(path, options["every"])
            headings = ("", *next(iter(modes.values())))
            rows = [
                (mode, *(f"{value:.4f}" for value in of.values())) for mode, of in modes.items()
            ]
            out.print(figures_table(path.name, headings, rows))

    def _folder(self, path: Path, every: int) -> dict[str, dict[str, float]]:
        try:
            data = read_beir(path)
        except (FileNotFoundError, KeyError, ValueError) as error:
            raise CommandError(f"{path} is not in BEIR's layout: {error}") from error
        with Progress(console=Console(stderr=True)) as progress, transaction.atomic():
            slug = f"evaluation-{uuid4().hex[:12]}"
            application = Application.objects.create(name=slug, slug=slug)
            collection = Collection.objects.create(
                application=application,
                name=slug,
                average_length=sum(len(terms(text)) for text in data.corpus.values())
                / len(data.corpus),
            )
            ids = list(data.corpus)
            slices = [ids[at : at + _BATCH] for at in range(0, len(ids), _BATCH)]
            for some in progress.track(slices, description=f"{path.name}: indexing"):
                index_texts(collection, {key: data.corpus[key] for key in some})
            count_terms(collection.pk)
            collection.refresh_from_db()
            queries = list(data.queries.items())[::every]
            modes = {
                name: _measure(data, collection, progress.track(queries, description=name), options)
                for name, options in _ways().items()
            }
            transaction.set_rollback(True)
        return modes


def _ways() -> dict[str, SearchOptions]:
    """Return the options of each ranking: the three modes, and what a search leaves ("found").

    Where there is a cross-encoder also "reranked".
    """
    ways = {str(mode): replace(_PLAIN, mode=mode) for mode in _MODES}
    ways["found"] = replace(_PLAIN, relevance_floor=settings.RETRIEVAL_RELEVANCE_FLOOR)
    return ways | ({"reranked": replace(_PLAIN, rerank=True)} if settings.RERANKER_MODEL else {})


def _measure(
    data: Beir, collection: Collection, queries: Iterable[tuple[str, str]], options: SearchOptions
) -> dict[str, float]:
    """Return the measures of a ranking.

    As in BEIR, a query that is a document itself (ArguAna) does not find itself.
    """
    rankings = {
        query: [
            chunk.source
            for chunk in search([collection], text, 101, options)
            if chunk.source != query
        ][:100]
        for query, text in queries
    }
    return measure(rankings, {query: data.judgements[query] for query in rankings})
