"""`manage.py evaluate_gate`: compares the written claims by kind with their floor."""

from argparse import ArgumentParser
from typing import IO, Any, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from analysis.management.progress import progress
from desk.scoring.management.checking import add_pool_arguments, configuration_named, provide_model
from desk.scoring.pool import PoolError
from desk.scoring.scoring import ScoringError
from tools.evaluation.answers.gate import floor
from tools.evaluation.answers.gate.claims import by_kind, judge_all, written_claims
from tools.evaluation.rendering import figures_table


class Command(BaseCommand):
    """Prints accuracy by kind. Exit status 1 where a kind fell under its floor."""

    help = (
        "Judge the claims written for this project, and print by kind how many were distinguished "
        "(supported or not) and judged exactly (supported, contradicted, not supported)."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--wrong", action="store_true", help="list what was judged wrongly")
        parser.add_argument(
            "--raise-floor",
            action="store_true",
            help=f"set the floor {floor.SLACK} claim under these figures where that is higher",
        )
        add_pool_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        configuration = configuration_named(options["config"])
        provide_model(configuration)
        claims, model = (
            written_claims(),
            configuration.settings.get("NLI_MODEL", settings.NLI_MODEL),
        )
        judged_claims = []
        with progress(f"Claims ({configuration.name})", len(claims)) as advance:
            try:
                for item in judge_all(
                    claims, configuration, options["processes"], options["time_limit"]
                ):
                    judged_claims.append(item)
                    advance()
            except (PoolError, ScoringError) as error:
                raise CommandError(str(error)) from error
        kinds, least = by_kind(judged_claims), floor.read(model)
        out = Console(file=cast(IO[str], self.stdout), width=100)
        rows = [
            (
                kind.name,
                str(kind.claims),
                _share(kind.distinguished, kind.claims),
                str(least.get(kind.name, {}).get("distinguished", "–")),
                _share(kind.exact, kind.claims),
                str(least.get(kind.name, {}).get("exact", "–")),
            )
            for kind in kinds
        ]
        total = sum(kind.claims for kind in kinds)
        distinguished, exact = (
            sum(kind.distinguished for kind in kinds),
            sum(kind.exact for kind in kinds),
        )
        rows.append(("all", str(total), _share(distinguished, total), "", _share(exact, total), ""))
        headings = ("kind", "claims", "distinguished", "floor", "exact verdict", "floor")
        out.print(figures_table(f"Written claims, NLI_MODEL={model}", headings, rows))
        if options["wrong"]:
            for item in judged_claims:
                if not item.exact:
                    claim = item.claim
                    line = (
                        f"{claim.kind}: {claim.text} (right: {claim.right}, said: {item.verdict})"
                    )
                    self.stdout.write(line)
        fallen = floor.falls(kinds, least)
        if fallen:
            text = "; ".join(f"{f.kind}: {f.count} {f.figure}, not {f.least}" for f in fallen)
            raise CommandError(f"Under the floor: {text}")
        if options["raise_floor"]:
            floor.write(model, floor.raise_floor(kinds, least))
            self.stdout.write(f"The floor of {model} is raised.")
        elif not least:
            self.stdout.write(f"{model} has no floor yet (--raise-floor sets one).")


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.0%})" if whole else "–"
