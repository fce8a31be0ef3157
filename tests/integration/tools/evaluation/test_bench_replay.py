"""`manage.py bench_replay` measures a replay and leaves the database as it was."""

import json

import pytest

from accounts.models import Application
from analysis.models import Check
from tests.commands import run

pytestmark = pytest.mark.usefixtures("empty_redis", "db")


def test_it_replays_as_many_as_asked_and_leaves_nothing() -> None:
    payload = json.loads(run("bench_replay", checks=205, json=True))
    assert payload["checks"] == 205
    assert payload["claims"] > 205
    assert 0 < payload["changed"] <= 205
    assert payload["wall"] > 0
    assert set(payload["machine"]) == {"before", "after"}
    assert not Check.objects.exists()
    assert not Application.objects.exists()


def test_it_says_so_in_words() -> None:
    first, speed = run("bench_replay", checks=3, preset="balanced").splitlines()
    assert first.startswith("3 checks with ")
    assert first.endswith(" 0 actions change.")
    assert speed.startswith("Machine: 1,000,000 additions")
