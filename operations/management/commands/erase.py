"""`manage.py erase`: erases data about a person, after showing it."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from accounts.management.applications import application_named
from documents.models import Document
from operations.person import KINDS, PersonData, Query, Report, erase, find, unknown_people

_MOST_NAMED = 20


class Command(BaseCommand):
    help = (
        "Erase what an application holds of a person: checks, conversations, memory, documents. "
        "Shows what would be erased; --execute does it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--application", required=True, help="slug or id")
        parser.add_argument("--text", action="append", default=[], help="any of these, any case")
        parser.add_argument(
            "--metadata", action="append", default=[], metavar="NAME=VALUE",
            help="checks with all of these; with --text: checks that hold a text too",
        )  # fmt: skip
        parser.add_argument(
            "--person", action="append", default=[], metavar="NAME",
            help="a log-in or manager, with all their conversations, memory and uploads",
        )  # fmt: skip
        parser.add_argument(
            "--only", action="append", default=[], choices=KINDS, help="these kinds; default: all"
        )
        parser.add_argument("--reason", required=True, help="kept in the trail")
        parser.add_argument("--by", required=True, help="who asks for it; kept in the trail")
        parser.add_argument("--report", type=Path, help="write ids and outcome there, as JSON")
        parser.add_argument("--execute", action="store_true", help="erase what was found")

    def handle(self, *args: Any, **options: Any) -> None:
        arguments = options["metadata"]
        wrong = [pair for pair in arguments if "=" not in pair]
        if wrong:
            raise CommandError(f"Not NAME=VALUE: {', '.join(wrong)}.")
        query = Query(
            [text for text in options["text"] if text.strip()],
            {name: value for name, _, value in (pair.partition("=") for pair in arguments)},
            [name for name in options["person"] if name.strip()],
        )
        if not query.texts and not query.metadata and not query.people:
            raise CommandError(
                "Give --text, --metadata or --person: everything is erased by no command."
            )
        application = application_named(options["application"])
        if options["report"]:
            # Before anything is erased: nothing but the report tells what was.
            path = options["report"]
            try:
                with path.open("a", encoding="utf-8"):
                    pass
            except OSError as error:
                raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
        for name in unknown_people(application, query.people):
            self.stderr.write(f"{name}: no log-in, manager or uploader here has this name.")
        person_data = find(application, query)
        if options["only"]:
            person_data = PersonData(
                **{kind: getattr(person_data, kind) for kind in options["only"]}
            )
        self._show(person_data)
        report, counts = Report(), person_data.counts()
        if options["execute"]:
            by, reason = options["by"], options["reason"]
            for kind, done in erase(application, person_data, report, by=by, reason=reason):
                self.stdout.write(f"{kind} {done} of {counts[kind]}")
            self.stdout.write(f"{_counts_text(report.erased)} were erased.")
        else:
            self.stdout.write(f"{_counts_text(counts)} would be erased. --execute erases them.")
        if options["report"]:
            document = {
                "executed": options["execute"],
                "found": asdict(person_data),
                **asdict(report),
            }
            options["report"].write_text(json.dumps(document, indent=2, default=str) + "\n")
        if report.left:
            raise CommandError("Not erased:\n" + "\n".join(report.left))

    def _show(self, person_data: PersonData) -> None:
        for kind in KINDS:
            ids = getattr(person_data, kind)
            first_ids = ids[:_MOST_NAMED]
            names: dict[UUID, str] = {}
            if kind == "documents":
                rows = Document.objects.filter(pk__in=first_ids)
                names = dict(rows.values_list("pk", "name"))
            for item in first_ids:
                self.stdout.write(f"{kind} {item} {names.get(item, '')}".rstrip())
            if len(ids) > _MOST_NAMED:
                self.stdout.write(f"{kind} … and {len(ids) - _MOST_NAMED} more")


def _counts_text(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or "0 rows"
