"""Run examples through the whole of `remember`, and leave nothing behind."""

from collections.abc import Iterable, Iterator

from django.db import transaction

from accounts.models import Application
from evaluation.memory.examples import Example
from evaluation.memory.figures import Told
from memory.models import Manager
from memory.services.remembering import remember


def run(chosen: Iterable[Example]) -> Iterator[Told]:
    """What becomes of each example, with a memory of its own that is rolled back."""
    for example in chosen:
        with transaction.atomic():
            told = _told(example)
            transaction.set_rollback(True)
        yield told


def _told(example: Example) -> Told:
    application = Application.objects.create(name="evaluation", slug="memory-evaluation")
    manager = Manager.objects.create(application=application, name="evaluation")
    for said in example.before:
        remember(manager, said)
    main = remember(manager, example.said).main
    return Told(example, main.status, main.target)
