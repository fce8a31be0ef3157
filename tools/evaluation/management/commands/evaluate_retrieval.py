"""`manage.py evaluate_retrieval PATH…`: measures how well retrieval ranks, on BEIR's layout."""

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import replace
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
from tools.evaluation.management.labelled import tell_skipped
from tools.evaluation.rendering import figures_table
from tools.evaluation.retrieval.ranking import Beir, measure, read_beir

_PLAIN = SearchOptions(depth=100, relevance_floor=0.0, most_per_document=None, rerank=False)
_MODES = (Mode.LEXICAL, Mode.DENSE, Mode.HYBRID)
_BATCH = 256


class Command(BaseCommand):
    """Indexes each folder into a collection of its own, asks its queries, and deletes it again."""

    help = "Measure lexical, dense and hybrid retrieval on folders in BEIR's layout."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument("--limit", type=int, help="only the first N queries")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        figures = {path.name: self._folder(path, options["limit"]) for path in options["paths"]}
        if options["json"]:
            self.stdout.write(json.dumps(figures))
            return
        for name, modes in figures.items():
            self.stdout.write(_table(name, modes))

    def _folder(self, path: Path, limit: int | None) -> dict[str, dict[str, float]]:
        try:
            data = read_beir(path)
        except (FileNotFoundError, KeyError, ValueError) as error:
            raise CommandError(f"{path} is not in BEIR's layout: {error}") from error
        tell_skipped(self.stderr, path.name, data.skipped)
        with Progress(console=Console(stderr=True)) as progress, transaction.atomic():
            collection = _index(data, progress, path.name)
            queries = list(data.queries.items())[:limit]
            modes = {
                name: _measure(data, collection, progress.track(queries, description=name), options)
                for name, options in _ways().items()
            }
            transaction.set_rollback(True)
        return modes


def _index(data: Beir, progress: Progress, name: str) -> Collection:
    """Index one chunk for each document; the average length is that of this corpus."""
    slug = f"evaluation-{uuid4().hex[:12]}"
    application = Application.objects.create(name=slug, slug=slug)
    collection = Collection.objects.create(
        application=application, name=slug, average_length=_average_length(data)
    )
    ids = list(data.corpus)
    slices = [ids[at : at + _BATCH] for at in range(0, len(ids), _BATCH)]
    for some in progress.track(slices, description=f"{name}: indexing"):
        index_texts(collection, {key: data.corpus[key] for key in some})
    count_terms(collection.pk)
    collection.refresh_from_db()
    return collection


def _average_length(data: Beir) -> float:
    return sum(len(terms(text)) for text in data.corpus.values()) / len(data.corpus)


def _ways() -> dict[str, SearchOptions]:
    """Return the three rankings, what a search leaves of the hybrid one ("found"), and the one
    reranked where there is a cross-encoder."""
    ways = {str(mode): replace(_PLAIN, mode=mode) for mode in _MODES}
    ways["found"] = replace(_PLAIN, relevance_floor=settings.RETRIEVAL_RELEVANCE_FLOOR)
    return ways | ({"reranked": replace(_PLAIN, rerank=True)} if settings.RERANKER_MODEL else {})


def _measure(
    data: Beir,
    collection: Collection,
    queries: Iterable[tuple[str, str]],
    options: SearchOptions,
) -> dict[str, float]:
    rankings = {
        query: [chunk.source for chunk in search([collection], text, 100, options)]
        for query, text in queries
    }
    return measure(rankings, {query: data.judgements[query] for query in rankings})


def _table(name: str, modes: dict[str, dict[str, float]]) -> str:
    headings = ("", *next(iter(modes.values())))
    rows = [(mode, *(f"{value:.4f}" for value in of.values())) for mode, of in modes.items()]
    table = figures_table(name, headings, rows)
    console = Console(width=80)
    with console.capture() as captured:
        console.print(table)
    return captured.get()
