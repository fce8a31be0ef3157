"""Uncovered topics of a period: the number of questions in each, out of all that found nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from analysis.models import CountedCheck, Topic, TopicMember, TopicRun
from analysis.trends.metrics import Dimension
from desk.reviews.figures.dashboard_filter import DashboardFilter

MOST = 50
_COLUMNS = {
    Dimension.SOURCE_MODEL: "source_model",
    Dimension.POLICY: "policy",
    Dimension.COLLECTION: "collections__contains",
}


@dataclass(frozen=True, slots=True)
class UncoveredTopic:
    """A topic with the number of its questions in this and the previous period."""

    topic_id: int
    application_id: UUID
    words: list[str]
    example: str
    questions: int
    before: int


def uncovered(filters: DashboardFilter) -> list[UncoveredTopic]:
    """Return the topics with questions in the period, the largest first, at most MOST."""
    now = Q(created_at__gte=filters.span.start)
    within = Q(topic__application__in=list(filters.applications))
    if filters.part:
        within &= _conditions(filters, "check_record__counted__")
    members = TopicMember.objects.filter(
        within, created_at__gte=filters.before.span.start, created_at__lt=filters.span.end
    )
    rows = (
        members.order_by()
        .values_list("topic_id")
        .annotate(
            questions=Count("pk", filter=now),
            earlier=Count("pk", filter=~now),
        )
        .filter(questions__gt=0)
        .order_by("-questions", "topic_id")[:MOST]
    )
    topic_counts = list(rows)
    # Named apart: grouping by words and examples took most of the time.
    topics = Topic.objects.in_bulk([topic_id for topic_id, *_ in topic_counts])
    ranking = []
    for topic_id, questions, before in topic_counts:
        topic = topics[topic_id]
        ranking.append(
            UncoveredTopic(
                topic_id, topic.application_id, topic.words, topic.example, questions, before
            )
        )
    return ranking


def nothing_found(filters: DashboardFilter) -> int:
    """Return how many questions were rejected because nothing was found, in a topic or not."""
    span = filters.span
    return CountedCheck.objects.filter(
        _conditions(filters), nothing_found=True,
        created_at__gte=span.start, created_at__lt=span.end,
    ).count()  # fmt: skip


def _conditions(filters: DashboardFilter, path: str = "") -> Q:
    """Return the filters as a condition on counted checks, reached through `path`."""
    condition, part = Q((f"{path}application__in", list(filters.applications))), filters.part
    if part is None:
        return condition
    value: Any = [part.value] if part.dimension is Dimension.COLLECTION else part.value
    return condition & Q((path + _COLUMNS[part.dimension], value))


def runs(applications: Sequence[UUID]) -> list[TopicRun]:
    """Return the topic computations of these applications, the earliest first."""
    return list(TopicRun.objects.filter(application__in=applications).order_by("made_at"))
