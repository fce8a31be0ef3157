"""`manage.py cases add|run`: known answers, and what a policy makes of them."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.management.applications import application_named
from accounts.models import Application
from analysis.engine.policy import PolicyError, PolicyRules
from analysis.models import CaseUse
from analysis.selectors.cases import case_outcomes
from desk.policies.management.commands.policy import read_rules, version_of
from desk.policies.services.cases import (
    CasesRefused,
    add_cases,
    all_ended,
    measure_again,
    read_cases,
)


class Command(BaseCommand):
    """`run` fails if a regression case does not pass, for CI."""

    help = "Add cases from labelled answers, or decide the regression cases under a policy."

    def add_arguments(self, parser: ArgumentParser) -> None:
        todo = parser.add_subparsers(dest="todo", required=True)
        add = todo.add_parser("add", help="add the rows of a JSONL file, as export_reviewed writes")
        add.add_argument("application", help="slug or id")
        add.add_argument("file", type=Path)
        add.add_argument("--use", choices=CaseUse.values, required=True)
        run = todo.add_parser("run", help="decide the regression cases; exit status 1 if one fails")
        run.add_argument("application", help="slug or id")
        which = run.add_mutually_exclusive_group()
        which.add_argument("--policy", type=Path, help="a file, as `policy export` writes it")
        which.add_argument("--version", dest="number", type=int, help="default: the one in force")
        run.add_argument(
            "--fresh", type=int, metavar="SECONDS",
            help="have them checked anew first, by the models and the engine of today",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        application = application_named(options["application"])
        if options["todo"] == "run":
            self._run(application, options)
            return
        try:
            with options["file"].open("rb") as file:
                cases = read_cases(file)
            add_cases(
                application=application,
                use=CaseUse(options["use"]),
                cases=cases,
                by="manage.py cases",
            )
        except (OSError, CasesRefused) as error:
            raise CommandError(f"{options['file']}: {error}") from error
        self.stdout.write(f"{application.slug}: {len(cases)} cases added, {options['use']}.")

    def _run(self, application: Application, options: dict[str, Any]) -> None:
        rules = _rules(application, options)
        if options["fresh"] is not None:
            ids = measure_again(application=application, by="manage.py cases")
            deadline = time.monotonic() + options["fresh"]
            while not all_ended(ids):
                if time.monotonic() > deadline:
                    raise CommandError(f"Not all were checked within {options['fresh']} seconds.")
                time.sleep(0.5)
        outcomes = case_outcomes(application.pk, rules)
        for outcome in outcomes:
            words = "passed" if outcome.passed else "FAILED"
            label = "bad" if outcome.case.is_bad else "good"
            self.stdout.write(
                "\t".join((words, label, outcome.action or outcome.cannot, outcome.case.name))
            )
        if not outcomes:
            raise CommandError(f"{application.slug} has no regression cases.")
        if failed := sum(not outcome.passed for outcome in outcomes):
            raise CommandError(f"{failed} of {len(outcomes)} regression cases failed.")
        self.stdout.write(f"All {len(outcomes)} regression cases passed.")


def _rules(application: Application, options: dict[str, Any]) -> PolicyRules:
    """Return the rules of the file, of the version, or those in force. Raises CommandError."""
    path = options["policy"]
    if path is None:
        return PolicyRules.from_json(version_of(application, options["number"]).rules)
    try:
        return PolicyRules.from_json(read_rules(path))
    except PolicyError as error:
        raise CommandError(f"The policy is not valid: {error}") from error
