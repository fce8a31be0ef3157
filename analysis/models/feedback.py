"""The table of end users' feedback on answers."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import Application
from analysis.models.check import Check

MOST_COMMENT = 2_000


class Feedback(models.Model):
    """One end user's feedback on one check; a later one replaces the earlier one.

    `giver` is a digest of the end user's token, or of the API key if there was none: it
    distinguishes people without naming them.
    """

    check_record = models.ForeignKey(Check, on_delete=models.PROTECT, related_name="feedback")
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="feedback")
    giver = models.CharField(max_length=64)
    helpful = models.BooleanField()
    comment = models.CharField(max_length=MOST_COMMENT, blank=True, db_default="")
    given_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_default=Now())
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "feedback"
        constraints = [
            models.UniqueConstraint(
                fields=["check_record", "giver"], name="feedback_one_word_each"
            ),
            models.CheckConstraint(
                condition=Q(giver__regex=r"^[0-9a-f]{64}$"), name="feedback_giver_is_a_digest"
            ),
            models.CheckConstraint(condition=~Q(given_by=""), name="feedback_given_by_somebody"),
        ]

    def __str__(self) -> str:
        return f"feedback on {self.check_record_id}"
