"""Uncovered topics: rejected questions for which nothing was found, put together by likeness."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from accounts.models import Application
from analysis.models.check import Check


class TopicRun(models.Model):
    """When an application's topics were made last, and of how many questions since when."""

    application = models.OneToOneField(
        Application, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    made_at = models.DateTimeField(db_default=Now())
    since = models.DateTimeField()
    questions = models.PositiveIntegerField()
    all_read = models.BooleanField()

    def __str__(self) -> str:
        return f"topics of {self.application_id}"


class Topic(models.Model):
    """Questions that are alike, named by the words that set them apart from the others.

    `example` is the question nearest to the middle. A topic keeps its id from one run to the next
    as long as most of its questions stay together.
    """

    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="+")
    words = ArrayField(models.CharField(max_length=60))
    example = models.TextField()
    made_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return ", ".join(self.words)


class TopicMember(models.Model):
    """A question of a topic; in one topic at most. `created_at` is the check's."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="members")
    check_record = models.OneToOneField(Check, on_delete=models.PROTECT, related_name="topic")
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.check_record_id} in {self.topic_id}"
