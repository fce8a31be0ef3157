"""The memory's part of the bag: what the manager said earlier that bears on the question."""

import re

from django.conf import settings

from assistant.evidence import Item, Kind, SourceStatus
from assistant.gathering.documents import Found
from documents.injection import scan
from memory.models import Manager
from memory.selectors import RecalledMemory, recall

_WHERE = "Where is the construction site? The city or town where the site is located."
_SITED = re.compile(
    r"\b(?:site|project|located|location|based|job|yard)\b.*?\b(?:in|at|near|is|:)\s+"
    r"(?:the\s+)?(?:(?:city|town)\s+of\s+)?([A-Z][\w'’.-]+(?:[ ,]+[A-Z][\w'’.-]+){0,4})"
)


def remembered_location(manager: Manager) -> str | None:
    """The place of the site as the manager told it, or None. One query."""
    for found in recall(manager, _WHERE, limit=settings.ASSISTANT_MEMORIES):
        if place := place_in(found.text):
            return place
    return None


def place_in(text: str) -> str | None:
    """The place that a fact says the site is in: "Our site is in Rotterdam." names Rotterdam."""
    found = _SITED.search(text)
    return found[1].rstrip(".") if found else None


def find_memories(manager: Manager, question: str) -> Found:
    """What is remembered; one query. Raises inference.errors.ModelError."""
    found = recall(manager, question, limit=settings.ASSISTANT_MEMORIES)
    items = tuple(map(_item, found))
    if not items:
        return Found((), SourceStatus.NOTHING, "Nothing that you told me bears on this.")
    return Found(items, SourceStatus.OK)


def _item(found: RecalledMemory) -> Item:
    return Item(
        number=0,
        kind=Kind.MEMORY,
        text=found.text,
        title=f"memory: {found.came_from}",
        place={
            "entry_id": str(found.entry_id),
            "target": found.target,
            "stated_at": found.stated_at.isoformat(),
            "origin": found.came_from,
            "score": found.score,
        },
        injection=scan(found.text).payload(),
    )
