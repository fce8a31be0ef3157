"""`recall`: finds memories relevant to a question."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F
from django.utils import timezone
from pgvector.django import CosineDistance

from memory.embedding import embed, model_id
from memory.models import Manager, MemoryEntry
from memory.selectors.entries import came_from, visible

RECENCY_WEIGHT = 0.1
HALF_LIFE = timedelta(days=90)
NEAREST = 50
"""So many nearest entries are ranked; recency cannot lift one from below them."""
FLOOR = 0.2
"""Entries less similar to the question than this have nothing to do with it."""


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """A relevant entry. `score` (0 to 1) combines similarity with recency."""

    entry_id: UUID
    text: str
    target: str
    stated_at: datetime
    score: float
    came_from: str
    """Return who stated it where and when, in words."""


def recall(manager: Manager, question: str, *, limit: int = 4) -> tuple[RecalledMemory, ...]:
    """Return the remembered facts relevant to a question, best first. One query."""
    vector = embed([question])[0]
    near = (
        visible(manager)
        .filter(superseded_at=None, embedding_model=model_id())
        .annotate(similarity=1 - CosineDistance("embedding", vector))
        .filter(similarity__gte=FLOOR)
        .select_related("stated_by")
        .order_by(F("similarity").desc(), "-stated_at")[:NEAREST]
    )
    now = timezone.now()
    ranked = [_recalled_memory(entry, now) for entry in near]
    return tuple(sorted(ranked, key=lambda memory: -memory.score)[:limit])


def _recalled_memory(entry: MemoryEntry, now: datetime) -> RecalledMemory:
    age = max(now - entry.stated_at, timedelta())
    recency = 0.5 ** (age / HALF_LIFE)
    similarity: float = entry.similarity  # type: ignore[attr-defined]  # annotated
    score = (1 - RECENCY_WEIGHT) * similarity + RECENCY_WEIGHT * recency
    return RecalledMemory(
        entry.pk, entry.text, entry.target, entry.stated_at, round(score, 4), came_from(entry)
    )
