"""Checks and figures handed out as files, told in the trail of each application."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO
from uuid import UUID

from django.db import transaction
from django.db.models import Count, QuerySet

from accounts.models import Application
from analysis.models import AnnotatedAnswer, Review
from audit.models import Event
from audit.services import append, append_all, entry
from reviews.selectors.reviewed import reviewed_rows

_BLOCK = 1 << 20
MEDIA_TYPE = "application/x-ndjson"
_IN_MEMORY = 8_000_000


@transaction.atomic
def export_reviewed(*, reviews: QuerySet[Review], by: str) -> tuple[IO[bytes], int]:
    """A file of the rows, at its beginning, and how many there are.

    The trail of each application tells who took how many of its checks, and the file's SHA-256.
    """
    file: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - the caller's to close
    digest, counts = hashlib.sha256(), Counter[str]()
    for row in reviewed_rows(reviews):
        line = (json.dumps(row, ensure_ascii=False) + "\n").encode()
        digest.update(line)
        file.write(line)
        counts[row["dataset"].removeprefix("reviewed:")] += 1
    for application in Application.objects.filter(slug__in=counts):
        append(
            Event.REVIEWED_EXPORTED,
            subject=application,
            by=by,
            application_id=application.pk,
            rows=counts[application.slug],
            sha256=digest.hexdigest(),
        )
    file.seek(0)
    return file, counts.total()


@transaction.atomic
def note_citeeval(*, answers: QuerySet[AnnotatedAnswer], file: Path, by: str) -> None:
    """Tell in the trail of each application how many of its checks a written file took, at most.

    Raises OSError where the file cannot be read.
    """
    digest = hashlib.sha256()
    with file.open("rb") as export_file:
        while block := export_file.read(_BLOCK):
            digest.update(block)
    check_counts = (
        answers.order_by().values_list("check_record__application").annotate(n=Count("pk"))
    )
    counts = dict(check_counts)
    for application in Application.objects.filter(pk__in=counts):
        append(
            Event.CITEEVAL_EXPORTED,
            subject=application,
            by=by,
            application_id=application.pk,
            rows=counts[application.pk],
            sha256=digest.hexdigest(),
        )


def note_table(
    *, applications: Collection[UUID], table: str, query: str, rows: int, file: bytes, by: str
) -> None:
    """Tell in the trail of each application that a table with its figures was handed out.

    `query` is the filter bar as an address has it; `file` is the table as it is sent.
    """
    digest = hashlib.sha256(file).hexdigest()
    details = {"table": table, "asked": query, "rows": rows, "sha256": digest}
    append_all(
        [
            entry(
                Event.DASHBOARD_EXPORTED,
                subject=application,
                by=by,
                application_id=application.pk,
                **details,
            )
            for application in Application.objects.filter(pk__in=applications).order_by("pk")
        ]
    )
