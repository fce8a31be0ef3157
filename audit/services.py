"""Writes to the trail from Python.

Two statements that run for every check write their entry themselves, so that check and entry are
one statement: `analysis/sql/submit_check.sql` and `analysis/sql/finish_check.sql`
(docs/decisions/0002-sql-on-the-hot-path.md).
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from audit.models import Event, TrailEntry


def entry(
    event: Event, *, subject: Any, by: str, application_id: UUID | None = None, **data: Any
) -> TrailEntry:
    """Build (not save) the entry about `event` on the model instance `subject`.

    It belongs to the subject's application; `application_id` names that of a subject without one.
    """
    kind = subject._meta.model_name
    own = subject.pk if kind == "application" else getattr(subject, "application_id", None)
    return TrailEntry(
        application_id=application_id or own,
        event=event,
        subject_type=kind,
        subject_id=str(subject.pk),
        actor=by,
        data=data,
    )


def append(event: Event, *, subject: Any, by: str, **data: Any) -> None:
    """Append one entry, in the caller's transaction: both are stored or neither."""
    entry(event, subject=subject, by=by, **data).save(force_insert=True)


def append_named(
    event: Event,
    *,
    subject_type: str,
    subject_id: str,
    by: str,
    application_id: UUID | None = None,
    **data: Any,
) -> None:
    """Append an entry about something without a row: a log-in name, a written file."""
    TrailEntry.objects.create(
        application_id=application_id,
        event=event,
        subject_type=subject_type,
        subject_id=subject_id,
        actor=by,
        data=data,
    )


def append_all(entries: Sequence[TrailEntry]) -> None:
    """Append many entries in one statement."""
    TrailEntry.objects.bulk_create(entries)
