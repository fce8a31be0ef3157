"""Whether claims could be sent before their check has ended: when, and how many would change.

    python -m evaluation.bench.early ANSWERS.jsonl --models .data/models --answers 40

Reads answers as `manage.py evaluate` does and judges them with the base judge.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

from analysis.engine.decision import decide
from analysis.engine.measurement import measure
from analysis.engine.signal_types import Measurement
from analysis.engine.signals.judgement import ClaimJudgement, Judge
from analysis.engine.types import Submission
from inference.judge import get_judge
from scoring.rows import Row, read_rows


@dataclass(frozen=True, slots=True)
class Early:
    """What was seen of one answer's claims.

    `judged_at` is the share of the check's time after which the judge has read all claims.
    `by_words` counts the claims that have another status without the judge, `by_those_so_far`
    those that have another one as long as later claims are unknown.
    """

    claims: int
    judged_at: float
    by_words: int
    by_those_so_far: int


class _Timed:
    """A judge that remembers when it had read all claims."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.ended = 0.0
        self.model_id = judge.model_id

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> Sequence[ClaimJudgement | None]:
        result = self.judge.predict(question, evidence, claims, before=before, seconds=seconds)
        self.ended = perf_counter()
        return result


def look(submission: Submission, judge: Judge) -> Early:
    """Check one answer and count what would have changed."""
    timed, began = _Timed(judge), perf_counter()
    measurement = measure(submission, judge=timed)
    final = _statuses(submission, measurement)
    took = perf_counter() - began
    by_words = _statuses(submission, measure(submission))
    so_far = [
        _statuses(submission, first_claims(measurement, count))[-1]
        for count in range(1, len(final) + 1)
    ]
    judged_at = (timed.ended - began) / took if timed.ended else 1.0
    return Early(len(final), judged_at, _changed(by_words, final), _changed(so_far, final))


def first_claims(measurement: Measurement, count: int) -> Measurement:
    """The measurement as it was if the answer's later claims were not known yet."""
    ids = {claim.claim_id for claim in measurement.claims[:count]}
    return replace(
        measurement,
        claims=measurement.claims[:count],
        signals=measurement.signals[:count],
        contradictions=tuple(
            finding for finding in measurement.contradictions if ids.issuperset(finding.claim_ids)
        ),
    )


def _statuses(submission: Submission, measurement: Measurement) -> list[str]:
    return [claim.status.value for claim in decide(submission.answer, measurement).claims]


def _changed(early: Sequence[str], final: Sequence[str]) -> int:
    return sum(before != after for before, after in zip(early, final, strict=True))


def report(seen: Sequence[Early]) -> str:
    """The figures of all answers in words."""
    claims = sum(answer.claims for answer in seen)
    at = sorted(answer.judged_at for answer in seen)
    return (
        f"{len(seen)} answers, {claims} claims; the judge has read all claims after "
        f"{median(at):.1%} of a check's time (median; least {at[0]:.1%})\n"
        f"another status by words alone: {sum(answer.by_words for answer in seen)} claims; "
        f"by the claims so far: {sum(answer.by_those_so_far for answer in seen)}"
    )


def several_claims(rows: Iterable[object], looked: Callable[[Row], Early]) -> Iterable[Early]:
    """What was seen of the answers that make two claims or more."""
    return (early for row in rows if isinstance(row, Row) and (early := looked(row)).claims > 1)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--models", type=Path, default=Path(".data/models"))
    parser.add_argument("--answers", type=int, default=40, help="of each file")
    options = parser.parse_args(argv)
    judge = get_judge(options.models)
    seen = [
        early
        for path in options.files
        for early in islice(
            several_claims(read_rows(path), lambda row: look(row.submission, judge)),
            options.answers,
        )
    ]
    print(report(seen))


if __name__ == "__main__":
    main()
