"""What the pages of the review desk read, each with the columns and joins it needs.

Who may see, be offered or decide a review is settled here; pages, API and services ask.
"""

from uuid import UUID

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Left, Now

from accounts import access
from accounts.access import Person
from analysis.models import Check, Claim, Review, ReviewDecision, ReviewSkip, ReviewStage
from audit.models import TrailEntry

EXCERPT = 90
REVIEWERS_DECISIONS = (
    ReviewDecision.CONFIRMED,
    ReviewDecision.OVERTURNED,
    ReviewDecision.ESCALATED,
)
_NO_TEXT = (
    "query", "answer", "sources", "collections", "scope", "metadata", "samples", "token_logprobs",
)  # fmt: skip


def check_rows(checks: QuerySet[Check]) -> QuerySet[Check]:
    """Checks as lines of a list: no texts but the question's beginning, claims counted."""
    claims = Claim.objects.filter(annotated_answer=OuterRef("pk")).order_by()
    counted = claims.values("annotated_answer").annotate(n=Count("pk")).values("n")
    return (
        checks.defer(*_NO_TEXT)
        .select_related("application")
        .annotate(
            question=Left("query", EXCERPT + 1),
            claims_total=Coalesce(Subquery(counted, output_field=IntegerField()), 0),
        )
    )


def review_rows(reviews: QuerySet[Review]) -> QuerySet[Review]:
    """Reviews as lines of a list, with the outcome of their checks."""
    return (
        reviews.select_related(
            "application", "decided_by", "claimed_by", "assigned_to", "check_record"
        )
        .defer(*(f"check_record__{name}" for name in _NO_TEXT))
        .annotate(question=Left("check_record__query", EXCERPT + 1))
    )


def seen(user: Person) -> QuerySet[Review]:
    """The reviews of the applications that this person may see; an auditor's too.

    A second review is blind: while it is open, who could decide it does not read the first.
    """
    second = Review.objects.filter(
        check_record=OuterRef("check_record"), stage=ReviewStage.SECOND, decision=None
    )
    ours = Q(application__in=access.deciding_in(user).order_by().values("pk"))
    hidden = ours & Q(Exists(second), decision__isnull=False) & ~Q(decided_by=user.pk)
    return access.visible(Review.objects.exclude(hidden), user)


def decidable(user: Person) -> QuerySet[Review]:
    """The reviews that this person may decide by role, stage and what they decided before.

    Adjudication is a lead's, and nobody judges a check again that they have judged already.
    """
    ours = Q(application__in=access.deciding_in(user).order_by().values("pk"))
    leads = Q(application__in=access.leading(user).order_by().values("pk"))
    own = Review.objects.filter(
        check_record=OuterRef("check_record"),
        decided_by=user.pk,
        decision__in=REVIEWERS_DECISIONS,
    ).exclude(pk=OuterRef("pk"))
    by_stage = Q(stage=ReviewStage.FIRST) | ~Exists(own)
    by_role = ~Q(stage=ReviewStage.ADJUDICATION) | leads
    return Review.objects.filter(ours & by_role & by_stage)


def offered(
    user: Person, *, application_id: UUID | None = None, reason: str = ""
) -> QuerySet[Review]:
    """What "next" may give this person, the most urgent first.

    Open, held by nobody, not snoozed, not assigned to somebody else, not skipped by them.
    """
    skipped = ReviewSkip.objects.filter(review=OuterRef("pk"), skipped_by=user.pk)
    waiting = decidable(user).filter(
        Q(claimed_by=None) | Q(lease_until__lt=Now()),
        Q(snoozed_until=None) | Q(snoozed_until__lt=Now()),
        Q(assigned_to=None) | Q(assigned_to=user.pk),
        ~Exists(skipped),
        decision=None,
    )
    if application_id is not None:
        waiting = waiting.filter(application_id=application_id)
    if reason:
        waiting = waiting.filter(reason=reason)
    return waiting.order_by("rank_at", "id")


def held_by(user: Person) -> Review | None:
    """The open review that this person holds, the one claimed last."""
    held = decidable(user).filter(claimed_by=user.pk, decision=None, lease_until__gte=Now())
    return held.order_by("-lease_until").first()


def trail_of(check: Check) -> list[TrailEntry]:
    """What happened to a check, oldest first."""
    entries = TrailEntry.objects.filter(subject_type="check", subject_id=str(check.pk))
    return list(entries.order_by("id"))


def reviews_of(check: Check, user: Person) -> list[Review]:
    """The reviews of a check that this person may read, newest first; at most one is open."""
    found = seen(user).filter(check_record=check).select_related("decided_by", "claimed_by")
    return list(found.order_by("-id"))
