"""`manage.py advise_threshold`: the threshold that the reviewed answers support."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder
from rich.console import Console
from rich.table import Table

from accounts.management.applications import application_named
from desk.policies.advice.report import ALPHA, DAYS, DELTA, AdviceRequest, advise
from desk.policies.advice.thresholds import Point, Threshold


class Command(BaseCommand):
    """Prints the curve, the proposal and its assumptions; changes nothing."""

    help = "Advise on a threshold of the policy, from the reviewed quality sample."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--application", required=True, help="slug of the application")
        names = [str(item) for item in Threshold]
        parser.add_argument("--threshold", choices=names, default=str(Threshold.UNSUPPORTED_AT))
        parser.add_argument(
            "--alpha",
            type=float,
            default=ALPHA,
            help="highest acceptable unsupported share",
        )
        parser.add_argument("--delta", type=float, default=DELTA, help="1 - confidence")
        parser.add_argument("--days", type=int, default=DAYS, help="how many days back to look")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        application = application_named(options["application"])
        if not (0 < options["alpha"] < 1 and 0 < options["delta"] < 1) or options["days"] < 1:
            raise CommandError("--alpha and --delta must be between 0 and 1, --days at least 1.")
        which = Threshold(options["threshold"])
        question = AdviceRequest(which, options["alpha"], options["delta"], options["days"])
        advice = advise(application.pk, question)
        if options["json"]:
            self.stdout.write(json.dumps(asdict(advice), cls=DjangoJSONEncoder))
            return
        out = Console(file=cast(IO[str], self.stdout), width=100)
        out.print(_table(str(advice.threshold), {f"{p.threshold:g}": p for p in advice.curve}))
        out.print(_table("kind of answer", advice.kinds))
        out.print(advice.words)
        out.print(f"In force: {advice.threshold} = {advice.current:g}.")
        for title, lines in (("Basis", advice.assumptions), ("Cautions", advice.cautions)):
            if lines:
                out.print(f"\n{title}:", *(f"- {line}" for line in lines), sep="\n")


def _table(name: str, points: dict[str, Point]) -> Table:
    table = Table()
    for heading in (
        name, "accepted", "unsupported", "share", "at most", "wrongly rejected", "share",
        "meets the target",
    ):  # fmt: skip
        table.add_column(heading, justify="right")
    for row, point in points.items():
        table.add_row(
            row,
            str(point.accepted),
            str(point.unsafe_accepted),
            _share(point.unsafe_rate),
            _share(point.at_most),
            str(point.wrongly_rejected),
            _share(point.rejected_rate),
            "yes" if point.holds else "",
        )
    return table


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"
