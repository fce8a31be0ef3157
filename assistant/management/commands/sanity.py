"""`manage.py sanity [PATH…]`: asks the assistant a fixed set of questions; prints JSON."""

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

    def handle(self, *args: Any, **options: Any) -> None:
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
        text = json.dumps(document, indent=2, ensure_ascii=False, default=str)
        options["output"].write_text(f"{text}\n", encoding="utf-8")
        counts = ", ".join(f"{name} {count}" for name, count in document["summary"].items())
        self.stdout.write(f"{options['output']}: {counts}")


def _forgetful() -> Manager:
    """Return a manager in an application without memories."""
    application = Application.objects.get(slug=SLUG)
    MemoryEntry.objects.filter(application=application).delete()
    return manager_named(application.pk, "sanity", by="manage.py sanity")


def _indexed(paths: Sequence[Path]) -> str:
    """Index the documents in a collection named after their paths; return its name."""
    if not Application.objects.filter(slug=SLUG).exists():
        create_application(name="Sanity", slug=SLUG, by="manage.py sanity")
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


def _about(collection: str) -> dict[str, Any]:
    """Return what the answers were made with."""
    documents = Document.objects.filter(
        collection__application__slug=SLUG, collection__name=collection, state="indexed"
    ).order_by("name", "id")
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
