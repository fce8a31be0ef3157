"""The words of questions and answers, for the search of the desk."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models

from analysis.models.check import Check


class CheckSearch(models.Model):
    """The words of one check with their positions, and marks of what the list filters by.

    Apart from the check, whose row is written again with each move of the queue; and written
    behind it (`analysis.services.searching`), so that no submission waits for an index.
    """

    check_record = models.OneToOneField(
        Check, primary_key=True, on_delete=models.PROTECT, related_name="search"
    )
    vector = SearchVectorField()

    class Meta:
        indexes = [GinIndex(fields=["vector"], name="check_search_words")]

    def __str__(self) -> str:
        return f"words of {self.check_record_id}"


class SearchReach(models.Model):
    """How far checks are searchable: up to this entry of the trail. One row."""

    entry_id = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"up to entry {self.entry_id}"
