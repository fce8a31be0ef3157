"""`manage.py evaluate_assistant`: how the assistant answers questions about unseen documents."""

import json
from argparse import ArgumentParser
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from rich.console import Console
from tqdm import tqdm

from accounts.models import Application
from accounts.services import create_application
from assistant.models import Turn
from assistant.selectors import turn_document, turn_of
from assistant.services import ask, start_conversation
from assistant.services.asking import manager_named
from memory.models import MemoryEntry
from tools.evaluation.assistant.questions import (
    COLLECTIONS,
    Outcome,
    Question,
    files,
    outcome,
    questions,
    table,
)
from tools.evaluation.rendering import figures_table

SLUG = "evaluation-assistant"
_BY = "manage.py evaluate_assistant"


class Command(BaseCommand):
    """Works in an application of its own, whose memory it empties before each question."""

    help = "Ask the assistant 60 questions about each of four collections, and count the outcomes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--collection", action="append", choices=COLLECTIONS)
        parser.add_argument("--answers", type=Path, help="write each answer here, as JSON lines")

    def handle(self, *args: Any, **options: Any) -> None:
        outcomes, lines = dict[str, list[Outcome]](), list[str]()
        for name in options["collection"] or COLLECTIONS:
            if not files(name):
                self.stderr.write(f"{name} left out: WATCHDOG_DATA names no folder that holds it.")
                continue
            _index(name)
            outcomes[name] = []
            for question in tqdm(questions(name), desc=name, file=self.stderr):
                turn = _answer(name, question)
                document = turn_document(turn_of(turn.application_id, turn.pk))
                fared = outcome(question, document["answer"], document["found"] is True)
                outcomes[name].append(fared)
                lines.append(json.dumps(_line(name, question, fared, document)))
        if options["answers"]:
            options["answers"].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        headings = ("", "questions", *Outcome)
        console = Console(width=120)
        with console.capture() as captured:
            console.print(figures_table("Answers", headings, table(outcomes)))
        self.stdout.write(captured.get())


def _index(collection: str) -> None:
    if not Application.objects.filter(slug=SLUG).exists():
        create_application(name="Evaluation of the assistant", slug=SLUG, by=_BY)
    paths = map(str, files(collection))
    call_command(
        "ingest", *paths, collection=collection, application=SLUG, processes=1, stdout=StringIO()
    )


def _answer(collection: str, question: Question) -> Turn:
    application = Application.objects.get(slug=SLUG)
    MemoryEntry.objects.filter(application=application).delete()
    manager = manager_named(application.pk, "evaluation", by=_BY)
    conversation = start_conversation(manager, title=question.question)
    return ask(manager, conversation, question.question, by=_BY, collections=[collection])


def _line(
    collection: str, question: Question, fared: Outcome, document: dict[str, Any]
) -> dict[str, Any]:
    return {
        "collection": collection,
        "question": question.question,
        "says": question.says,
        "outcome": fared,
        "answer": document["answer"],
        "notes": document["notes"],
        "action": document["verdict"]["action"] if document["verdict"] else None,
    }
