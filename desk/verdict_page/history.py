"""The timeline of one decision: its events, their authors, and whether the seals hold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from analysis.admin.trail_words import actor_in_words, data_in_words
from analysis.models import Check, Review, ReviewDecision, ReviewStage
from analysis.selectors.reason_codes import reason_labels
from analysis.selectors.records import entries_about
from audit.models import Event, TrailEntry
from audit.places import places_of
from audit.sealing import digest, entry_document

_SHOWN = (
    "action", "risk_score", "version", "attempts", "change", "to", "team", "hours", "format",
    "parts", "reason", "helpful", "expires_at",
)  # fmt: skip
"""The members of an entry's data that a line shows; the decision record has the others."""


@dataclass(frozen=True, slots=True)
class Step:
    """One event.

    `seal` is the number of the seal that contains the entry, None if there is none yet; `holds` is
    false if the entry differs from the sealed one.
    """

    at: datetime
    what: str
    details: str
    by: str
    seal: int | None
    holds: bool


def timeline(check: Check, reviews: Sequence[Review], policy_id: int | None) -> list[Step]:
    """Return all events of a decision, oldest first: its decision record's trail in words.

    `reviews` are those that the reader may see. Three queries.
    """
    entries = entries_about(check.pk, (review.pk for review in reviews), policy_id)
    places = places_of(entries)
    labels = reason_labels([code for entry in entries for code in _codes(entry)])
    return [
        Step(
            at=entry.occurred_at,
            what=entry.event_words,
            details="; ".join(_details(entry, labels)),
            by=actor_in_words(entry.actor),
            seal=None if place is None else place.seal.number,
            holds=place is None or place.leaf.entry == digest(entry_document(entry)),
        )
        for entry in entries
        for place in (places.get(entry.pk),)
    ]


def _details(entry: TrailEntry, labels: dict[str, str]) -> Iterator[str]:
    data = entry.data
    if stage := _label(ReviewStage, data.get("stage")):
        yield stage
    if decision := _label(ReviewDecision, data.get("decision")):
        yield decision
    if codes := _codes(entry):
        yield _("reasons: %s") % ", ".join(labels[code] for code in codes)
    if facts := data_in_words({name: data[name] for name in _SHOWN if name in data}):
        yield facts


def _codes(entry: TrailEntry) -> list[str]:
    is_decision = entry.event == Event.REVIEW_DECIDED
    return list(entry.data.get("reason_codes") or ()) if is_decision else []


def _label(choices: Any, value: Any) -> str:
    return str(choices(value).label) if value in choices.values else ""
