"""`manage.py evaluate_collections`: answers checked against small and large collections."""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from accounts.models import Application
from accounts.services import create_application
from analysis.models import AnnotatedAnswer
from analysis.services.checking import run_check
from analysis.services.submission import NewCheck, submit
from api.views import wait_for_verdict
from tools.evaluation.rendering import console_on, figures_table

FOLDER = Path(__file__).parents[2] / "collections"
SLUG = "evaluation-collections"
SIZES = (1, 5, 50, 1_000)
_KINDS = ("right", "wrong", "unanswerable")
_BY = "manage.py evaluate_collections"
_LONGEST_S = 120.0
_LEAST, _MOST = 400, 2_500
"""Code points of a document that only fills a collection."""


class Command(BaseCommand):
    """Works in an application of its own. A collection of one holds the answer's own document."""

    help = "Check answers about five documents in collections of 1, 5, 50 and 1,000 documents."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--size", type=int, action="append", choices=SIZES)
        parser.add_argument(
            "--others", type=Path, nargs="+", default=[], metavar="FILE",
            help="labelled answers (JSONL) whose contexts fill collections beyond five documents",
        )  # fmt: skip
        parser.add_argument("--answers", type=Path, help="write each result here, as JSON lines")

    def handle(self, *args: Any, **options: Any) -> None:
        lines = (FOLDER / "answers.jsonl").read_text(encoding="utf-8").splitlines()
        answers = [json.loads(line) for line in lines]
        results = list[dict[str, Any]]()
        for size in options["size"] or SIZES:
            _index(size, options["others"])
            for answer in tqdm(answers, desc=f"{size:,}", file=self.stderr):
                results.append({"size": size, **answer, **_checked(size, answer)})
        if options["answers"]:
            text = "".join(f"{json.dumps(result)}\n" for result in results)
            options["answers"].write_text(text, encoding="utf-8")
        headings = ("documents", *(f"{kind} {what}" for kind in _KINDS for what in _WHAT))
        out = console_on(self.stdout, 100)
        out.print(figures_table("Answers", headings, _rows(results)))


_WHAT = {"flagged": ("WARN", "BLOCK"), "blocked": ("BLOCK",)}


def _rows(results: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    counts = Counter((result["size"], result["kind"], result["action"]) for result in results)
    totals = Counter((result["size"], result["kind"]) for result in results)
    return [
        (
            f"{size:,}",
            *(
                f"{sum(counts[size, kind, action] for action in actions)} of {totals[size, kind]}"
                for kind in _KINDS
                for actions in _WHAT.values()
            ),
        )
        for size in dict.fromkeys(result["size"] for result in results)
    ]


def _index(size: int, others: Sequence[Path]) -> None:
    """Put the documents into their collections, and into the larger ones what fills them."""
    if not Application.objects.filter(slug=SLUG).exists():
        create_application(name="Evaluation of collections", slug=SLUG, by=_BY)
    own = sorted((FOLDER / "documents").iterdir())
    if size == 1:
        for path in own:
            _ingest([path], _name(1, path.name))
        return
    texts = list(islice(other_texts(others), size - len(own)))
    if len(own) + len(texts) < size:
        message = f"{size:,} documents need {size - len(own):,} others: name files by --others."
        raise CommandError(message)
    with TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            (Path(folder) / f"other-{number}.txt").write_text(text, encoding="utf-8")
        _ingest([*own, *sorted(Path(folder).iterdir())], _name(size, ""))


def other_texts(paths: Sequence[Path]) -> Iterator[str]:
    """Yield the distinct contexts of the files' rows."""
    read = set[str]()
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            text = "\n\n".join(map(str, json.loads(line).get("context") or ()))[:_MOST]
            if len(text) >= _LEAST and text not in read:
                read.add(text)
                yield text


def _ingest(paths: Sequence[Path], collection: str) -> None:
    call_command(
        "ingest", *map(str, paths),
        collection=collection, application=SLUG, processes=1, stdout=StringIO(),
    )  # fmt: skip


def _name(size: int, document: str) -> str:
    return f"one-{Path(document).stem}" if size == 1 else f"of-{size}"


def _checked(size: int, answer: dict[str, str]) -> dict[str, Any]:
    check = submit(
        application_id=Application.objects.get(slug=SLUG).pk,
        new=NewCheck(
            answer=answer["answer"],
            query=answer["question"],
            collections=[_name(size, answer["document"])],
        ),
        by=_BY,
    )
    if not run_check(check.id):  # a worker of the running product was faster
        wait_for_verdict(check.id, _LONGEST_S)
    decision = AnnotatedAnswer.objects.get(pk=check.id).decision
    return {
        "action": decision["action"],
        "final_response": decision["final_response"],
        "reasons": [reason for reason in decision["reasons"] if reason["action"] != "ALLOW"],
    }
