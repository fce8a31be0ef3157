"""`manage.py check_answer`: checks one answer from the command line with the same engine."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.management.applications import application_named
from analysis.engine import decide
from analysis.engine.policy import DEFAULT_RULES, PolicyRules
from analysis.engine.signal_types import Measurement
from analysis.engine.types import ClaimStatus, Source, Submission
from analysis.engine.verdict.wording import LABELS
from analysis.engine.verdict_types import Decision
from analysis.services.measuring import measure_submission
from analysis.services.policies import active_policy, rules_of
from lib.text.citations import marks

_STDIN = "-"
_MARKS = {
    ClaimStatus.SUPPORTED: "✓",
    ClaimStatus.CONTRADICTORY: "✗",
    ClaimStatus.LOW_CONFIDENCE: "?",
}


class Command(BaseCommand):
    """Prints a verdict as text or JSON. Stores nothing."""

    help = "Check an answer against source files and print the verdict. Nothing is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--question", default="", help="the question that was asked")
        parser.add_argument("--answer", help="the answer; omitted or `-`: standard input")
        parser.add_argument("--answer-file", type=Path, help="read the answer from a file")
        parser.add_argument(
            "--source", type=Path, action="append", help="a UTF-8 text file; repeatable"
        )
        parser.add_argument("--application", help="slug; decide by its active policy")
        parser.add_argument("--json", action="store_true", help="print the whole result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        sources = [
            Source(source_id=path.name, text=_read(path), title=path.name, uri=str(path))
            for path in options["source"] or ()
        ]
        submission = Submission(
            answer=self._answer(options),
            query=options["question"],
            sources=tuple(sources) if sources else None,
        )
        rules = _rules(options["application"])
        measurement = measure_submission(submission, rules)
        decision = decide(submission.answer, measurement, rules)
        if options["json"]:
            whole = {"measurement": measurement.to_json(), "decision": decision.to_json()}
            self.stdout.write(json.dumps(whole, indent=2, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(_lines(measurement, decision)))

    def _answer(self, options: dict[str, Any]) -> str:
        if options["answer_file"]:
            return _read(options["answer_file"])
        if options["answer"] not in (None, _STDIN):
            return str(options["answer"])
        text = sys.stdin.read()
        if not text.strip():
            raise CommandError("There is no answer: use --answer, --answer-file or standard input.")
        return text


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not UTF-8 text (byte {error.start}).") from error


def _rules(slug: str | None) -> PolicyRules:
    if slug is None:
        return DEFAULT_RULES
    return rules_of(active_policy(application_named(slug).pk).pk)


def _lines(measurement: Measurement, decision: Decision) -> Iterator[str]:
    """Yield action, reasons, claims with evidence, unfinished signals and final text."""
    risk = decision.risk
    yield f"{decision.action}  risk {risk.risk_score}/100 ({risk.risk_level})"
    yield risk.explanation
    for reason in decision.reasons:
        yield f"  {'→' if reason.decided else ' '} {reason.action}: {reason.text}"
    yield f"\nClaims ({len(measurement.claims)}):"
    passages = {chunk.ref: chunk for chunk in measurement.evidence}
    for claim, decided in zip(measurement.claims, decision.claims, strict=True):
        yield f"  {_MARKS[decided.status]} {claim.text}"
        why = f" ({decided.reason})" if decided.reason else ""
        yield f"      {LABELS[decided.status]}{why}: {decided.rationale}"
        if decided.primary_evidence in passages:
            passage = passages[decided.primary_evidence]
            yield f"      {passage.source or passage.doc_id}: “{passage.text.strip()}”"
    for signal in decision.not_checked:
        yield f"Not checked: {signal.signal} ({signal.status}: {signal.reason})"
    if decision.hold:
        yield f"\nShown until a person has approved the answer:\n{decision.hold.waiting_text}"
        return
    yield f"\nSafe to show:\n{decision.final_response}"
    numbers = {n for mark in marks(decision.final_response) for n in mark.numbers}
    for number, cited in enumerate(decision.citations.passages, start=1):
        if number in numbers:
            yield f"  [{number}] {cited.title}: “{cited.text.strip()}”"
