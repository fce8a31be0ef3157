"""The beat task that seals the trail."""

from celery import shared_task

from audit import seals


@shared_task(name="audit.tasks.seal_trail")
def seal_trail() -> None:
    """Seal settled entries. Safe to run twice."""
    seals.seal_trail()
