"""Celery tasks of the assistant; each is safe to run twice."""

from uuid import UUID

from celery import shared_task
from django.conf import settings

from assistant.services import answering, life


@shared_task(name="assistant.tasks.answer_turn", time_limit=settings.ASSISTANT_TIME_LIMIT_SECONDS)
def answer_turn(turn_id: str) -> None:
    """Answer one question."""
    answering.answer(UUID(turn_id))


@shared_task(name="assistant.tasks.sweep")
def sweep() -> None:
    """Ring again for overdue questions."""
    life.sweep()
