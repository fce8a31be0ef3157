"""`manage.py evaluate_assistant`: how the assistant answers questions about unseen documents.

`--expected`: the cases of `tools/evaluation/assistant/expected/` instead, of which the whole answer
counts, and what was said before.
"""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from tqdm import tqdm

from accounts.models import Application
from accounts.services import create_application
from assistant.sanity import entry
from assistant.selectors import turn_document, turn_of
from assistant.services import ask, start_conversation
from assistant.services.asking import manager_named
from memory.models import MemoryEntry
from tools.evaluation.assistant.cases import (
    HALVES,
    HELD_OUT,
    CaseResult,
    cases_in,
    judge,
    paths_of,
    share_lines,
    shares,
)
from tools.evaluation.assistant.questions import (
    TUNED,
    UNSEEN,
    Outcome,
    files,
    outcome,
    questions,
    table,
)
from tools.evaluation.rendering import console_on, figures_table

SLUG = "evaluation-assistant"
_BY = "manage.py evaluate_assistant"


class Command(BaseCommand):
    """Works in an application of its own, whose memory it empties before each question."""

    help = "Ask the assistant questions about collections of documents, and count the outcomes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--collection", action="append", choices=[*TUNED, *UNSEEN])
        parser.add_argument("--expected", choices=HALVES, help="ask the cases of this part instead")
        parser.add_argument("--kind", action="append", help="of those, one kind; may be repeated")
        parser.add_argument("--answers", type=Path, help="write each answer here, as JSON lines")

    def handle(self, *args: Any, **options: Any) -> None:
        lines = self._cases(options) if options["expected"] else self._questions(options)
        if options["answers"]:
            text = "".join(f"{json.dumps(line)}\n" for line in lines)
            options["answers"].write_text(text, encoding="utf-8")

    def _questions(self, options: dict[str, Any]) -> list[dict[str, Any]]:
        outcomes, lines = dict[str, list[Outcome]](), list[dict[str, Any]]()
        for name in options["collection"] or (*TUNED, *UNSEEN):
            if not files(name):
                self.stderr.write(f"{name} left out: WATCHDOG_DATA names no folder that holds it.")
                continue
            _index(name, files(name))
            outcomes[name] = []
            for question in tqdm(questions(name), desc=name, file=self.stderr):
                document = _answer(name, question.question)
                fared = outcome(question, document["answer"], document["found"] is True)
                outcomes[name].append(fared)
                lines.append(
                    {
                        "collection": name,
                        "question": question.question,
                        "says": question.says,
                        "outcome": fared,
                        "answer": document["answer"],
                        "notes": document["notes"],
                        "action": document["verdict"]["action"] if document["verdict"] else None,
                    }
                )
        headings = ("", "questions", *Outcome)
        out = console_on(self.stdout, 120)
        for title, names in (("Weights chosen on these", TUNED), ("Unseen", UNSEEN)):
            if part := {name: outcomes[name] for name in names if name in outcomes}:
                out.print(figures_table(title, headings, table(part)))
        return lines

    def _cases(self, options: dict[str, Any]) -> list[dict[str, Any]]:
        """Print the share of right ones, and the faults of the others unless they are held out."""
        kinds, part = options["kind"], options["expected"]
        cases = [case for case in cases_in(part) if not kinds or case.kind in kinds]
        names = {
            case.documents: "-".join(["expected", *case.documents]).replace(".", "-")
            for case in cases
        }
        for case in {case.documents: case for case in cases}.values():
            _index(names[case.documents], paths_of(case))
        results = list[CaseResult]()
        for case in tqdm(cases, desc=part, file=self.stderr):
            document = _answer(names[case.documents], *case.statements, case.question)
            results.append(judge(case, entry(document)))
        wrong = [result for result in results if not result.right and part not in HELD_OUT]
        for result in wrong:
            faults = "; ".join(result.faults)
            self.stdout.write(f"{result.case.id} {result.case.question} {faults}")
        self.stdout.write("\n".join(share_lines(shares(results))))
        return [{"id": result.case.id, "faults": result.faults} for result in wrong]


def _index(collection: str, paths: Sequence[Path]) -> None:
    if not Application.objects.filter(slug=SLUG).exists():
        create_application(name="Evaluation of the assistant", slug=SLUG, by=_BY)
    call_command(
        "ingest", *map(str, paths),
        collection=collection, application=SLUG, processes=1, stdout=StringIO(),
    )  # fmt: skip


def _answer(collection: str, *messages: str) -> dict[str, Any]:
    """Say the messages in a new conversation, nothing being remembered; return the last answer."""
    application = Application.objects.get(slug=SLUG)
    MemoryEntry.objects.filter(application=application).delete()
    manager = manager_named(application.pk, "evaluation", by=_BY)
    conversation = start_conversation(manager, title=messages[-1])
    for message in messages:
        turn = ask(manager, conversation, message, by=_BY, collections=[collection])
    return turn_document(turn_of(turn.application_id, turn.pk))
