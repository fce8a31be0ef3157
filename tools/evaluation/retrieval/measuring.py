"""Asks the product's own search and compares what it finds with an exact search."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from documents.embedding import embed_query
from documents.models import Collection
from documents.retrieval import Mode, SearchOptions, search
from lib.stats.bootstrap import percentile

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
