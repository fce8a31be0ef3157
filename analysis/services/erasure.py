"""Erasing what was submitted, measured and said; the one place that opens the door for it.

What stays of an erased check: its row with ids, times, digest, action, level and score; who decided
its reviews, when and how; and the trail, whose newest entry on the check says what was erased, by
whom and why. Everything that quotes the input goes with it.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from analysis.models import (
    AnnotatedAnswer,
    Check,
    CheckEmbedding,
    CheckSearch,
    CheckState,
    Claim,
    ClaimVerdict,
    Feedback,
    LegalHold,
    Review,
    ReviewDraft,
    ReviewSkip,
    Topic,
    TrendPending,
)
from analysis.services.trends import count_waiting
from audit.models import Event, TrailEntry
from audit.services import append_all, entry

_TEXTS = (
    "query", "answer", "sources", "samples", "token_logprobs", "messages", "metadata",
)  # fmt: skip
_ENDED = (CheckState.DONE, CheckState.FAILED)
Eraser = Callable[[Sequence[UUID]], None]
_erasers: list[Eraser] = []


class Part(StrEnum):
    """What can be erased of a check. With the input goes all that quotes it: everything."""

    INPUT = "input"
    RESULT = "result"
    REVIEWS = "reviews"


EVERYTHING = frozenset(Part)


class OnHold(Exception):
    """A legal hold forbids it."""


class NotEnded(Exception):
    """The check is still worked on, or not yet counted in the trends."""


@dataclass(slots=True)
class Erased:
    """What came of an erasure; each list holds ids of checks."""

    erased: list[UUID] = field(default_factory=list)
    held: list[UUID] = field(default_factory=list)
    unfinished: list[UUID] = field(default_factory=list)


def register_eraser(eraser: Eraser) -> None:
    """A room above tells how it erases what it holds of checks whose input is erased."""
    _erasers.append(eraser)


def erase_check(*, application_id: UUID, check_id: UUID, by: str, reason: str) -> bool:
    """Erase all of one check; False where that was done before.

    Raises Check.DoesNotExist, also for another application's check; OnHold; NotEnded.
    """
    Check.objects.only("id").get(pk=check_id, application_id=application_id)
    found = erase_checks(check_ids=[check_id], parts=EVERYTHING, by=by, reason=reason)
    if found.held:
        raise OnHold("A legal hold forbids to erase this check.")
    if found.unfinished:
        raise NotEnded("The check is still worked on. Ask again when it has ended.")
    return bool(found.erased)


def erase_checks(
    *, check_ids: Collection[UUID], parts: Collection[Part], by: str, reason: str
) -> Erased:
    """Erase these parts of these checks, each with an entry in the trail; safe to repeat.

    Those on hold or not ended are left as they are and named.
    """
    if TrendPending.objects.filter(check_id__in=check_ids).exists():
        count_waiting()  # the trends keep figures of what they have read before it is gone
    with transaction.atomic():
        return _erase(check_ids, _with_dependent(parts), by, reason)


def held_checks() -> Q:
    """The condition of checks on which, or on whose application, there is a hold."""
    holds = LegalHold.objects.filter(lifted_at=None, application=OuterRef("application"))
    about = Q(check_record=None) | Q(check_record=OuterRef("pk"))
    return Q(Exists(holds.filter(about)))


def _with_dependent(parts: Collection[Part]) -> frozenset[Part]:
    return EVERYTHING if Part.INPUT in parts else frozenset(parts)


def _erase(ids: Collection[UUID], parts: frozenset[Part], by: str, reason: str) -> Erased:
    rows = Check.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    rows = rows.annotate(is_held=held_checks(), is_waiting=_uncounted())
    outcome, wanted = Erased(), dict[UUID, tuple[Check, list[Part]]]()
    for check in rows.defer(*_TEXTS):
        left = [part for part in Part if part in parts and _is_there(check, part)]
        if not left:
            continue
        if check.is_held:
            outcome.held.append(check.pk)
        elif check.state not in _ENDED or check.is_waiting:
            outcome.unfinished.append(check.pk)
        else:
            wanted[check.pk] = (check, left)
    outcome.erased = list(wanted)
    if wanted:
        _carry_out(list(wanted.values()), by, reason)
    return outcome


def _uncounted() -> Exists:
    return Exists(TrendPending.objects.filter(check_id=OuterRef("pk")))


def _is_there(check: Check, part: Part) -> bool:
    return getattr(check, f"{part}_erased_at") is None


def _carry_out(wanted: Sequence[tuple[Check, list[Part]]], by: str, reason: str) -> None:
    append_all([_told(check, parts, by, reason) for check, parts in wanted])
    by_part = defaultdict[Part, list[UUID]](list)
    for check, parts in wanted:
        for part in parts:
            by_part[part].append(check.pk)
    with _open_door():
        for part in (Part.RESULT, Part.REVIEWS, Part.INPUT):
            if ids := by_part[part]:
                _ERASE[part](ids)


def _told(check: Check, parts: Sequence[Part], by: str, reason: str) -> TrailEntry:
    return entry(
        Event.CHECK_ERASED,
        subject=check,
        by=by,
        application_id=check.application_id,
        parts=[str(part) for part in parts],
        reason=reason,
    )


@contextmanager
def _open_door() -> Iterator[None]:
    """The triggers let an erasure pass that the trail tells of, until the block ends."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL watchdog.erasure = 'on'")
        yield
        cursor.execute("SET LOCAL watchdog.erasure = 'off'")


def _erase_results(ids: Sequence[UUID]) -> None:
    """Claims, evidence, measurement and decision; and reviews that nobody can decide any more."""
    of_check = Review.objects.filter(check_record__in=ids)
    ClaimVerdict.objects.filter(review__in=of_check).delete()
    of_check.filter(decision=None).delete()
    Claim.objects.filter(annotated_answer__in=ids).delete()
    AnnotatedAnswer.objects.filter(pk__in=ids).delete()
    _checks(ids).update(result_erased_at=Now())


def _erase_reviews(ids: Sequence[UUID]) -> None:
    """The words of reviewers and end users; who decided how stays."""
    of_check = Review.objects.filter(check_record__in=ids)
    of_check.filter(decision__isnull=False).exclude(note="", corrected_text="").update(
        note="", corrected_text=""
    )
    ReviewDraft.objects.filter(review__in=of_check).delete()
    ReviewSkip.objects.filter(review__in=of_check).delete()
    Feedback.objects.filter(check_record__in=ids).exclude(comment="").update(comment="")
    _checks(ids).update(reviews_erased_at=Now())


def _erase_inputs(ids: Sequence[UUID]) -> None:
    """The texts as submitted, and all that was made of them for search and topics."""
    CheckSearch.objects.filter(pk__in=ids).delete()
    CheckEmbedding.objects.filter(pk__in=ids).delete()
    # A topic quotes one of its questions; what is left of it is put together again in an hour.
    Topic.objects.filter(members__check_record__in=ids).delete()
    for eraser in _erasers:
        eraser(ids)
    _checks(ids).update(
        query="", answer="", sources=None, scope={}, metadata={}, samples=[],
        token_logprobs=None, messages=None, last_error="", input_erased_at=Now(),
    )  # fmt: skip


def _checks(ids: Sequence[UUID]) -> QuerySet[Check]:
    return Check.objects.filter(pk__in=ids)


_ERASE: dict[Part, Eraser] = {
    Part.RESULT: _erase_results,
    Part.REVIEWS: _erase_reviews,
    Part.INPUT: _erase_inputs,
}
