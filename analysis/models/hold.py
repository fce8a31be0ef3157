"""Legal holds: prevent erasure whatever a retention period or a request says."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Application
from analysis.models.check import Check


class LegalHold(models.Model):
    """A legal hold on one check, or on a whole application if `check_record` is null.

    It applies until it is lifted, and is never deleted. The trigger that guards erasure reads it.
    """

    application = models.ForeignKey(
        Application, on_delete=models.PROTECT, related_name="legal_holds"
    )
    check_record = models.ForeignKey(
        Check, null=True, blank=True, on_delete=models.PROTECT, related_name="legal_holds"
    )
    reason = models.CharField(max_length=500)
    placed_by = models.CharField(max_length=200, editable=False)
    placed_at = models.DateTimeField(db_default=Now(), editable=False)
    lifted_by = models.CharField(max_length=200, blank=True, db_default="", editable=False)
    lifted_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "check_record"],
                condition=Q(lifted_at__isnull=True),
                nulls_distinct=False,
                name="legal_hold_once",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="legal_hold_has_a_reason"),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True, lifted_by="")
                | (Q(lifted_at__isnull=False) & ~Q(lifted_by="")),
                name="legal_hold_lifted_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return gettext("hold on %s") % (self.check_record_id or self.application_id)

    def clean(self) -> None:
        """Require that a hold on a check belongs to the check's application."""
        check = self.check_record
        if check is not None and check.application_id != self.application_id:
            raise ValidationError({"check_record": _("This check belongs to another application.")})
