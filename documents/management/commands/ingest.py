"""`manage.py ingest PATH… --collection NAME`: indexes files from disk, with progress."""

import multiprocessing
import os
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

import django
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress

from accounts.management.applications import application_named
from documents.metadata import BadMetadata, metadata_in
from documents.models import Collection, Document
from documents.services.collections import count_terms, create_collection
from documents.services.indexing import index_document
from documents.services.uploads import upload

T = TypeVar("T")


class Command(BaseCommand):
    """Indexes at once, one file per core; can be interrupted and repeated."""

    help = "Index files and folders into a collection; unchanged files are skipped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument("--collection", required=True, help="made when missing")
        parser.add_argument("--application", default="demo", help="slug; default: demo")
        parser.add_argument(
            "--metadata", metavar="JSON",
            help='of all these files, such as {"version": "3", "valid_from": "2026-03-01"}',
        )  # fmt: skip
        parser.add_argument(
            "--processes", type=int, default=os.cpu_count() or 1, help="default: one a core"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            metadata = metadata_in(options["metadata"]) if options["metadata"] else None
        except BadMetadata as error:
            raise CommandError(f"--metadata: {error}") from error
        application, name = application_named(options["application"]), options["collection"]
        collection = Collection.objects.filter(application=application, name=name).first()
        collection = collection or create_collection(
            application=application, name=name, by="manage.py ingest"
        )
        files = list(_files(options["paths"]))
        if not files:
            raise CommandError("There is no file at " + ", ".join(map(str, options["paths"])) + ".")
        began = time.perf_counter()
        outcomes = _all(collection, files, metadata, max(1, min(options["processes"], len(files))))
        seconds = time.perf_counter() - began
        count_terms(collection.pk)
        for outcome in outcomes:
            if outcome.outcome not in ("indexed", "unchanged"):
                self.stdout.write(f"{outcome.name}: {outcome.outcome}")
        endings = [outcome.outcome for outcome in outcomes]
        indexed, unchanged = endings.count("indexed"), endings.count("unchanged")
        chunks = sum(outcome.chunks for outcome in outcomes)
        counts = (
            f"{indexed} indexed, {unchanged} unchanged, {len(endings) - indexed - unchanged} failed"
        )
        self.stdout.write(
            f"{counts}; {chunks} chunks in {seconds:.1f} s ({chunks / seconds:.0f} a second)"
        )


@dataclass(frozen=True, slots=True)
class Ingested:
    """The outcome of a file: "indexed", "unchanged", or in words why not."""

    name: str
    outcome: str
    chunks: int = 0


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield each file with its stored name: its path relative to the given one."""
    for path in paths:
        if path.is_file():
            yield path, path.name
        elif path.is_dir():
            for file in sorted(entry for entry in path.rglob("*") if entry.is_file()):
                yield file, str(file.relative_to(path))
        else:
            raise CommandError(f"{path} does not exist.")


def _all(
    collection: Collection,
    files: Sequence[tuple[Path, str]],
    metadata: dict[str, Any] | None,
    processes: int,
) -> list[Ingested]:
    """Index the files, one at a time per process. Raises CommandError if a process is lost."""
    results: list[Ingested] = []
    with Progress(console=Console(stderr=True)) as progress, _pool(processes) as pool:
        task = progress.add_task("Indexing", total=len(files))
        running = [pool.submit(_ingest, collection.pk, metadata, *file) for file in files]
        try:
            for each in as_completed(running):
                results.append(each.result())
                progress.advance(task)
        except BrokenProcessPool as error:
            raise CommandError(
                "A process was ended from outside (out of memory?). What is indexed stays: run "
                "the same command again, with fewer --processes."
            ) from error
        finally:
            pool.shutdown(cancel_futures=True)
    return sorted(results, key=lambda each: each.name)


class _Here(Executor):
    """Runs the work in this process, at once."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def _pool(processes: int) -> Executor:
    """Return an executor of fresh processes, each with its own connections and model."""
    if processes == 1:
        return _Here()
    return ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context("spawn"), initializer=django.setup
    )


def _ingest(
    collection_id: UUID, metadata: dict[str, Any] | None, file: Path, name: str
) -> Ingested:
    collection = Collection.objects.get(pk=collection_id)
    result = upload(
        collection=collection,
        name=name,
        data=file.read_bytes(),
        by="manage.py ingest",
        metadata=metadata,
        enqueue=False,
    )
    if result.unchanged and result.document.state == "indexed":
        return Ingested(name, "unchanged")
    index_document(result.document.pk)
    document = Document.objects.only("state", "error", "chunk_count").get(pk=result.document.pk)
    if document.state == "indexed":
        return Ingested(name, "indexed", document.chunk_count)
    return Ingested(name, document.error or document.state)
