"""Recomputes the uncovered topics of each application from the questions of recent weeks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Application
from analysis.models import CheckEmbedding, CountedCheck, Topic, TopicMember, TopicRun
from desk.dashboard.trends.topics import QuestionGroup, groups, kept_ids, names

DAYS = 90
MOST = 5_000
"""Questions of one application, the newest; comparing each with each grows with their square."""
_EXAMPLE = 300
_LOCK = 0x746F70696373
"""The advisory lock held while topics are made, until the transaction ends ("topics")."""


@dataclass(frozen=True, slots=True)
class _Question:
    check_id: UUID
    created_at: datetime
    text: str
    vector: Any


def make_topics() -> int:
    """Recompute the topics of every application; return how many topics there are."""
    now = timezone.now()
    return sum(
        make_topics_of(application, now=now) for application in Application.objects.order_by("pk")
    )


@transaction.atomic
def make_topics_of(application: Application, *, now: datetime) -> int:
    """Recompute one application's topics of the last DAYS; return 0 if another process does so."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
        if not cursor.fetchone()[0]:
            return 0
    since = now - timedelta(days=DAYS)
    questions = _questions(application, since)
    texts = [question.text for question in questions]
    question_groups = groups(_matrix(questions))
    _replace(application, questions, question_groups, names(question_groups, texts))
    TopicRun.objects.update_or_create(
        application=application,
        defaults={
            "made_at": now,
            "since": since,
            "questions": len(questions),
            "all_read": len(questions) < MOST,
        },
    )
    return len(question_groups)


def _questions(application: Application, since: datetime) -> list[_Question]:
    """Return the newest questions that have a vector of the newest one's model."""
    uncovered = CountedCheck.objects.filter(
        application=application, nothing_found=True, created_at__gte=since
    ).order_by("-created_at")
    newest = list(uncovered.values_list("pk", flat=True)[:MOST])
    rows = (
        CheckEmbedding.objects.filter(check_record__in=newest, query__isnull=False)
        .order_by("-check_record")
        .values_list(
            "check_record_id",
            "check_record__counted__created_at",
            "check_record__query",
            "query",
            "model",
        )
    )
    embeddings: list[tuple[Any, ...]] = list(rows)
    model = embeddings[0][-1] if embeddings else ""
    return [_Question(*values) for *values, made_by in embeddings if made_by == model]


def _matrix(questions: Sequence[_Question]) -> Any:
    if not questions:
        return np.zeros((0, 1), dtype=np.float32)
    return np.asarray([question.vector for question in questions], dtype=np.float32)


def _replace(
    application: Application,
    questions: Sequence[_Question],
    groups: Sequence[QuestionGroup],
    topic_words: Sequence[tuple[str, ...]],
) -> None:
    """Write the topics; one that continues keeps its id and thus its URL."""
    questions_by_group = [[questions[at] for at in group] for group in groups]
    members = [[item.check_id for item in some] for some in questions_by_group]
    topic_members = TopicMember.objects.filter(topic__application=application)
    before = dict(topic_members.values_list("check_record_id", "topic_id"))
    topic_ids = kept_ids(members, before)
    topic_members.delete()
    Topic.objects.filter(application=application).exclude(
        pk__in=[k for k in topic_ids if k]
    ).delete()
    for some, words, pk in zip(questions_by_group, topic_words, topic_ids, strict=True):
        example = some[0].text[:_EXAMPLE]
        topic = Topic(pk=pk, application=application, words=list(words), example=example)
        topic.save(force_insert=pk is None, force_update=pk is not None)
        TopicMember.objects.bulk_create(
            TopicMember(topic=topic, check_record_id=item.check_id, created_at=item.created_at)
            for item in some
        )
