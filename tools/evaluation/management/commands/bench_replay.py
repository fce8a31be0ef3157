"""`manage.py bench_replay`: times the replay of stored checks under another policy."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console

from analysis.engine.policy.rules import PRESETS
from tools.evaluation.bench import machine
from tools.evaluation.bench.replaying import measure_replay


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
