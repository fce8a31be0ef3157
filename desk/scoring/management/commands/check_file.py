"""`manage.py check_file`: checks every answer of a file, one JSON line each. Stores nothing."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from analysis.engine.policy import PolicyError, PolicyRules
from analysis.management.progress import progress
from desk.scoring.checking import Tally, check_rows
from desk.scoring.configuration import Configuration
from desk.scoring.management.checking import add_pool_arguments, configuration_named, provide_model
from desk.scoring.pool import PoolError
from desk.scoring.rows import read_rows

_MOST_TOLD = 100
_INTERRUPTED = 130


class Command(BaseCommand):
    """Moves OUT into place when complete; until then the results are in OUT.partial."""

    help = (
        "Check every answer of a JSONL file (id, query, context, response) with the product's own "
        "functions and write one JSON line each: id, risk_score (0-100), action, "
        "hallucination_score (0-1, higher is worse) and claims with their spans. "
        "Needs no database. Exit status 1 where a line could not be checked."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="JSONL: one answer a line")
        parser.add_argument("--out", type=Path, required=True, help="where the results go")
        parser.add_argument(
            "--policy", type=Path, help="a JSON file with the parts of the policy to set otherwise"
        )
        add_pool_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        file, out = options["file"], options["out"]
        configuration = configuration_named(options["config"])
        if options["policy"]:
            configuration = _with_policy(configuration, options["policy"])
        total = _lines_in(file)
        if out.exists() and out.samefile(file):
            raise CommandError("--out names the input file.")
        provide_model(configuration)
        began, tally = perf_counter(), Tally()
        with _put_in_place(out) as target, progress(file.name, total) as advance:
            lines = check_rows(
                read_rows(file),
                configuration,
                tally,
                processes=min(options["processes"], max(1, total)),
                time_limit=options["time_limit"],
            )
            try:
                for line in lines:
                    target.write(line + "\n")
                    advance()
            except PoolError as error:
                raise CommandError(f"Nothing can be checked: {error}") from error
        self._tell(tally, file, out, perf_counter() - began)

    def _tell(self, tally: Tally, file: Path, out: Path, seconds: float) -> None:
        """Write the summary to stdout, and problems to stderr and into the exit status."""
        count = tally.actions.total()
        actions = ", ".join(f"{name} {tally.actions[name]}" for name in ("ALLOW", "WARN", "BLOCK"))
        self.stdout.write(f"{count} answers in {seconds:.1f} s: {actions}. Written to {out}.")
        checked_count = count - len(tally.failed)
        if checked_count:
            each, models = tally.cpu_milliseconds / checked_count, ", ".join(sorted(tally.models))
            self.stdout.write(f"{each:.1f} ms of processor time for an answer; models: {models}.")
        for what, times in tally.not_checked.most_common():
            self.stdout.write(f"Not checked in {times} answers: {what}.")
        for problem in tally.problems[:_MOST_TOLD]:
            self.stderr.write(f"{file}, line {problem.line}: {problem.reason}")
        if tally.problems:
            raise CommandError(
                f"{len(tally.problems)} lines could not be checked "
                f"(without a result: {len(tally.bad)}; with a stated one: {len(tally.failed)}). "
                f"The other results are in {out}."
            )


def _lines_in(file: Path) -> int:
    try:
        with file.open("rb") as lines:
            return sum(1 for line in lines if line.strip())
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error


def _with_policy(configuration: Configuration, file: Path) -> Configuration:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        PolicyRules.from_json(data)
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, PolicyError) as error:
        raise CommandError(f"{file} is not a policy: {error}") from error
    return replace(configuration, policy={**configuration.policy, **data})


@contextmanager
def _put_in_place(out: Path) -> Iterator[IO[str]]:
    """Yield a file that replaces `out` once complete; a partial file remains on failure."""
    partial = out.with_name(out.name + ".partial")
    try:
        with partial.open("w", encoding="ascii", buffering=1) as target:
            yield target
        partial.replace(out)
    except KeyboardInterrupt:
        message = f"Interrupted. What was done until then is in {partial}."
        raise CommandError(message, returncode=_INTERRUPTED) from None
    except OSError as error:
        raise CommandError(
            f"{error.filename or out} cannot be written: {error.strerror}."
        ) from error
