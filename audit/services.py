"""The one write path of the trail."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from audit.models import Event, TrailEntry


def entry(
    event: Event,
    *,
    subject: Any,
    by: str,
    application_id: UUID | None = None,
    **data: Any,
) -> TrailEntry:
    """Build (not save) the entry that tells of `event` on the model instance `subject`."""
    return TrailEntry(
        application_id=application_id,
        event=event,
        subject_type=subject._meta.model_name,
        subject_id=str(subject.pk),
        actor=by,
        data=data,
    )


def append(
    event: Event,
    *,
    subject: Any,
    by: str,
    application_id: UUID | None = None,
    **data: Any,
) -> None:
    """Append one entry, in the caller's transaction: both are kept or neither."""
    entry(event, subject=subject, by=by, application_id=application_id, **data).save(
        force_insert=True
    )


def append_all(entries: Sequence[TrailEntry]) -> None:
    """Append many entries in one statement."""
    TrailEntry.objects.bulk_create(entries)
