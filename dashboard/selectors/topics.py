"""Uncovered topics in a period: how many questions each has, of all for which nothing was found."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet

from analysis.models import CountedCheck, Topic, TopicMember, TopicRun
from analysis.trends.metrics import Dimension

MOST = 50


@dataclass(frozen=True, slots=True)
class UncoveredTopic:
    """One topic, with its questions in a period and in the one before, and the latest of them."""

    topic_id: int
    application_id: UUID
    words: list[str]
    example: str
    questions: int
    before: int
    latest: datetime | None


@dataclass(frozen=True, slots=True)
class TopicFilter:
    """Which questions: of applications, and of one value of a dimension where one is given."""

    applications: Sequence[UUID]
    dimension: Dimension = Dimension.ALL
    value: str = ""

    def conditions(self, path: str = "") -> Q:
        """As a condition on counted checks, which `path` leads to."""
        names = {
            Dimension.SOURCE_MODEL: "source_model",
            Dimension.POLICY: "policy",
            Dimension.COLLECTION: "collections__contains",
        }
        condition = Q((f"{path}application__in", list(self.applications)))
        if self.dimension not in names:
            return condition
        value: Any = [self.value] if self.dimension is Dimension.COLLECTION else self.value
        return condition & Q((path + names[self.dimension], value))


def uncovered(
    narrowed: TopicFilter, *, before: datetime, start: datetime, end: datetime
) -> list[UncoveredTopic]:
    """The topics with questions in [start, end), the largest first, at most MOST."""
    now = Q(created_at__gte=start)
    within = Q(topic__application__in=list(narrowed.applications))
    if narrowed.dimension is not Dimension.ALL:
        within &= narrowed.conditions("check_record__counted__")
    rows = (
        TopicMember.objects.filter(within, created_at__gte=before, created_at__lt=end)
        .order_by()
        .values_list("topic_id")
        .annotate(
            questions=Count("pk", filter=now),
            earlier=Count("pk", filter=~now),
            latest=Max("created_at", filter=now),
        )
        .filter(questions__gt=0)
        .order_by("-questions", "topic_id")[:MOST]
    )
    topic_counts = list(rows)
    # Named apart: grouping by words and examples took most of the time.
    topics = Topic.objects.in_bulk([topic_id for topic_id, *_ in topic_counts])
    return [_uncovered(topics[topic_id], *counts) for topic_id, *counts in topic_counts]


def _uncovered(
    topic: Topic, questions: int, before: int, latest: datetime | None
) -> UncoveredTopic:
    return UncoveredTopic(
        topic.pk, topic.application_id, topic.words, topic.example, questions, before, latest
    )


def nothing_found(
    narrowed: TopicFilter, *, start: datetime, end: datetime
) -> QuerySet[CountedCheck]:
    """All rejected questions of [start, end) for which nothing was found, in a topic or not."""
    return CountedCheck.objects.filter(
        narrowed.conditions(), nothing_found=True, created_at__gte=start, created_at__lt=end
    )


def runs(applications: Sequence[UUID]) -> list[TopicRun]:
    """When the topics of these applications were made, the earliest first."""
    return list(TopicRun.objects.filter(application__in=applications).order_by("made_at"))
