"""`manage.py sanity [PATH…]`: asks the assistant a fixed set of questions; prints JSON.

`--expected`: asks the questions with known answers, and prints the share of right ones.
"""

import hashlib
import json
from argparse import ArgumentParser
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from accounts.models import Application
from accounts.services import create_application
from analysis.engine import ENGINE_VERSION
from assistant.sanity import HANDBOOK, LAYOUT, QUESTIONS, BadQuestions, entry, questions_in, summary
from assistant.sanity.cases import (
    DOCUMENTS,
    HALVES,
    HELD_OUT,
    Case,
    CaseResult,
    cases_in,
    judge,
    share_lines,
    shares,
)
from assistant.selectors import turn_document, turn_of
from assistant.services import ask, start_conversation
from assistant.services.asking import manager_named
from assistant.services.writing import endpoints
from documents.embedding import model_id
from documents.models import Document
from memory.models import Manager, MemoryEntry

SLUG = "sanity"


class Command(BaseCommand):
    """Uses an application of its own, whose memory it empties first; checks run in this process."""

    help = "Ask the assistant a fixed set of questions and write what came of each as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "paths", nargs="*", type=Path, metavar="PATH",
            help="documents; left out: the small handbook of this repository",
        )  # fmt: skip
        parser.add_argument("--questions", type=Path, default=QUESTIONS, help="a JSON list")
        parser.add_argument("--output", type=Path, default=Path("sanity_output.json"))
        parser.add_argument(
            "--expected", choices=HALVES,
            help="ask the questions of this half whose answers are known; PATH is not read",
        )  # fmt: skip
        parser.add_argument("--kind", action="append", help="of those, one kind; may be repeated")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["expected"]:
            self._measure(options)
            return
        try:
            questions = questions_in(options["questions"])
        except (BadQuestions, OSError) as error:
            raise CommandError(str(error)) from error
        collection = _indexed(options["paths"] or [HANDBOOK])
        manager = _forgetful()
        entries = [
            _answer_case(manager, question, collection)
            for question in tqdm(questions, desc="Asking", file=self.stderr)
        ]
        document = _about(collection) | {"questions": entries, "summary": summary(entries)}
        options["output"].write_text(_json(document), encoding="utf-8")
        counts = ", ".join(f"{name} {count}" for name, count in document["summary"].items())
        self.stdout.write(f"{options['output']}: {counts}")

    def _measure(self, options: dict[str, Any]) -> None:
        """Ask the cases of one half.

        Print the share of right ones, and the errors of the others.
        """
        kinds = options["kind"]
        cases = [item for item in cases_in(options["expected"]) if not kinds or item.kind in kinds]
        collections = {item: _indexed(_paths(item)) for item in {case.documents for case in cases}}
        outcomes, entries = list[CaseResult](), list[dict[str, Any]]()
        for case in tqdm(cases, desc="Asking", file=self.stderr):
            entries.append(_case_answered(case, collections[case.documents]))
            outcomes.append(judge(case, entries[-1]))
        share_by_kind = shares(outcomes)
        shows_cases = options["expected"] not in HELD_OUT
        document = _about() | {
            "half": options["expected"],
            "shares": share_by_kind,
            "cases": [
                {"id": item.case.id, "faults": item.faults, **answer}
                for item, answer in zip(outcomes, entries, strict=True)
            ]
            if shows_cases
            else [],
        }
        options["output"].write_text(_json(document), encoding="utf-8")
        for outcome in outcomes if shows_cases else ():
            if not outcome.right:
                case = outcome.case
                self.stdout.write(f"{case.id} {case.question} {'; '.join(outcome.faults)}")
        self.stdout.write("\n".join(share_lines(share_by_kind)))


def _application() -> Application:
    application = Application.objects.filter(slug=SLUG).first()
    return application or create_application(name="Sanity", slug=SLUG, by="manage.py sanity")


def _forgetful() -> Manager:
    """Return a manager in an application without memories."""
    application = _application()
    MemoryEntry.objects.filter(application=application).delete()
    return manager_named(application.pk, "sanity", by="manage.py sanity")


def _case_answered(case: Case, collection: str) -> dict[str, Any]:
    """Ask a case after stating its facts in the same conversation; return its entry."""
    manager = _forgetful()
    conversation = start_conversation(manager, title=case.question)
    for message in (*case.statements, case.question):
        turn = ask(manager, conversation, message, by="manage.py sanity", collections=[collection])
    return entry(turn_document(turn_of(manager.application_id, turn.pk)))


def _paths(names: tuple[str, ...]) -> list[Path]:
    return [HANDBOOK if name == "handbook" else DOCUMENTS / name for name in names]


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False, default=str) + "\n"


def _indexed(paths: Sequence[Path]) -> str:
    """Index the documents in a collection named after their paths; return its name."""
    _application()
    where = "\n".join(str(path.resolve()) for path in paths)
    name = f"sanity-{hashlib.sha256(where.encode()).hexdigest()[:8]}"
    call_command(
        "ingest",
        *map(str, paths),
        collection=name,
        application=SLUG,
        processes=1,
        stdout=StringIO(),
    )
    return name


def _answer_case(manager: Manager, question: str, collection: str) -> dict[str, Any]:
    conversation = start_conversation(manager, title=question)
    turn = ask(manager, conversation, question, by="manage.py sanity", collections=[collection])
    return entry(turn_document(turn_of(manager.application_id, turn.pk)))


def _about(collection: str | None = None) -> dict[str, Any]:
    """Return what the answers were made with.

    `collection` None: all documents of the application.
    """
    documents = Document.objects.filter(
        collection__application__slug=SLUG, state="indexed"
    ).order_by("name", "id")
    if collection is not None:
        documents = documents.filter(collection__name=collection)
    return {
        "layout": LAYOUT,
        "made_at": timezone.now().isoformat(),
        "engine_version": ENGINE_VERSION,
        "embedding_model": model_id(),
        "nli_model": settings.NLI_MODEL,
        "language_models": [endpoint.model for endpoint in endpoints()],
        "documents": [
            {"name": item.name, "sha256": item.sha256, "chunks": item.chunk_count}
            for item in documents.only("name", "sha256", "chunk_count")
        ],
    }
