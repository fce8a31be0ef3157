"""`manage.py bench_replay`: times the replay of stored checks under another policy."""

import json
import os
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection, transaction
from rich.console import Console

from accounts.models import Application
from accounts.services import create_application
from analysis.engine.policy import PRESETS, PolicyRules
from analysis.models import Claim
from analysis.services.checking import run_check
from analysis.services.submission import NewCheck, submit
from desk.policies.selectors.replaying import ReplaySelection, replay, select
from tools.evaluation.bench import machine
from tools.evaluation.bench.engine import prose

# Measures a replay of many checks: copied, replayed, and rolled back.

DISTINCT = 100
WORDS = (10, 30, 50, 80, 120)
_COPY = """
CREATE TEMPORARY TABLE copies ON COMMIT DROP AS
SELECT id AS old, gen_random_uuid() AS new
FROM analysis_check, generate_series(1, %(times)s)
WHERE application_id = %(application_id)s;
INSERT INTO analysis_check ({check}) SELECT {of_check}
FROM copies JOIN analysis_check AS old ON old.id = copies.old;
INSERT INTO analysis_annotatedanswer
    (check_record_id, policy_id, engine_version, measurement, decision, milliseconds)
SELECT copies.new, policy_id, engine_version, measurement, decision, milliseconds
FROM copies JOIN analysis_annotatedanswer AS old ON old.check_record_id = copies.old;
INSERT INTO analysis_claim ({claim}) SELECT {of_claim}
FROM copies JOIN analysis_claim AS old ON old.annotated_answer_id = copies.old ORDER BY old.id;
ANALYZE analysis_check, analysis_annotatedanswer, analysis_claim;
"""


@dataclass(frozen=True, slots=True)
class ReplayFigures:
    """Seconds of one replay: on the clock, of the processes that decide, and of the database's."""

    checks: int
    claims: int
    changed: int
    wall: float
    processor: float
    database: float | None


def measure_replay(*, checks: int, rules: PolicyRules) -> ReplayFigures:
    """Replay that many stored checks under the rules; nothing of it stays in the database."""
    with _application_with(checks) as application:
        selection = select(application.pk, ReplaySelection(sample=checks))
        claims = Claim.objects.filter(annotated_answer__check_record__application=application)
        backend = machine.backend()
        began, own, others = time.perf_counter(), _own(), machine.processor(backend)
        result = replay(selection.ids, rules)
        wall, spent = time.perf_counter() - began, _own() - own
        after = machine.processor(backend)
        database = None if after is None or others is None else after - others
        return ReplayFigures(result.replayed, claims.count(), result.changes, wall, spent, database)


@contextmanager
def _application_with(checks: int) -> Iterator[Application]:
    with transaction.atomic():
        application = create_application(name="Replay", slug="bench-replay", by="manage.py bench")
        application.quality_sample_rate = 0.0
        application.save()
        distinct = min(DISTINCT, checks)
        for number in range(distinct):
            # Submit an answer of some length whose sources hold a part of it, by a seeded chance.
            chance = Random(number)  # noqa: S311 - a choice of test data
            sentences = prose(chance.choice(WORDS)).split(". ")
            source_sentences = [sentence for sentence in sentences if chance.random() < 0.8]
            sources = (
                None if number % 10 == 0 else [". ".join(source_sentences) + ".", prose(100)[300:]]
            )
            new = NewCheck(
                answer=". ".join(sentences), query="What is known of the bridge?", sources=sources
            )
            run_check(submit(application_id=application.pk, new=new, by="manage.py bench").id)
        check = [f'"{name}"' for name in _columns("analysis_check") if name != "id"]
        claim = [
            f'"{name}"'
            for name in _columns("analysis_claim")
            if name not in ("id", "annotated_answer_id")
        ]
        statements = _COPY.format(
            check=", ".join(["id", *check]),
            of_check=", ".join(["copies.new", *(f"old.{name}" for name in check)]),
            claim=", ".join(["annotated_answer_id", *claim]),
            of_claim=", ".join(["copies.new", *(f"old.{name}" for name in claim)]),
        )
        with connection.cursor() as cursor:
            cursor.execute(
                statements,
                {"times": (-(-checks // distinct) - 1), "application_id": application.pk},
            )
        yield application
        transaction.set_rollback(True)


def _columns(table: str) -> list[str]:
    with connection.cursor() as cursor:
        return [
            column.name for column in connection.introspection.get_table_description(cursor, table)
        ]


def _own() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Command(BaseCommand):
    help = "Measure a replay of made-up checks that the engine measured, then undo them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--checks", type=int, default=10_000)
        parser.add_argument("--preset", choices=sorted(PRESETS), default="conservative")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        with Console(stderr=True).status("Making checks and replaying them…"):
            figures, speed = machine.around(
                lambda: measure_replay(checks=options["checks"], rules=PRESETS[options["preset"]])
            )
        if options["json"]:
            self.stdout.write(json.dumps({**asdict(figures), "machine": asdict(speed)}))
            return
        database = "unknown" if figures.database is None else f"{figures.database:.2f} s"
        self.stdout.write(
            f"{figures.checks:,} checks with {figures.claims:,} claims replayed under "
            f"{options['preset']} in {figures.wall:.2f} s; processor: {figures.processor:.2f} s "
            f"deciding, {database} in the database. {figures.changed:,} actions change."
        )
        self.stdout.write(str(speed))
