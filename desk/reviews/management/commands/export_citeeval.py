"""`manage.py export_citeeval --out FILE`: writes stored checks as CiteEval's system examples.

One per line (`.jsonl`), or as one array (`.json`), which CiteEval's own scripts read.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from django.utils.dateparse import parse_date, parse_datetime
from rich.console import Console
from rich.progress import track

from accounts.management.applications import application_named
from analysis.models import AnnotatedAnswer
from analysis.selectors.payloads import citeeval_examples
from desk.reviews.services.exports import note_citeeval


class Command(BaseCommand):
    """Exports oldest first and notes it in the trail; checks without passages are only counted."""

    help = "Export stored checks as CiteEvalSystemExample: JSON lines, or an array into a .json."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", type=Path, required=True, metavar="FILE")
        parser.add_argument("--application", help="slug; default: all applications")
        parser.add_argument("--since", type=_moment, help="submitted at this day or time or later")
        parser.add_argument("--until", type=_moment, help="submitted before this day or time")

    def handle(self, *args: Any, **options: Any) -> None:
        answers = _answers_to_export(options["application"], options["since"], options["until"])
        total = answers.count()
        examples = track(
            citeeval_examples(answers),
            total=total,
            description="Exporting",
            console=Console(stderr=True),
        )
        try:
            count = _write(options["out"], examples)
            note_citeeval(answers=answers, file=options["out"], by="manage.py export_citeeval")
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written: {error.strerror}.") from error
        omission = f"; {total - count} without passages left out" if count < total else ""
        self.stdout.write(f"{count} examples written to {options['out']}{omission}")


def _answers_to_export(
    slug: str | None, since: datetime | None, until: datetime | None
) -> QuerySet[AnnotatedAnswer]:
    answers = AnnotatedAnswer.objects.all()
    if slug is not None:
        application = application_named(slug)
        answers = answers.filter(check_record__application=application)
    if since is not None:
        answers = answers.filter(check_record__created_at__gte=since)
    if until is not None:
        answers = answers.filter(check_record__created_at__lt=until)
    return answers


def _write(path: Path, examples: Iterable[dict[str, Any]]) -> int:
    is_array, count = path.suffix == ".json", 0
    with path.open("w", encoding="utf-8") as file:
        for example in examples:
            if example["passages"]:
                file.write((",\n" if count else "[\n") if is_array else "")
                file.write(json.dumps(example, ensure_ascii=False) + ("" if is_array else "\n"))
                count += 1
        if is_array:
            file.write("\n]\n" if count else "[]\n")
    return count


def _moment(text: str) -> datetime:
    """Parse a day or time in ISO 8601, UTC by default. Raises CommandError."""
    try:
        day, moment = parse_date(text), parse_datetime(text)
    except ValueError as error:
        raise CommandError(f"{text!r} is not a date: {error}.") from error
    if day is not None:
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    if moment is None:
        raise CommandError(f"{text!r} is not a date; write 2026-01-31 or 2026-01-31T12:00.")
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
