"""The configured cross-encoder, if any, as the last step of a search."""

from collections.abc import Mapping

from django.conf import settings

from documents.evidence import Row
from documents.fusion import at_most_each
from inference.rerank import Reranker, get_reranker

Ranked = list[tuple[int, float]]
DEPTH = 20


def reranker() -> Reranker | None:
    """Return the cross-encoder of this process, or None if RERANKER_MODEL is empty.

    Raises inference.errors.ModelError if it is broken: a search silently ranked otherwise than
    configured would be worse than none.
    """
    if not settings.RERANKER_MODEL:
        return None
    return get_reranker(
        settings.RERANKER_MODEL, settings.MODEL_DIR, threads=settings.EMBEDDING_THREADS, build=True
    )


def candidates(
    ranked: Ranked, documents: Mapping[int, object], *, k: int, most: int | None
) -> Ranked:
    """Return the passages worth reranking: the first DEPTH, and at least `k`.

    If chunks of a few documents fill them, so that fewer than `k` would remain, the first of each
    document are taken.
    """
    depth = max(DEPTH, k)
    if len(at_most_each(ranked[:depth], documents, most=most)) >= k:
        return ranked[:depth]
    return at_most_each(ranked, documents, most=most)[:depth]


def rerank(
    model: Reranker, text: str, ranking: Ranked, rows: Mapping[int, Row]
) -> tuple[Ranked, dict[int, float]]:
    """Return the passages by the cross-encoder's scores, best first, and those scores.

    Each keeps its fused score; ties keep the fused order.
    """
    scores = model.score(text, [rows[chunk_id]["text"] for chunk_id, _ in ranking])
    by_id = dict(zip((chunk_id for chunk_id, _ in ranking), scores, strict=True))
    return sorted(ranking, key=lambda item: -by_id[item[0]]), by_id
