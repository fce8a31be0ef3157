"""Fit the judge's probabilities: `python -m tools.training.judge.fit --data DIR --set FILE …`.

Measures labelled answers as the product does, with the judge that NLI_MODEL names, and prints
`CALIBRATIONS` of `analysis.engine.verdict.probability`; then how well answers are ranked and
flagged that the fit has not seen. Rows must have trained nothing: of the public sets the spare rows
of the tune half are taken, of `--set` files all rows.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import django
import msgspec
from tqdm import tqdm

from analysis.engine.measurement import measure
from analysis.engine.policy import DEFAULT_RULES
from analysis.engine.signal_types import Measurement, VerifierSignal
from analysis.engine.types import Submission
from analysis.engine.verdict.probability import CALIBRATIONS, features_of, is_certain, words_odds
from desk.scoring.split import source_key
from lib.stats.bootstrap import auroc_interval
from lib.stats.odds import logistic
from tools.training.answers import is_spare
from tools.training.judge.data import Row, read_rows, sources_of
from tools.training.judge.fitting import FitAnswer, FitClaim, cross_validated, fit, without_its_set
from tools.training.judge.measure import SETS


def measure_set(name: str, rows: Sequence[Row], judge: Any) -> Iterator[FitAnswer]:
    """Measure the answers of one set, without those that have no claim read by the judge."""
    for row in tqdm(rows, desc=name):
        submission = Submission(row["response"], row["query"] or "", sources_of(row))
        yield from answer_of(name, row, measure(submission, judge=judge))


def answer_of(name: str, row: Row, measurement: Measurement) -> Iterator[FitAnswer]:
    judged_signals = [
        signal for signal in measurement.signals if signal.checkable and signal.judgement
    ]
    claims = tuple(claim for signal in judged_signals for claim in _claim(signal))
    kind = next((signal.judgement.kind for signal in judged_signals if signal.judgement), None)
    if claims and kind is not None:
        yield FitAnswer(name, kind, source_key(row), int(row["label"]), claims)


def _claim(signal: VerifierSignal) -> Iterator[FitClaim]:
    judgement, features = signal.judgement, features_of(signal)
    if judgement is None or features is None:
        return
    settled = 1 if is_certain(signal) else -1 if judgement.verbatim else 0
    words = words_odds(signal, features)
    unread = 1 - judgement.evidence_read
    yield FitClaim(judgement.odds, words, settled, judgement.answer_odds, unread)


def measured(options: argparse.Namespace) -> list[FitAnswer]:
    """Measure all answers, or read them from the file that an earlier run kept them in."""
    if options.keep and options.keep.exists():
        return msgspec.json.decode(options.keep.read_bytes(), type=list[FitAnswer])
    from analysis.judge import own_judge  # noqa: PLC0415 - settings first

    judge = own_judge()
    if judge is None:
        raise SystemExit("no judge is prepared under MODEL_DIR, or NLI_MODEL names none")
    rows = {path.stem: list(read_rows(path)) for path in options.set}
    for name in SETS:
        path = options.data / "grounding" / f"{name}.jsonl"
        rows[name] = [row for row in read_rows(path) if is_spare(row)][: options.most]
    answers = [answer for name, row in rows.items() for answer in measure_set(name, row, judge)]
    if options.keep:
        options.keep.write_bytes(msgspec.json.encode(answers))
    return answers


def table(answers: Sequence[FitAnswer]) -> Iterator[str]:
    """Yield AUROC, right flagged and wrong passed, for each kind and each set.

    By what ships, and by what was fitted without the answer's source or without its set.
    """
    columns = (
        {at: answer.odds(CALIBRATIONS[answer.kind]) for at, answer in enumerate(answers)},
        cross_validated(answers),
        without_its_set(answers),
    )
    yield "AUROC [95 %], right flagged, wrong passed | answers | shipped | sources out | set out"
    groups = {f"kind {kind}": {at for at, a in enumerate(answers) if a.kind is kind}
              for kind in CALIBRATIONS}  # fmt: skip
    for name in dict.fromkeys(answer.set for answer in answers):
        groups[name] = {at for at, answer in enumerate(answers) if answer.set == name}
    for name, members in groups.items():
        figures = (_figures(answers, members & column.keys(), column) for column in columns)
        yield f"{name} | {len(members)} | {' | '.join(figures)}"


def _figures(answers: Sequence[FitAnswer], members: set[int], odds: Mapping[int, float]) -> str:
    places = sorted(members)
    labels, scores = [bool(answers[at].label) for at in places], [odds[at] for at in places]
    span = auroc_interval(labels, scores, [answers[at].source for at in places])
    if span.value is None or span.low is None or span.high is None:
        return "–"
    flagged = [logistic(score) >= DEFAULT_RULES.unsupported_at for score in scores]
    right = [flag for flag, label in zip(flagged, labels, strict=True) if not label]
    wrong = [flag for flag, label in zip(flagged, labels, strict=True) if label]
    rates = f"{sum(right) / len(right):.0%}, {1 - sum(wrong) / len(wrong):.0%}"
    return f"{span.value:.3f} [{span.low:.3f}, {span.high:.3f}], {rates}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", type=Path, action="append", default=[], help="development rows")
    parser.add_argument("--most", type=int, default=60, help="rows of a public set")
    parser.add_argument("--keep", type=Path, help="file of the measured answers, to fit again")
    options = parser.parse_args()
    django.setup()
    answers = measured(options)
    for kind, calibration in fit(answers).items():
        print(kind, calibration)
    for line in table(answers):
        print(line)


if __name__ == "__main__":
    main()
