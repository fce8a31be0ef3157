"""`manage.py bench_replay` measures a replay and leaves the database as it was."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import Application
from analysis.models import Check

pytestmark = pytest.mark.usefixtures("empty_redis", "db")


def test_it_replays_as_many_as_asked_and_leaves_nothing() -> None:
    out = StringIO()
    call_command("bench_replay", checks=205, json=True, stdout=out)
    payload = json.loads(out.getvalue())
    assert payload["checks"] == 205
    assert payload["claims"] > 205
    assert 0 < payload["changed"] <= 205
    assert payload["wall"] > 0
    assert set(payload["machine"]) == {"before", "after"}
    assert not Check.objects.exists()
    assert not Application.objects.exists()


def test_it_says_so_in_words() -> None:
    out = StringIO()
    call_command("bench_replay", checks=3, preset="balanced", stdout=out)
    assert out.getvalue().startswith("3 checks with ")
    first, speed = out.getvalue().splitlines()
    assert first.endswith(" 0 actions change.")
    assert speed.startswith("Machine: 1,000,000 additions")
