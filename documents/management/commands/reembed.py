"""`manage.py reembed --collection NAME --model NAME`: changes the model without downtime."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from documents.models import Collection
from documents.services import reembedding
from inference.errors import ModelError


class Command(BaseCommand):
    """Embeds beside the old vectors, then switches; can be interrupted and repeated."""

    help = "Move a collection to another embedding model while it is searched."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--collection", required=True)
        parser.add_argument("--application", default="demo", help="slug; default: demo")
        parser.add_argument(
            "--model", required=True, help="a sentence-transformers model: a name or a folder"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["application"]
        name = options["collection"]
        collection = Collection.objects.filter(application__slug=slug, name=name).first()
        if collection is None:
            raise CommandError(f"The application {slug!r} has no collection {name!r}.")
        model = options["model"]
        try:
            made_by = reembedding.model_id(model)
            columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
            with Progress(*columns, console=Console(stderr=True)) as progress:
                total = reembedding.outstanding(collection, model).count()
                task = progress.add_task("Embedding", total=total)
                reembedding.embed_outstanding(
                    collection, model, lambda count: progress.advance(task, count)
                )
            count = reembedding.switch(collection=collection, model=model, by="manage.py reembed")
        except (ModelError, reembedding.WrongLengthError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{count} chunks moved; {collection.name} is searched by {made_by}")
