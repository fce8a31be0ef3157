"""Celery tasks of the assistant; each is safe to run twice."""

from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from assistant.services import answering, briefings, lifecycle

BRIEFINGS_TIME_LIMIT = 120


@shared_task(name="assistant.tasks.answer_turn", time_limit=settings.ASSISTANT_TIME_LIMIT_SECONDS)
def answer_turn(turn_id: str) -> None:
    answering.answer(UUID(turn_id))


@shared_task(name="assistant.tasks.sweep")
def sweep() -> None:
    lifecycle.sweep()
    briefings.BRIEFING_MAILS.sweep()


@shared_task(name="assistant.tasks.brief_managers", time_limit=BRIEFINGS_TIME_LIMIT)
def brief_managers() -> None:
    briefings.start_due(timezone.now())
    briefings.send_answered()
