"""`manage.py calibrate`: fits a judge and the policy's thresholds to your answers."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.table import Table

from analysis.engine.policy import DEFAULT_RULES, PolicyError, PolicyRules
from analysis.judge import included_judge, language_model
from analysis.judge import judge as judge_of_settings
from analysis.management.progress import progress
from desk.scoring.calibration.labels import CalibrationError
from desk.scoring.calibration.policy_fit import Aims, Rates
from desk.scoring.calibration.run import CalibrationRun, calibrate, measurements_of
from desk.scoring.rows import BadLine, Row, read_rows
from desk.scoring.truth import labelled
from inference.errors import ModelError
from inference.judge.calibration import file_of, write_calibration
from inference.judge.named_judges import name_of, named_judge
from inference.judge.types import Judge

_INCLUDED, _LANGUAGE_MODEL = "included", "llm"
_MOST_NAMED = 10
_DEFAULTS = Aims()


class Command(BaseCommand):
    """Writes the judge's calibration below MODEL_DIR and a policy with the fitted thresholds."""

    help = (
        "Fit what the probabilities of a judge mean (those of the included ones stay), and the "
        "thresholds of a policy for it, on half of the sources of labelled answers; print what "
        "the policy flags of the other half. "
        "JSONL with response, context, label (1: not supported) and, where known, spans."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--judge",
            default=settings.JUDGE_MODEL or _INCLUDED,
            help="KIND:FOLDER; llm: the language model of the settings; included: NLI_MODEL "
            "(default: JUDGE_MODEL, or else the included one)",
        )
        parser.add_argument("--data", type=Path, required=True, help="JSONL of labelled answers")
        parser.add_argument(
            "--policy", type=Path, help="the policy to start from, as `policy export` writes it"
        )
        parser.add_argument(
            "--out", type=Path, help="where the policy goes (default: beside the calibration)"
        )
        parser.add_argument(
            "--false-alarms",
            type=float,
            default=_DEFAULTS.flagged,
            help="share of right answers, and of right claims, to flag at most",
        )
        parser.add_argument(
            "--false-blocks",
            type=float,
            default=_DEFAULTS.blocked,
            help="share of right answers to block at most",
        )
        parser.add_argument("--dry-run", action="store_true", help="fit and print, write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        rules, aims = _rules_in(options["policy"]), _aims_in(options)
        try:
            name, judge = _judge_of(options["judge"])
            rows = self._rows(options["data"])
            total = measurements_of(rows, twice=name is not None)
            with progress(options["data"].name, total) as advance:
                fitted = calibrate(rows, judge, name, rules, aims, advance)
            self._print(fitted, name)
            if not options["dry_run"]:
                self._write(fitted, name, options)
        except (ModelError, CalibrationError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}.") from error

    def _rows(self, path: Path) -> list[Row]:
        """Return the labelled rows; count and report unusable ones."""
        rows = [labelled(item) for item in read_rows(path)]
        bad = [item for item in rows if isinstance(item, BadLine)]
        for item in bad[:_MOST_NAMED]:
            self.stderr.write(f"line {item.line}: {item.reason}")
        if bad:
            self.stderr.write(f"{len(bad)} of {len(rows)} rows were left out.")
        return [item for item in rows if isinstance(item, Row)]

    def _print(self, fitted: CalibrationRun, name: str | None) -> None:
        calibration, policy = fitted.calibration, fitted.policy
        if calibration is None:
            self.stdout.write(f"The included judge: thresholds fitted on {fitted.answers} answers.")
        else:
            self.stdout.write(
                f"{name}: fitted on {calibration.claims} claims of {fitted.answers} answers, bias "
                f"{calibration.bias}, factor {calibration.factor}."
            )
        self.stdout.write(
            f"Thresholds: unsupported_at {policy.unsupported_at:g}, unsupported_sure_at "
            f"{policy.unsupported_sure_at:g}, score.warn_above {policy.score.warn_above:g}."
        )
        own = {kind: at for kind, at in asdict(policy.by_kind).items() if at}
        if own:
            text = ", ".join(f"{kind} {at:g}" for kind, at in own.items())
            self.stdout.write(f"unsupported_at by kind of answer: {text}.")
        columns = ("the policy as it was", "with these thresholds")
        table = Table(f"of {fitted.held_out} answers about other sources", *columns)
        for before, after in zip(_lines(fitted.before), _lines(fitted.after), strict=True):
            table.add_row(*before, after[1])
        Console(file=self.stdout, width=100).print(table)  # type: ignore[arg-type]

    def _write(self, fitted: CalibrationRun, name: str | None, options: dict[str, Any]) -> None:
        default = file_of(settings.MODEL_DIR, name or _INCLUDED).with_suffix(".policy.json")
        out: Path = options["out"] or default
        out.parent.mkdir(parents=True, exist_ok=True)
        steps = [f"manage.py policy import {out} --application SLUG --activate"]
        if fitted.calibration is not None and name is not None:
            path = write_calibration(settings.MODEL_DIR, name, fitted.calibration)
            self.stdout.write(f"Calibration: {path}")
            steps.insert(0, "restart the workers, which then read the calibration")
            if options["judge"] != _LANGUAGE_MODEL:
                steps.insert(0, f"set JUDGE_MODEL={options['judge']}")
        out.write_text(json.dumps(fitted.policy.to_json(), indent=1) + "\n", encoding="utf-8")
        self.stdout.write("\n  ".join([f"Policy: {out}\nTo use it:", *steps]))


def _judge_of(setting: str) -> tuple[str | None, Judge]:
    """Return the judge with its raw scores, and its name if these are fitted. Raises ModelError."""
    if setting == _INCLUDED:
        included = included_judge()
        if included is None:
            raise CommandError("NLI_MODEL names no judge, or it is not prepared.")
        return None, included
    if setting == _LANGUAGE_MODEL:
        model, whole = language_model(), judge_of_settings(calibrated=False)
        if model is None or whole is None:
            raise CommandError("JUDGE_LLM_URL names no language model.")
        return model.name, whole
    judge = named_judge(setting, settings.MODEL_DIR, threads=settings.NLI_THREADS, calibrated=False)
    _ = judge.model_id  # opens it: a check would only state that it is broken
    return name_of(setting), judge


def _aims_in(options: dict[str, Any]) -> Aims:
    aims = Aims(options["false_alarms"], options["false_blocks"])
    if not (0 <= aims.flagged <= 1 and 0 <= aims.blocked <= 1):
        raise CommandError("--false-alarms and --false-blocks must be between 0 and 1.")
    return aims


def _rules_in(path: Path | None) -> PolicyRules:
    if path is None:
        return DEFAULT_RULES
    try:
        return PolicyRules.from_json(yaml.safe_load(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except (PolicyError, ValueError, yaml.YAMLError) as error:
        raise CommandError(f"{path} is not a policy: {error}") from error


def _lines(rates: Rates) -> Iterator[tuple[str, str]]:
    for what, counts in (
        ("claims not supported", rates.claims),
        ("answers flagged", rates.flagged),
        ("answers blocked", rates.blocked),
    ):
        yield f"right {what}", _share(counts.fp, counts.fp + counts.tn)
        yield f"wrong {what}", _share(counts.tp, counts.tp + counts.fn)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%} ({part} of {whole})" if whole else "none"
