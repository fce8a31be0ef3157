"""`manage.py bench_retrieval` (`make bench-retrieval`): search over a made-up corpus of any size.

It fills the configured database, so it runs on one of its own: `make bench-retrieval` makes one
and throws it away.
"""

import json
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn
from rich.table import Table

from accounts.models import Application
from documents.embedding import embed_passages, embed_query, model_id
from documents.lexical import terms
from documents.models import Chunk, Collection
from documents.retrieval import Mode, SearchOptions, search
from documents.services.collections import count_terms
from lib.stats.bootstrap import percentile
from tools.evaluation.rendering import figures_table
from tools.evaluation.retrieval import loading
from tools.evaluation.retrieval.loading import (
    Passages,
    Universe,
    folder_passages,
    installed_passages,
    universe,
)

# Asks the product's own search and compares what it finds with an exact search.

FOUND = 10
# Every question is answered, so that ten places can be compared.
_OPTIONS = SearchOptions(relevance_floor=0.0, most_per_document=None)


@dataclass(frozen=True, slots=True)
class ScopeFigures:
    """Figures of one scope: milliseconds of a search, and recall@10 against an exact search."""

    name: str
    chunks: int
    p50: float
    p95: float
    p50_of: dict[str, float]
    recall: dict[str, float]
    questions: int
    compared: int


def measure_scope(
    name: str,
    collections: Sequence[Collection],
    questions: Sequence[str],
    *,
    compared: int,
    step: Callable[[], None],
) -> ScopeFigures:
    """Ask all questions for time, the first `compared` of them again for recall.

    `step` is called after each question that was asked or compared.
    """
    for question in questions:
        search(collections, question, FOUND, _OPTIONS)
    totals: list[float] = []
    parts: dict[str, list[float]] = {"embedding": [], "dense": [], "lexical": []}
    for question in questions:
        totals.append(_timed(lambda: search(collections, question, FOUND, _OPTIONS)))  # noqa: B023
        parts["embedding"].append(_timed(lambda: embed_query(question)))  # noqa: B023
        for mode in (Mode.DENSE, Mode.LEXICAL):
            options = replace(_OPTIONS, mode=mode)
            parts[str(mode)].append(
                _timed(lambda: search(collections, question, FOUND, options))  # noqa: B023
            )
        step()
    return ScopeFigures(
        name=name,
        chunks=sum(collection.chunk_count for collection in collections),
        p50=percentile(sorted(totals), 50),
        p95=percentile(sorted(totals), 95),
        p50_of={part: percentile(sorted(times), 50) for part, times in parts.items()},
        recall=_recall(collections, questions[:compared], step),
        questions=len(questions),
        compared=compared,
    )


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def _recall(
    collections: Sequence[Collection], questions: Sequence[str], step: Callable[[], None]
) -> dict[str, float]:
    shares: dict[str, list[float]] = {str(mode): [] for mode in Mode}
    for question in questions:
        for mode, share in _shares(collections, question):
            shares[mode].append(share)
        step()
    return {mode: sum(share) / len(share) for mode, share in shares.items() if share}


def _shares(collections: Sequence[Collection], question: str) -> Iterator[tuple[str, float]]:
    """Yield for each mode the share of the exact best ten that the search finds among its ten."""
    for mode in Mode:
        options = replace(_OPTIONS, mode=mode)
        exact = _ids(collections, question, replace(options, exact=True))
        if exact:
            yield str(mode), len(exact & _ids(collections, question, options)) / len(exact)


def _ids(
    collections: Sequence[Collection], question: str, options: SearchOptions
) -> set[tuple[str, int]]:
    match = search(collections, question, FOUND, options)
    return {(chunk.doc_id, chunk.sent_id) for chunk in match}


SEED = 20_260
# The share of each collection; a scope is one collection, "all" is every one of them.
SHARES = {"0.1 %": 0.001, "1 %": 0.01, "10 %": 0.1}
_OTHERS = 8
_BATCH = 100


class Command(BaseCommand):
    help = "Measure retrieval on a generated corpus; fills the configured database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--chunks", type=int, default=1_000_000)
        parser.add_argument("--passages", type=int, default=6_000, help="real ones to start from")
        parser.add_argument("--sentences", type=int, default=3_400, help="real ones, questions too")
        parser.add_argument("--folder", type=Path, help="BEIR folder with them (else docstrings)")
        parser.add_argument("--questions", type=int, default=300, help="timed, for each scope")
        parser.add_argument("--compared", type=int, default=100, help="of them, for recall")
        parser.add_argument("--memory-mb", type=int, default=4096, help="for building an index")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        progress = Progress(
            *Progress.get_default_columns()[:3],
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
        )
        with progress:
            passages = _passages(options)
            build_figures = {}
            if not Chunk.objects.exists():
                build_figures = _build(passages, options, progress)
            questions = passages.questions[: options["questions"]]
            compared = options["compared"]
            everything = list(Collection.objects.order_by("pk"))
            scopes = {"all": everything}
            scopes |= {name: [each for each in everything if each.name == name] for name in SHARES}
            task = progress.add_task("asking", total=len(scopes) * (len(questions) + compared))
            figures = [
                measure_scope(
                    name, within, questions, compared=compared, step=lambda: progress.advance(task)
                )
                for name, within in scopes.items()
            ]
        if options["json"]:
            scopes_json = [asdict(figure) for figure in figures]
            self.stdout.write(json.dumps({"build": build_figures, "scopes": scopes_json}))
            return
        out = Console(file=cast(IO[str], self.stdout), width=110)
        if build_figures:
            rows = [
                (name, f"{value:,.0f}{'' if name.startswith(('bytes', 'chunks')) else ' s'}")
                for name, value in build_figures.items()
            ]
            out.print(figures_table("", ("build", ""), rows))
        out.print(_table(figures))


def _passages(options: dict[str, Any]) -> Passages:
    count, folder = options["passages"], options["folder"]
    questions = max(options["sentences"], options["questions"])
    if folder is None:
        return installed_passages(count, questions=questions, seed=SEED)
    try:
        return folder_passages(folder, count, questions=questions, seed=SEED)
    except (FileNotFoundError, KeyError, ValueError) as error:
        raise CommandError(f"{folder} is not in BEIR's layout: {error}") from error


def _build(passages: Passages, options: dict[str, Any], progress: Progress) -> dict[str, float]:
    """Fill the database; return the seconds of each part and the bytes a chunk."""
    around = _embedded(passages, progress)
    average = sum(len(terms(text)) for text in passages.texts) / len(passages.texts)
    collections = _collections(options["chunks"] // loading.PER_DOCUMENT, average)
    plan = loading.LoadPlan(around, collections, average, model_id(), SEED)
    for name in loading.INDEXES:
        loading.drop_index(name)
    seconds = {"generate and COPY": _load_chunks(plan, progress)}
    task = progress.add_task("building indexes", total=len(loading.INDEXES) + 2)
    for name in loading.INDEXES:
        seconds[f"build {name}"] = loading.build_index(name, memory_mb=options["memory_mb"])
        progress.advance(task)
    seconds["vacuum, analyze"] = loading.tidy()
    progress.advance(task)
    began = time.perf_counter()
    for collection in set(collections):
        count_terms(collection)
    seconds["count terms"] = time.perf_counter() - began
    progress.advance(task)
    chunks = len(collections) * loading.PER_DOCUMENT
    per_chunk = {f"bytes a chunk, {name}": size / chunks for name, size in loading.sizes().items()}
    return {"chunks": chunks, **seconds, **per_chunk}


def _embedded(passages: Passages, progress: Progress) -> Universe:
    texts = [*passages.texts, *passages.questions]
    slices = [texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH)]
    parts = progress.track(slices, description="embedding real passages")
    vectors = np.concatenate([embed_passages(part) for part in parts])
    count = len(passages.texts)
    return universe(passages.texts, vectors[:count], vectors[count:])


def _collections(documents: int, average_length: float) -> list[Any]:
    """Return the collection of each document, drawn by the shares."""
    application = Application.objects.create(name="Benchmark", slug="bench")
    rest = (1 - sum(SHARES.values())) / _OTHERS
    shares = {**SHARES, **{f"other {n}": rest for n in range(_OTHERS)}}
    ids = [
        Collection.objects.create(
            application=application, name=name, average_length=average_length
        ).pk
        for name in shares
    ]
    counts = [max(1, round(share * documents)) for share in shares.values()]
    counts[-1] += documents - sum(counts)
    spread = np.repeat(np.arange(len(ids)), counts)
    np.random.default_rng(SEED).shuffle(spread)
    return [ids[at] for at in spread]


def _load_chunks(plan: loading.LoadPlan, progress: Progress) -> float:
    began = time.perf_counter()
    total = len(plan.collections) * loading.PER_DOCUMENT
    task = progress.add_task("generating chunks", total=total)
    for count in loading.load(plan):
        progress.advance(task, count)
    return time.perf_counter() - began


def _table(figures: Sequence[ScopeFigures]) -> Table:
    headings = (
        *("scope", "chunks", "p50 ms", "p95 ms", "recall@10", "dense", "lexical"),
        *("p50: embed", "dense", "lexical"),
    )
    rows = [
        (
            *(row.name, f"{row.chunks:,}", f"{row.p50:.1f}", f"{row.p95:.1f}"),
            *(f"{row.recall.get(mode, 0):.3f}" for mode in ("hybrid", "dense", "lexical")),
            *(f"{value:.1f}" for value in row.p50_of.values()),
        )
        for row in figures
    ]
    return figures_table("Hybrid search, ten best", headings, rows)
