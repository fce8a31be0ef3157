"""Reviewed checks as rows for `manage.py evaluate`: reviewers' labels beside decisions."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from analysis.engine.types import Action, ClaimStatus
from analysis.models import Check, CheckState, ClaimVerdict, Review, ReviewDecision
from desk.reviews.selectors.decision_counts import SETTLED

Row = dict[str, Any]
_AT_ONCE = 200


def is_unsafe(action: Action, decision: str) -> bool:
    """Return whether an answer should not be accepted: a confirmed flag or an overturned ALLOW."""
    return (action is not Action.ALLOW) == (decision == ReviewDecision.CONFIRMED)


def settling_reviews(
    checks: QuerySet[Check],
    *,
    applications: list[UUID] | None = None,
    since: datetime | None = None,
) -> QuerySet[Review]:
    """Return the last decision on each of `checks`, oldest first; none with an open review."""
    later = Review.objects.filter(check_record=OuterRef("check_record"), id__gt=OuterRef("id"))
    open_reviews = Review.objects.filter(check_record=OuterRef("check_record"), decision=None)
    reviews = Review.objects.filter(
        ~Exists(open_reviews),
        ~Exists(later.filter(decision__in=SETTLED)),
        check_record__in=checks,
        check_record__state=CheckState.DONE,
        check_record__result_erased_at=None,
        decision__in=SETTLED,
    )
    if applications is not None:
        reviews = reviews.filter(application__in=applications)
    if since is not None:
        reviews = reviews.filter(decided_at__gte=since)
    return reviews.order_by("id")


def reviewed_rows(reviews: QuerySet[Review]) -> Iterator[Row]:
    """Yield a row for each review, with label 1 if the answer is bad."""
    verdicts = Prefetch("claim_verdicts", ClaimVerdict.objects.select_related("claim"))
    rows = reviews.select_related(
        "application", "check_record__annotated_answer__policy"
    ).prefetch_related(verdicts)
    for review in rows.iterator(chunk_size=_AT_ONCE):
        yield _row(review)


def _row(review: Review) -> Row:
    check = review.check_record
    answer = check.annotated_answer
    label = is_unsafe(Action(str(check.action)), str(review.decision))
    return {
        "id": str(check.pk),
        "query": check.query,
        "context": _context(check, answer.measurement),
        "response": check.answer,
        "label": int(label),
        "spans": _spans(review) if label else [],
        "dataset": f"reviewed:{review.application.slug}",
        "task": review.reason,
        "meta": {
            "action": check.action,
            "risk_score": check.risk_score,
            "decision": review.decision,
            "stage": review.stage,
            "reason_codes": review.reason_codes,
            "corrected_text": review.corrected_text,
            "policy_version": answer.policy.version,
            "engine_version": answer.engine_version,
            "source_model": check.source_model,
            "sampled": check.sampled,
            "sampling_probability": check.sampling_probability,
            "seeded": check.is_probe,
        },
    }


def _context(check: Check, measurement: Row) -> list[Any] | None:
    """Return the sources that the answer was compared with: sent ones and retrieved passages."""
    if not check.collections:
        return None if check.sources is None else list(check.sources)
    documents = measurement.get("documents", [])
    return [{"id": d["doc_id"], "title": d["title"], "text": d["text"]} for d in documents]


def _spans(review: Review) -> list[list[int]]:
    """Return the code points of the claims that the reviewer judged unsupported."""
    wrong = [v.claim for v in review.claim_verdicts.all() if v.status != ClaimStatus.SUPPORTED]
    return sorted([claim.start, claim.end] for claim in wrong)
