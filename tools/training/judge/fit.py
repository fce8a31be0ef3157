"""Fit the judge's probabilities: `python -m tools.training.judge.fit --data DIR --set FILE …`.

Measures labelled answers as the product does, with the judge that NLI_MODEL names, and prints the
numbers that depend on its weights: `WEIGHTS` of `analysis.engine.verdict.probability`, `JUDGE` of
`answer_score` and `score.warn_above` of the default policy; then how well answers are ranked that
the fit has not seen. Rows must have trained nothing: of the public sets the spare rows of the tune
half are taken, of `--set` files all rows. Right answers of the latter say what the thresholds of
the default policy mean.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import django
import msgspec
from tqdm import tqdm

from analysis.engine.evidence.records import as_text
from analysis.engine.measurement import measure
from analysis.engine.policy.rules import DEFAULT_RULES
from analysis.engine.signal_types import Measurement, VerifierSignal
from analysis.engine.types import Claim, Source, Submission
from analysis.engine.verdict.answer_score import JUDGE
from analysis.engine.verdict.judge_scores import EXACT
from analysis.engine.verdict.probability import WEIGHTS, is_certain, judge_parts
from desk.scoring.split import source_key, split_of
from lib.stats.bootstrap import auroc_interval
from lib.stats.calibration import expected_calibration_error, reliability
from tools.training.answers import trains
from tools.training.judge.data import read_rows
from tools.training.judge.fitting import (
    FitAnswer,
    FitClaim,
    JudgeFit,
    cross_validated,
    fit,
    warning_limit,
    without_its_kind,
)
from tools.training.judge.measure import SETS

Row = Mapping[str, Any]


def measure_set(kind: str, rows: Sequence[Row], judge: Any) -> Iterator[FitAnswer]:
    """The answers of one set, measured; those without a claim that the judge read are left out."""
    for row in tqdm(rows, desc=kind):
        parts = [part if isinstance(part, str) else as_text(part) for part in row["context"]]
        sources = tuple(Source(f"s{at}", text) for at, text in enumerate(parts, start=1))
        submission = Submission(row["response"], row["query"] or "", sources)
        claims = claims_of(measure(submission, judge=judge), row)
        if claims:
            yield FitAnswer(kind, source_key(row), int(row["label"]), claims)


def claims_of(measurement: Measurement, row: Row) -> tuple[FitClaim, ...]:
    both = zip(measurement.claims, measurement.signals, strict=True)
    pairs = [(claim, signal) for claim, signal in both if signal.checkable and judge_parts(signal)]
    alone = len(pairs) == 1
    return tuple(_claim(signal, _label_of(claim, row, alone=alone)) for claim, signal in pairs)


def _claim(signal: VerifierSignal, label: int | None) -> FitClaim:
    parts, judgement = judge_parts(signal), signal.judgement
    if parts is None or judgement is None:
        raise ValueError("the claim was not judged")
    not_entailed = judgement.contradict + judgement.neutral
    against = judgement.contradict / not_entailed if not_entailed else 0.0
    return FitClaim(parts, is_certain(signal), _is_exact(signal), against, label)


def _is_exact(signal: VerifierSignal) -> bool:
    words = signal.lexical
    if words is None or words.contradict <= words.entail:
        return False
    exact = any(conflict.kind in EXACT for conflict in signal.conflicts)
    return exact and words.contradict >= DEFAULT_RULES.high_confidence_at


def _label_of(claim: Claim, row: Row, *, alone: bool) -> int | None:
    """Whether the claim is unsupported (1); None where nobody marked which one is."""
    spans = row.get("spans") or []
    if row["label"] == 0 or alone:
        return int(row["label"])
    if not spans:
        return None
    return int(any(start < claim.end and claim.start < end for start, end, *_ in spans))


def measured(options: argparse.Namespace) -> list[FitAnswer]:
    """All answers; read from the file to keep them in, where an earlier run has written it."""
    if options.keep and options.keep.exists():
        return msgspec.json.decode(options.keep.read_bytes(), type=list[FitAnswer])
    from analysis.judge import own_judge  # noqa: PLC0415 - settings first

    judge = own_judge()
    if judge is None:
        raise SystemExit("no judge is prepared under MODEL_DIR, or NLI_MODEL names none")
    rows = {path.stem: list(read_rows(path)) for path in options.set}
    for name in SETS:
        path = options.data / "grounding" / f"{name}.jsonl"
        spare = [row for row in read_rows(path) if split_of(row) == "tune" and not trains(row)]
        rows[name] = spare[: options.most]
    answers = [answer for name, row in rows.items() for answer in measure_set(name, row, judge)]
    if options.keep:
        options.keep.write_bytes(msgspec.json.encode(answers))
    return answers


def table(answers: Sequence[FitAnswer], dev: frozenset[str]) -> Iterator[str]:
    """AUROC and calibration error of what ships, and by source and by kind left out of the fit."""
    shipped = JudgeFit(WEIGHTS, JUDGE)
    columns = (
        {at: shipped.chance(answer) for at, answer in enumerate(answers)},
        cross_validated(answers, dev),
        without_its_kind(answers, dev),
    )
    yield "AUROC [95 %], calibration error | answers | shipped | sources left out | kind left out"
    kinds = dict.fromkeys(answer.kind for answer in answers)
    groups = {kind: {kind} for kind in kinds}
    groups |= {"development": set(dev), "public": set(kinds) - dev, "all": set(kinds)}
    for name, members in groups.items():
        places = [at for at, answer in enumerate(answers) if answer.kind in members]
        figures = (
            _figures([answers[at] for at in places], [c[at] for at in places]) for c in columns
        )
        yield f"{name} | {len(places)} | {' | '.join(figures)}"


def _figures(answers: Sequence[FitAnswer], scores: Sequence[float]) -> str:
    labels = [bool(answer.label) for answer in answers]
    span = auroc_interval(labels, scores, [answer.source for answer in answers])
    error = expected_calibration_error(reliability(labels, scores))
    if span.value is None or span.low is None or span.high is None or error is None:
        return "–"
    return f"{span.value:.3f} [{span.low:.3f}, {span.high:.3f}], {error:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", type=Path, action="append", default=[], help="development rows")
    parser.add_argument("--most", type=int, default=60, help="rows of a public set")
    parser.add_argument("--keep", type=Path, help="file of the measured answers, to fit again")
    options = parser.parse_args()
    django.setup()
    answers = measured(options)
    dev = frozenset(path.stem for path in options.set)
    judge_fit = fit(answers, dev)
    right = [answer for answer in answers if answer.kind in dev and not answer.label]
    print(f"WEIGHTS = {judge_fit.weights}", f"JUDGE = {judge_fit.calibration}", sep="\n")
    if right:
        print(f"score.warn_above = {warning_limit(judge_fit, right)}")
    for line in table(answers, dev):
        print(line)


if __name__ == "__main__":
    main()
