"""Run examples through the whole of `remember`, and leave nothing behind."""

from collections.abc import Iterable, Iterator

from django.db import transaction

from accounts.models import Application
from evaluation.memory.examples import MemoryExample
from evaluation.memory.figures import ExampleResult
from memory.models import Manager
from memory.services.remembering import remember


def run(examples: Iterable[MemoryExample]) -> Iterator[ExampleResult]:
    """What becomes of each example, with a memory of its own that is rolled back."""
    for example in examples:
        with transaction.atomic():
            result = _run_example(example)
            transaction.set_rollback(True)
        yield result


def _run_example(example: MemoryExample) -> ExampleResult:
    application = Application.objects.create(name="evaluation", slug="memory-evaluation")
    manager = Manager.objects.create(application=application, name="evaluation")
    for statement in example.before:
        remember(manager, statement)
    main = remember(manager, example.statement).main
    return ExampleResult(example, main.status, main.target)
