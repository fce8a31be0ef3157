"""Erases submitted, measured and reviewed data; only this module opens the triggers for it.

An erased check keeps its row with ids, times, digest, action, level and score; who decided its
reviews, when and how; and the trail, whose newest entry says what was erased, by whom and why.
Everything that quotes the input is erased with it.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import connection, transaction
from django.db.models import Exists, F, Func, JSONField, OuterRef, Q, TextField, Value
from django.db.models.functions import Now

from accounts.models import Application
from analysis.models import (
    ENDED,
    AnnotatedAnswer,
    Check,
    CheckEmbedding,
    CheckSearch,
    Claim,
    ClaimVerdict,
    Feedback,
    HeldAnswer,
    HoldState,
    LegalHold,
    Review,
    ReviewDraft,
    ReviewSkip,
    Topic,
    TrendPending,
)
from analysis.services.trends import count_waiting
from audit.models import Event
from audit.services import append, append_all, entry
from notifications.models import EventKind, Notification, Subscription

_TEXTS = (
    "query", "answer", "sources", "samples", "token_logprobs", "messages", "metadata",
)  # fmt: skip
_EMPTY: dict[str, Any] = {
    "query": "", "answer": "", "sources": None, "scope": {}, "metadata": {}, "samples": [],
    "token_logprobs": None, "messages": None, "last_error": "",
}  # fmt: skip
Eraser = Callable[[Sequence[UUID], str, str], None]
"""Takes the ids of checks, by whom, and why."""
_erasers: list[Eraser] = []


class ErasablePart(StrEnum):
    """A part of a check that can be erased. Erasing the input erases everything that quotes it."""

    INPUT = "input"
    RESULT = "result"
    REVIEWS = "reviews"


EVERYTHING = frozenset(ErasablePart)


class OnHold(Exception):
    """Raised if a legal hold forbids the erasure."""


class NotEnded(Exception):
    """Raised if the check is unfinished or not yet counted in the trends."""


@dataclass(slots=True)
class ErasureReport:
    """The result of an erasure; each list holds ids of checks or turns."""

    erased: list[UUID] = field(default_factory=list)
    on_hold: list[UUID] = field(default_factory=list)
    unfinished: list[UUID] = field(default_factory=list)


def register_eraser(eraser: Eraser) -> None:
    """Register how a package above erases what it stores about checks whose input is erased."""
    _erasers.append(eraser)


def erase_check(*, application_id: UUID, check_id: UUID, by: str, reason: str) -> bool:
    """Erase all of one check; return False if that was done before.

    Raises Check.DoesNotExist, also for another application's check; OnHold; NotEnded.
    """
    Check.everything.only("id").get(pk=check_id, application_id=application_id)
    report = erase_checks(check_ids=[check_id], parts=EVERYTHING, by=by, reason=reason)
    if report.on_hold:
        raise OnHold("This check is on legal hold and cannot be erased.")
    if report.unfinished:
        raise NotEnded("The check is still in progress. Try again when it has ended.")
    return bool(report.erased)


def erase_checks(
    *, check_ids: Collection[UUID], parts: Collection[ErasablePart], by: str, reason: str
) -> ErasureReport:
    """Erase these parts of these checks, each with an entry in the trail; safe to repeat.

    Checks on hold or not ended are unchanged and reported.
    """
    if TrendPending.objects.filter(check_id__in=check_ids).exists():
        # The trends keep the counts of what they have read, so they read it before it is deleted.
        count_waiting(wait=True)
    erasable = EVERYTHING if ErasablePart.INPUT in parts else frozenset(parts)
    with transaction.atomic():
        rows = Check.everything.select_for_update().filter(pk__in=check_ids).order_by("pk")
        rows = rows.annotate(
            is_held=held_checks(),
            is_waiting=Exists(TrendPending.objects.filter(check_id=OuterRef("pk"))),
        )
        outcome, to_erase = ErasureReport(), dict[UUID, tuple[Check, list[ErasablePart]]]()
        for check in rows.defer(*_TEXTS):
            remaining_parts = [
                part
                for part in ErasablePart
                if part in erasable and getattr(check, f"{part}_erased_at") is None
            ]
            if not remaining_parts:
                continue
            if check.is_held:
                outcome.on_hold.append(check.pk)
            elif check.state not in ENDED or check.is_waiting:
                outcome.unfinished.append(check.pk)
            else:
                to_erase[check.pk] = (check, remaining_parts)
        outcome.erased = list(to_erase)
        if to_erase:
            _carry_out(list(to_erase.values()), by, reason)
        return outcome


def held_checks() -> Q:
    """Return the condition for checks under a legal hold of their own or their application's."""
    holds = LegalHold.objects.filter(lifted_at=None, application=OuterRef("application"))
    about = Q(check_record=None) | Q(check_record=OuterRef("pk"))
    return Q(Exists(holds.filter(about)))


def _carry_out(to_erase: Sequence[tuple[Check, list[ErasablePart]]], by: str, reason: str) -> None:
    append_all(
        [
            entry(
                Event.CHECK_ERASED,
                subject=check,
                by=by,
                parts=[str(part) for part in parts],
                reason=reason,
            )
            for check, parts in to_erase
        ]
    )
    by_part = defaultdict[ErasablePart, list[UUID]](list)
    together = defaultdict[tuple[ErasablePart, ...], list[UUID]](list)
    for check, parts in to_erase:
        together[tuple(parts)].append(check.pk)
        for part in parts:
            by_part[part].append(check.pk)
    with open_erasure():
        for part, erase in _ERASE.items():
            if ids := by_part[part]:
                erase(ids, by, reason)
        # One statement for all parts: each statement rewrites the row and its index entries.
        for same, ids in together.items():
            marks = {f"{part}_erased_at": Now() for part in same}
            empty_texts = _EMPTY if ErasablePart.INPUT in same else {}
            Check.everything.filter(pk__in=ids).update(**marks, **empty_texts)


@contextmanager
def open_erasure() -> Iterator[None]:
    """Let the triggers allow an erasure recorded in the trail, until the block ends."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL watchdog.erasure = 'on'")
        yield
        cursor.execute("SET LOCAL watchdog.erasure = 'off'")


def _erase_results(ids: Sequence[UUID], by: str, reason: str) -> None:
    """Delete claims, measurement and decision, and the reviews that are still open."""
    of_check = Review.objects.filter(check_record__in=ids)
    ClaimVerdict.objects.filter(review__in=of_check).delete()
    awaiting = HeldAnswer.objects.filter(check_record__in=ids, state=HoldState.AWAITING)
    awaiting.update(state=HoldState.EXPIRED, settled_at=Now())
    of_check.filter(decision=None).delete()
    Claim.objects.filter(annotated_answer__in=ids).delete()
    AnnotatedAnswer.objects.filter(pk__in=ids).delete()


def _erase_reviews(ids: Sequence[UUID], by: str, reason: str) -> None:
    """Erase what reviewers and end users wrote; who decided how stays."""
    of_check = Review.objects.filter(check_record__in=ids)
    of_check.filter(decision__isnull=False).exclude(note="", corrected_text="").update(
        note="", corrected_text=""
    )
    _erase_notices(ids, ["final_response"])  # perhaps a reviewer's words
    ReviewDraft.objects.filter(review__in=of_check).delete()
    ReviewSkip.objects.filter(review__in=of_check).delete()
    Feedback.objects.filter(check_record__in=ids).exclude(comment="").update(comment="")


def _erase_inputs(ids: Sequence[UUID], by: str, reason: str) -> None:
    """Delete what was derived from the texts, for search and topics and in packages above."""
    CheckSearch.objects.filter(pk__in=ids).delete()
    CheckEmbedding.objects.filter(pk__in=ids).delete()
    # A topic quotes one of its questions, so it is deleted; the next hourly run rebuilds topics.
    Topic.objects.filter(members__check_record__in=ids).delete()
    _erase_notices(ids, ["metadata", "final_response"])
    for eraser in _erasers:
        eraser(ids, by, reason)


def _erase_notices(ids: Sequence[UUID], members: list[str]) -> None:
    """Remove these members of what was sent, or waits to be sent, to webhooks."""
    checks = Check.objects.filter(pk__in=ids).only("application_id", "epoch")
    keys = [
        key
        for check in checks
        for key in (
            f"{EventKind.CHECK_DONE}:{check.pk}",
            *(f"{EventKind.CHECK_FAILED}:{check.pk}:{n}" for n in range(check.epoch + 1)),
            *(f"{EventKind.CHECK_RELEASED}:{check.pk}:{state}" for state in HoldState),
        )
    ]
    applications = {check.application_id for check in checks}
    without = Func(
        F("data"),
        Value(members, ArrayField(TextField())),
        template="%(expressions)s",
        arg_joiner=" - ",
        output_field=JSONField(),
    )
    Notification.objects.filter(
        subscription__in=Subscription.objects.filter(application__in=applications), key__in=keys
    ).update(data=without)


_ERASE: dict[ErasablePart, Eraser] = {
    ErasablePart.RESULT: _erase_results,
    ErasablePart.REVIEWS: _erase_reviews,
    ErasablePart.INPUT: _erase_inputs,
}
"""In this order: what quotes the input goes before it."""


# Legal holds: placed and lifted by people, with an entry in the trail each.


@transaction.atomic
def place_hold(
    *, application: Application, check: Check | None = None, reason: str, by: str
) -> LegalHold:
    """Forbid erasing a check or a whole application; return the existing hold if there is one."""
    hold, is_new = LegalHold.objects.get_or_create(
        application=application,
        check_record=check,
        lifted_at=None,
        defaults={"reason": reason, "placed_by": by},
    )
    if is_new:
        _note(Event.HOLD_PLACED, hold, by, reason)
    return hold


@transaction.atomic
def lift_hold(hold: LegalHold, *, by: str) -> bool:
    """Allow erasure again; return False if the hold was already lifted."""
    changed = LegalHold.objects.filter(pk=hold.pk, lifted_at=None).update(
        lifted_at=Now(), lifted_by=by
    )
    if changed:
        _note(Event.HOLD_LIFTED, hold, by, "")
    return bool(changed)


def _note(event: Event, hold: LegalHold, by: str, reason: str) -> None:
    append(
        event,
        subject=hold,
        by=by,
        check=hold.check_record_id and str(hold.check_record_id),
        reason=reason,
    )
