"""The indexed words of questions and answers, for the search of the desk."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from analysis.models.check import Check

DIMENSIONS = 384


class CheckSearch(models.Model):
    """The words of one check with their positions, and marks for the filters of the list.

    Stored apart from the check, whose row is rewritten with each change of state, and written later
    (`analysis.services.searching`), so that no submission waits for an index.
    """

    check_record = models.OneToOneField(
        Check, primary_key=True, on_delete=models.PROTECT, related_name="search"
    )
    vector = SearchVectorField()

    class Meta:
        indexes = [GinIndex(fields=["vector"], name="check_search_words")]


class SearchReach(models.Model):
    """The last trail entry up to which checks are searchable. One row."""

    entry_id = models.BigIntegerField(default=0)


class CheckEmbedding(models.Model):
    """Vectors of length 1, written with the check's result; a narrow table, cheap to scan.

    `model` names the model and its quantisation; only vectors of the same model compare. `query` is
    null if no question was asked. `truncated`: the model read only part of a text. If there are no
    vectors, `reason` says why.
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
            )
        ]
