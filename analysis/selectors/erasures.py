"""Erasures of checks: for people, for the API, and instead of an erased result."""

from collections import Counter
from uuid import UUID

from audit.contents import Erasure, erasures_of
from audit.models import Event, TrailEntry


class CheckErased(Exception):
    """Raised if the check's result was erased; the message says what, when, by whom and why."""


def erasures_of_check(check_id: UUID) -> tuple[Erasure, ...]:
    """Return all erasures of one check, oldest first."""
    name = str(check_id)
    return erasures_of("check", [name]).get(name, ())


def erasure_of(check_id: UUID) -> CheckErased:
    """Return the exception to raise for an erased check."""
    return CheckErased(" ".join(sentence(item) for item in erasures_of_check(check_id)))


def sentence(erasure: Erasure) -> str:
    *first, last = sorted(erasure.parts)
    parts = f"{', '.join(first)} and {last}" if first else last
    return f"Erased on {erasure.at:%Y-%m-%d %H:%M} UTC by {erasure.by} ({parts}): {erasure.reason}."


def erased_counts() -> Counter[tuple[str, str]]:
    """Return the number of erased decisions by (actor, reason)."""
    trail_entries = TrailEntry.objects.filter(
        event=Event.CHECK_ERASED, data__parts__contains=["result"]
    )
    return Counter(trail_entries.values_list("actor", "data__reason"))
