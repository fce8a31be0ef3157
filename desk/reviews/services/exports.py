"""Exports of checks and figures as files, noted in the trail of each application."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, QuerySet

from accounts.models import Application
from analysis.models import AnnotatedAnswer, Review
from audit.models import Event
from audit.services import append_all, entry
from desk.reviews.selectors.reviewed import reviewed_rows

MEDIA_TYPE = "application/x-ndjson"
_IN_MEMORY = 8_000_000


@transaction.atomic
def export_reviewed(*, reviews: QuerySet[Review], by: str) -> tuple[IO[bytes], int]:
    """Return a file with the rows, at its beginning, and their number.

    The trail of each application notes who took how many of its checks, and the file's SHA-256.
    """
    file: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - the caller's to close
    digest, counts = hashlib.sha256(), Counter[str]()
    for row in reviewed_rows(reviews):
        line = (json.dumps(row, ensure_ascii=False) + "\n").encode()
        digest.update(line)
        file.write(line)
        counts[row["dataset"].removeprefix("reviewed:")] += 1
    by_slug = Application.objects.in_bulk(list(counts), field_name="slug")
    rows = {by_slug[slug].pk: {"rows": n} for slug, n in counts.items()}
    _note(Event.REVIEWED_EXPORTED, rows, by=by, sha256=digest.hexdigest())
    file.seek(0)
    return file, counts.total()


@transaction.atomic
def note_citeeval(*, answers: QuerySet[AnnotatedAnswer], file: Path, by: str) -> None:
    """Note in each application's trail how many of its checks a written file may contain.

    Raises OSError if the file cannot be read.
    """
    with file.open("rb") as export_file:
        digest = hashlib.file_digest(export_file, "sha256")
    check_counts = (
        answers.order_by().values_list("check_record__application").annotate(n=Count("pk"))
    )
    rows = {application_id: {"rows": n} for application_id, n in check_counts}
    _note(Event.CITEEVAL_EXPORTED, rows, by=by, sha256=digest.hexdigest())


def note_table(
    *, applications: Collection[UUID], table: str, query: str, rows: int, file: bytes, by: str
) -> None:
    """Note in each application's trail that a table with its figures was exported.

    `query` is the filters' query string; `file` the exported table.
    """
    details = {"table": table, "asked": query, "rows": rows}
    digest = hashlib.sha256(file).hexdigest()
    _note(Event.DASHBOARD_EXPORTED, dict.fromkeys(applications, details), by=by, sha256=digest)


def _note(event: Event, details: Mapping[UUID, Mapping[str, Any]], *, by: str, sha256: str) -> None:
    """Note a file in the trail of each application whose figures it contains."""
    append_all(
        [
            entry(
                event, subject=row, by=by, application_id=row.pk, **details[row.pk], sha256=sha256
            )
            for row in Application.objects.filter(pk__in=details).order_by("pk")
        ]
    )
