"""Memory in the bundle: what the manager said earlier that concerns the question."""

import re

from assistant.evidence import EvidenceKind, Item, SourceStatus
from assistant.gathering.documents import SourceResult
from documents.injection import scan
from memory.models import Manager
from memory.selectors import RecalledMemory, recall

_MOST = 4
_WHERE = "Where is the construction site? The city or town where the site is located."
_SITED = re.compile(
    r"\b(?:site|project|located|location|based|job|yard)\b.*?\b(?:in|at|near|is|:)\s+"
    r"(?:the\s+)?(?:(?:city|town)\s+of\s+)?([A-Z][\w'’.-]+(?:[ ,]+[A-Z][\w'’.-]+){0,4})"
)


def remembered_location(manager: Manager) -> str | None:
    """Return the site's place as the manager stated it, or None. One query."""
    for memory in recall(manager, _WHERE, limit=_MOST):
        if place := place_in(memory.text):
            return place
    return None


def place_in(text: str) -> str | None:
    """Return the place where a fact locates the site: "Our site is in Rotterdam.", or None."""
    match = _SITED.search(text)
    return match[1].rstrip(".") if match else None


def find_memories(manager: Manager, question: str) -> SourceResult:
    """Return relevant memories; one query. Raises inference.errors.ModelError."""
    memories = recall(manager, question, limit=_MOST)
    items = tuple(map(_item, memories))
    if not items:
        return SourceResult((), SourceStatus.NOTHING, "Nothing that is remembered bears on this.")
    return SourceResult(items, SourceStatus.OK)


def _item(recalled_memory: RecalledMemory) -> Item:
    return Item(
        number=0,
        kind=EvidenceKind.MEMORY,
        text=recalled_memory.text,
        title=f"memory: {recalled_memory.came_from}",
        place={
            "entry_id": str(recalled_memory.entry_id),
            "target": recalled_memory.target,
            "stated_at": recalled_memory.stated_at.isoformat(),
            "origin": recalled_memory.came_from,
            "score": recalled_memory.score,
        },
        injection=scan(recalled_memory.text).payload(),
    )
