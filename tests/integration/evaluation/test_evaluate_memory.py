"""The written examples, through the whole of `remember`."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Application
from evaluation.memory.examples import HALVES, examples
from memory.models import MemoryEntry
from memory.outcomes import Status


def test_there_are_examples_in_both_directions() -> None:
    for half in HALVES:
        found = examples(half)
        stored = [e for e in found if e.outcome in (Status.WRITTEN, Status.SUPERSEDED)]
        assert len(found) >= 80
        assert 0.4 < len(stored) / len(found) < 0.6
    told = [example.said for half in HALVES for example in examples(half)]
    assert len(told) == len(set(told))


@pytest.mark.django_db
def test_precision_and_recall_do_not_fall() -> None:
    out = StringIO()
    call_command("evaluate_memory", "--json", stdout=out, verbosity=0)
    found = json.loads(out.getvalue())
    assert set(found) == set(HALVES)
    for half in HALVES:
        assert found[half]["precision"] >= 0.95
        assert found[half]["recall"] >= 0.93
    assert not MemoryEntry.objects.exists()
    assert not Application.objects.exists()


def test_what_went_wrong_in_the_held_out_half_is_not_shown() -> None:
    with pytest.raises(CommandError, match="only counted"):
        call_command("evaluate_memory", "--misses")
