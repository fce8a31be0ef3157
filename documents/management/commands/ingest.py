"""`manage.py ingest PATH… --collection NAME`: index files from disk, with progress."""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress

from accounts.models import Application
from documents.models import Collection, Document
from documents.services.collections import count_terms, create_collection
from documents.services.indexing import index_document
from documents.services.uploads import upload


class Command(BaseCommand):
    """Indexes here and now, one file after another; can be broken off and repeated."""

    help = "Index files and folders into a collection; unchanged files are skipped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where from, where to."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument("--collection", required=True, help="made when missing")
        parser.add_argument("--application", default="demo", help="slug; default: demo")

    def handle(self, *args: Any, **options: Any) -> None:
        """Index every file below the paths."""
        collection = _collection(options["application"], options["collection"])
        files = list(_files(options["paths"]))
        if not files:
            raise CommandError("There is no file at " + ", ".join(map(str, options["paths"])) + ".")
        outcomes = [_ingest(collection, file, name) for file, name in _shown(files)]
        count_terms(collection.pk)
        for name, outcome in outcomes:
            if outcome not in ("indexed", "unchanged"):
                self.stdout.write(f"{name}: {outcome}")
        done = [outcome for _, outcome in outcomes]
        failed = len(done) - done.count("indexed") - done.count("unchanged")
        self.stdout.write(
            f"{done.count('indexed')} indexed, {done.count('unchanged')} unchanged, {failed} failed"
        )


def _collection(slug: str, name: str) -> Collection:
    application = Application.objects.filter(slug=slug).first()
    if application is None:
        raise CommandError(f"No application has the slug {slug!r}.")
    found = Collection.objects.filter(application=application, name=name).first()
    return found or create_collection(application=application, name=name, by="manage.py ingest")


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Each file with the name it is stored under: its path below what was given."""
    for path in paths:
        if path.is_file():
            yield path, path.name
        elif path.is_dir():
            for file in sorted(found for found in path.rglob("*") if found.is_file()):
                yield file, str(file.relative_to(path))
        else:
            raise CommandError(f"{path} does not exist.")


def _shown(files: Sequence[tuple[Path, str]]) -> Iterator[tuple[Path, str]]:
    with Progress(console=Console(stderr=True)) as progress:
        yield from progress.track(files, description="Indexing")


def _ingest(collection: Collection, file: Path, name: str) -> tuple[str, str]:
    made = upload(
        collection=collection,
        name=name,
        data=file.read_bytes(),
        by="manage.py ingest",
        ring=False,
    )
    if made.unchanged and made.document.state == "indexed":
        return name, "unchanged"
    index_document(made.document.pk)
    document = Document.objects.only("state", "error").get(pk=made.document.pk)
    return name, "indexed" if document.state == "indexed" else document.error or document.state
