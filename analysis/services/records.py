"""Decision records handed out, each told in the trail."""

import hashlib
from typing import Literal

from django.db.models import QuerySet
from django.utils import timezone

from analysis.models import Check, Review
from analysis.records import document
from analysis.selectors.records import parts_of
from audit.models import Event
from audit.services import append

Format = Literal["json", "pdf"]
MEDIA_TYPES: dict[Format, str] = {"json": "application/json", "pdf": "application/pdf"}


class RecordAltered(Exception):
    """What is stored of a check is not what was decided or sealed: nobody signs that."""


def export_record(*, check: Check, as_: Format, by: str, reviews: QuerySet[Review]) -> bytes:
    """The signed record of a check, as JSON or PDF. An entry of the trail says who took it.

    `reviews` are those that whoever takes it may read. Raises RecordAltered.
    """
    data = _record(check, as_, reviews)
    append(
        Event.RECORD_EXPORTED,
        subject=check,
        by=by,
        application_id=check.application_id,
        format=as_,
        sha256=hashlib.sha256(data).hexdigest(),
    )
    return data


def filename(check: Check, as_: Format) -> str:
    """What a browser calls the download."""
    return f"decision-{check.pk}.{as_}"


def _record(check: Check, as_: Format, reviews: QuerySet[Review]) -> bytes:
    parts = parts_of(check, reviews)
    if wrong := tuple(document.contradictions(parts)):
        raise RecordAltered("; ".join(wrong))
    record = document.make(parts, timezone.now().isoformat(timespec="seconds"))
    data = document.to_bytes(record)
    if as_ == "json":
        return data
    # The library of PDFs is loaded by the process that makes one.
    from analysis.records import envelope, pdf  # noqa: PLC0415

    return envelope.wrap(pdf.render(record), data)
