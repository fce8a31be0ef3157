"""Embeddings of questions and answers, for neighbours and topics."""

from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from analysis.models.check import Check

DIMENSIONS = 384


class CheckEmbedding(models.Model):
    """Vectors of length 1, written with the check's result; narrow, so that a scan stays cheap.

    `model` names the model and its quantisation: vectors compare only under the same one. `query`
    is null where no question was asked. `truncated`: the model read a part of one text only.
    Where there are no vectors, `reason` says why.
    """

    check_record = models.OneToOneField(
        Check, primary_key=True, on_delete=models.PROTECT, related_name="embedding"
    )
    model = models.CharField(max_length=160, blank=True)
    query = HalfVectorField(dimensions=DIMENSIONS, null=True)
    answer = HalfVectorField(dimensions=DIMENSIONS, null=True)
    truncated = models.BooleanField(default=False)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=(Q(reason="", answer__isnull=False) & ~Q(model=""))
                | (
                    ~Q(reason="")
                    & Q(model="", query__isnull=True, answer__isnull=True, truncated=False)
                ),
                name="check_embedding_or_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"embedding of {self.check_record_id}"
