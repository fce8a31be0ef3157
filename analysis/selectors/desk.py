"""What the pages of the review desk read, each with the columns and joins it needs."""

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Left

from analysis.models import Check, Claim, Review
from audit.models import TrailEntry

EXCERPT = 90
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
        reviews.select_related("application", "decided_by", "check_record")
        .defer(*(f"check_record__{name}" for name in _NO_TEXT))
        .annotate(question=Left("check_record__query", EXCERPT + 1))
    )


def trail_of(check: Check) -> list[TrailEntry]:
    """What happened to a check, oldest first."""
    entries = TrailEntry.objects.filter(subject_type="check", subject_id=str(check.pk))
    return list(entries.order_by("id"))


def reviews_of(check: Check) -> list[Review]:
    """All reviews of a check, newest first; at most one is open."""
    return list(
        Review.objects.filter(check_record=check).select_related("decided_by").order_by("-id")
    )
