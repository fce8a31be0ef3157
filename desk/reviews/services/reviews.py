"""Decides reviews, opens the second opinions that follow, and undoes within a minute."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from random import SystemRandom

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, F, When
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from analysis.engine.types import ClaimStatus
from analysis.models import (
    AnnotatedAnswer,
    Check,
    Claim,
    ClaimVerdict,
    ReasonCode,
    Review,
    ReviewDecision,
    ReviewDraft,
    ReviewReason,
    ReviewStage,
)
from analysis.records.document import text_hash
from analysis.services.due import due_at
from analysis.services.release import settle_by
from audit.models import Event
from desk.reviews.selectors.desk import REVIEWERS_DECISIONS, decisions_on, just_decided
from desk.reviews.services.alerts import (
    notify_adjudication,
    notify_decision,
    withdraw_adjudications,
    withdraw_decision,
)
from desk.reviews.services.conflicts import conflict, require_decidable
from desk.reviews.services.queue import LEASE, free_row, note_event

MAX_NOTE, MAX_CORRECTED = 5_000, 200_000
AGREE = "agree"
_random = SystemRandom()


class UnfitDecision(ValueError):
    """Raised for an invalid decision; `field` says where it is wrong."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field, self.why = field, why


class TooLate(Exception):
    """Raised if the minute is over or somebody has built on the decision."""


@dataclass(frozen=True, slots=True)
class Words:
    """A reviewer's words beside the decision.

    `claims` maps claim ids to "agree" or to the status that the reviewer considers right.
    `evidence_seconds` is how long they had the evidence before them, where a page has counted it.
    """

    note: str = ""
    reason_codes: Sequence[str] = ()
    corrected_text: str = ""
    claims: Mapping[str, str] = field(default_factory=dict)
    evidence_seconds: int | None = None


@transaction.atomic
def decide_review(
    *,
    review: Review,
    decision: ReviewDecision,
    by: User,
    note: str = "",
    words: Words | None = None,
    version: int | None = None,
    via: str = "desk",
) -> Review | None:
    """Decide an open review; return the follow-up review, if any.

    `version` is the one that the reviewer read. Raises UnfitDecision, NotYours and ReviewConflict;
    then nothing was changed.
    """
    statement = words or Words(note=note)
    require_fit(decision, statement)
    if decision not in (choices := decisions_on(review)):
        names = ", ".join(str(choice.label) for choice in choices)
        raise UnfitDecision("decision", _("This review is decided by one of: %s.") % names)
    require_decidable(review, by)
    if not free_row(review, by, version).update(
        decision=decision,
        decided_by=by,
        decided_at=Now(),
        note=statement.note,
        reason_codes=sorted(set(statement.reason_codes)),
        corrected_text=statement.corrected_text,
        # Of another's lease that ran out nothing is known of this person's time.
        work_began_at=Case(When(claimed_by=by, then=F("work_began_at"))),
        opinion=Case(When(claimed_by=by, then=F("opinion"))),
        evidence_seconds=statement.evidence_seconds,
        claimed_by=None,
        lease_until=None,
        snoozed_until=None,
        version=F("version") + 1,
    ):
        raise conflict(review, by, version)
    _judge_claims(review, statement.claims)
    ReviewDraft.objects.filter(review=review, written_by=by).delete()
    data = _decision_data(review, decision, statement)
    note_event(Event.REVIEW_DECIDED, review, by, **data, via=via)
    if Check.everything.filter(pk=review.check_record_id, is_probe=True).exists():
        return None  # a seeded case: no client's answer, and the right decision on it is known
    notify_decision(review=review, decision=decision, by=by, reason_codes=statement.reason_codes)
    follow_up = _follow_up(review, decision, statement.corrected_text)
    if review.reason == ReviewReason.HELD and follow_up is None:
        settle_by(review, decision, statement.corrected_text, by.get_username())
    return follow_up


@transaction.atomic
def undo_decision(*, review: Review, by: User, via: str = "desk") -> Review:
    """Undo one's own decision within a minute; its content becomes the draft again.

    Raises TooLate after that, if somebody has already built on the decision, and for a held answer,
    which is on its way.
    """
    row = just_decided(by).select_for_update().filter(pk=review.pk).first()
    later = Review.objects.select_for_update().filter(
        check_record=review.check_record_id, id__gt=review.pk
    )
    if row is None or any(r.decision or r.claimed_by_id for r in later):
        raise TooLate(
            _("A decision can be undone only for a minute, and only until a further review begins.")
        )
    withdraw_adjudications(application_id=review.application_id, review_ids=[r.pk for r in later])
    later.delete()
    withdraw_decision(row)
    _keep_as_draft(row, by)
    _reopen(review, by)
    ClaimVerdict.objects.filter(review=review).delete()
    note_event(Event.REVIEW_UNDONE, review, by, decision=row.decision, via=via)
    review.refresh_from_db()
    return review


def _reopen(review: Review, by: User) -> None:
    """Restore the review's state before the decision, held by its reviewer."""
    Review.objects.filter(pk=review.pk).update(
        decision=None,
        decided_by=None,
        decided_at=None,
        note="",
        reason_codes=[],
        corrected_text="",
        evidence_seconds=None,
        claimed_by=by,
        lease_until=Now() + LEASE,
        version=F("version") + 1,
    )


def require_fit(decision: ReviewDecision, words: Words) -> None:
    """Raise UnfitDecision for a decision that is invalid for any review."""
    if decision not in REVIEWERS_DECISIONS:
        raise UnfitDecision("decision", f"not a reviewer's decision: {decision}")
    if len(words.note) > MAX_NOTE:
        raise UnfitDecision("note", _("At most %d characters.") % MAX_NOTE)
    if len(words.corrected_text) > MAX_CORRECTED:
        raise UnfitDecision("corrected_text", _("At most %d characters.") % MAX_CORRECTED)
    agrees = decision in (ReviewDecision.CONFIRMED, ReviewDecision.APPROVED)
    if not agrees and not (words.note.strip() or words.reason_codes):
        raise UnfitDecision(
            "reason_codes", _("Choose a reason or write a note, so that others can see why.")
        )
    valid_codes = ReasonCode.objects.filter(
        code__in=words.reason_codes, is_active=True, decision__in=("", decision)
    ).values_list("code", flat=True)
    if words.reason_codes and (unknown := set(words.reason_codes) - set(valid_codes)):
        raise UnfitDecision(
            "reason_codes", _("Not a reason for this decision: %s.") % ", ".join(sorted(unknown))
        )


def _judge_claims(review: Review, verdicts: Mapping[str, str]) -> None:
    """Store verdicts on single claims. Raises UnfitDecision for an unknown claim or status."""
    if not verdicts:
        return
    claims = Claim.objects.filter(annotated_answer=review.check_record_id, claim_id__in=verdicts)
    claims_by_id = {claim.claim_id: claim for claim in claims.only("claim_id", "status")}
    if unknown := set(verdicts) - set(claims_by_id):
        raise UnfitDecision("claims", _("The answer has no claim %s.") % ", ".join(sorted(unknown)))
    statuses = {AGREE, *(str(status) for status in ClaimStatus)}
    if strange := set(verdicts.values()) - statuses:
        raise UnfitDecision("claims", _("Unknown status: %s.") % ", ".join(sorted(strange)))
    ClaimVerdict.objects.bulk_create(
        ClaimVerdict(
            review=review,
            claim=claims_by_id[claim_id],
            status=claims_by_id[claim_id].status if status == AGREE else status,
            agrees=status in (AGREE, claims_by_id[claim_id].status),
        )
        for claim_id, status in verdicts.items()
    )


def _follow_up(review: Review, decision: ReviewDecision, corrected_text: str) -> Review | None:
    """Open and return the further review that this decision requires, if any.

    On a held answer it is due when the client was told that the answer comes.
    """
    stage = _next_stage(review, decision, corrected_text)
    if stage is None:
        return None
    application, is_held = review.application, review.reason == ReviewReason.HELD
    further_review = Review.objects.create(
        check_record_id=review.check_record_id,
        application=application,
        reason=review.reason,
        stage=stage,
        risk=review.risk,
        rank_at=Now() - timedelta(minutes=Review.MINUTES_A_POINT * review.risk),
        due_at=review.due_at if is_held else due_at(application, review.reason),
    )
    if stage is ReviewStage.ADJUDICATION:
        notify_adjudication(review=further_review, after=review, decision=decision)
    return further_review


def _next_stage(
    review: Review, decision: ReviewDecision, corrected_text: str
) -> ReviewStage | None:
    if review.stage == ReviewStage.ADJUDICATION:
        return None
    if decision is ReviewDecision.ESCALATED:
        return ReviewStage.ADJUDICATION
    if review.stage == ReviewStage.SECOND:
        earlier = Review.objects.filter(
            check_record=review.check_record_id, stage=ReviewStage.FIRST, id__lt=review.pk
        ).exclude(decision=ReviewDecision.REPLAYED)
        first = earlier.order_by("-id").values_list("decision", "corrected_text").first()
        if review.reason != ReviewReason.HELD:
            return None if first and first[0] == decision else ReviewStage.ADJUDICATION
        # Two people approve the same text, or a lead decides.
        return None if first == (decision, corrected_text) else ReviewStage.ADJUDICATION
    return ReviewStage.SECOND if _asks_for_a_second(review, decision) else None


def _asks_for_a_second(review: Review, decision: ReviewDecision) -> bool:
    if review.reason == ReviewReason.HELD:
        decided = AnnotatedAnswer.objects.filter(pk=review.check_record_id)
        four_eyes = decided.values_list("decision__hold__four_eyes", flat=True).get()
        return decision is ReviewDecision.APPROVED and bool(four_eyes)
    rules = review.application
    overturned_block = decision is ReviewDecision.OVERTURNED and review.reason == ReviewReason.BLOCK
    if rules.second_review_of_overturned_blocks and overturned_block:
        return True
    return _random.random() < rules.second_review_share


def _keep_as_draft(review: Review, by: User) -> None:
    claims = {
        verdict.claim.claim_id: AGREE if verdict.agrees else verdict.status
        for verdict in review.claim_verdicts.select_related("claim")
    }
    fields = {
        "decision": review.decision,
        "note": review.note,
        "reason_codes": review.reason_codes,
        "corrected_text": review.corrected_text,
        "claims": claims,
    }
    ReviewDraft.objects.update_or_create(review=review, written_by=by, defaults={"fields": fields})


def _decision_data(review: Review, decision: ReviewDecision, words: Words) -> dict[str, object]:
    """Return the data for the trail: digests, which show later changes, instead of content."""
    return {
        "decision": str(decision),
        "stage": review.stage,
        "reason_codes": sorted(set(words.reason_codes)),
        "claims": dict(words.claims),
        "note_sha256": text_hash(words.note),
        "corrected_sha256": text_hash(words.corrected_text),
    }
