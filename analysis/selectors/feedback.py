"""What end users said of checks."""

from analysis.models import Check, Feedback

MOST_SHOWN = 20


def comments_on(check: Check) -> list[Feedback]:
    """The latest words on a check, those with a comment; newest first."""
    feedback = Feedback.objects.filter(check_record=check).exclude(comment="")
    return list(feedback.order_by("-changed_at", "-id")[:MOST_SHOWN])
