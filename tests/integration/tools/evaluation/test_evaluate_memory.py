"""The written examples, through the whole of `remember`."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Application
from memory.models import MemoryEntry
from memory.outcomes import Status
from tools.evaluation.management.commands.evaluate_memory import HALVES, examples


def test_there_are_examples_in_both_directions() -> None:
    for half in HALVES:
        of_half = examples(half)
        to_store = [e for e in of_half if e.outcome in (Status.WRITTEN, Status.SUPERSEDED)]
        assert len(of_half) >= 80
        assert 0.4 < len(to_store) / len(of_half) < 0.6
    statements = [example.statement for half in HALVES for example in examples(half)]
    assert len(statements) == len(set(statements))


@pytest.mark.django_db
def test_precision_and_recall_do_not_fall() -> None:
    out = StringIO()
    call_command("evaluate_memory", "--json", stdout=out, verbosity=0)
    payload = json.loads(out.getvalue())
    assert set(payload) == set(HALVES)
    for half in HALVES:
        assert payload[half]["precision"] >= 0.95
        assert payload[half]["recall"] >= 0.93
    assert not MemoryEntry.objects.exists()
    assert not Application.objects.exists()


def test_what_went_wrong_in_the_held_out_half_is_not_shown() -> None:
    with pytest.raises(CommandError, match="only counted"):
        call_command("evaluate_memory", "--misses")
