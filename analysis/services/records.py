"""Exports decision records, each noted in the trail."""

import hashlib
from typing import Literal

from django.db.models import QuerySet
from django.utils import timezone

from analysis.models import Check, Review
from analysis.records import document
from analysis.selectors.reason_codes import reason_labels
from analysis.selectors.records import parts_of
from audit.models import Event
from audit.services import append

Format = Literal["json", "pdf"]
MEDIA_TYPES: dict[Format, str] = {"json": "application/json", "pdf": "application/pdf"}


class RecordAltered(Exception):
    """Raised if the stored check differs from what was decided or sealed; it is not signed."""


def export_record(*, check: Check, as_: Format, by: str, reviews: QuerySet[Review]) -> bytes:
    """Return a check's signed record as JSON or PDF, and note in the trail who took it.

    `reviews` are those that the recipient may read. Raises RecordAltered.
    """
    parts = parts_of(check, reviews)
    if wrong := tuple(document.contradictions(parts)):
        raise RecordAltered("; ".join(wrong))
    record = document.make(parts, timezone.now().isoformat(timespec="seconds"))
    data = document.to_bytes(record)
    if as_ == "pdf":
        # The library of PDFs is loaded by the process that makes one.
        from analysis.records import envelope, pdf  # noqa: PLC0415

        codes = {code for review in record["reviews"] for code in review["reason_codes"]}
        data = envelope.wrap(pdf.render(record, reason_labels(codes)), data)
    append(
        Event.RECORD_EXPORTED,
        subject=check,
        by=by,
        format=as_,
        sha256=hashlib.sha256(data).hexdigest(),
    )
    return data


def filename(check: Check, as_: Format) -> str:
    """Return the file name of the download."""
    return f"decision-{check.pk}.{as_}"
