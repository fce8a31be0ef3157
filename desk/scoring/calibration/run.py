"""Fits a judge and a policy on half of an operator's sources; measures on the other half."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.engine.policy import PolicyRules
from analysis.services.measuring import measure_submission
from desk.scoring.calibration.judge_fit import fit_judge
from desk.scoring.calibration.labels import CalibrationError, LabelledAnswer, labelled
from desk.scoring.calibration.policy_fit import Aims, Rates, fit_policy, rates
from desk.scoring.rows import Row
from desk.scoring.split import split_of
from inference.judge.calibration import CalibratedJudge, Calibration
from inference.judge.types import ClaimJudgement, Judge

_Question = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class CalibrationRun:
    """The fit, and the policy's rates on `held_out` answers before and after.

    `calibration` is None of an included judge, whose probabilities stay as they are.
    """

    calibration: Calibration | None
    policy: PolicyRules
    answers: int
    held_out: int
    before: Rates
    after: Rates


def calibrate(
    rows: Sequence[Row],
    judge: Judge,
    name: str | None,
    rules: PolicyRules,
    aims: Aims,
    advance: Callable[[], None] = lambda: None,
) -> CalibrationRun:
    """Fit the judge `name`, whose raw scores `judge` returns, and then the policy.

    Without a name only the policy is fitted: the judge's probabilities are calibrated within each
    kind of answer. The half of a source follows from its text alone. Each answer is measured as a
    worker does: first with the judge as it is, then with the fitted one, which reads nothing again.
    `advance` is called for each measured row. Raises CalibrationError, and RowError for a label.
    """
    fitting = [row for row in rows if split_of(row.raw) == "tune"]
    held_out = [row for row in rows if split_of(row.raw) == "report"]
    if not held_out:
        raise CalibrationError("No source is held out; the rows need more sources.")
    raw = CachedJudge(judge)

    def measured(half: Sequence[Row], by: Judge) -> list[LabelledAnswer]:
        answers = []
        for row in half:
            answers.append(labelled(row, measure_submission(row.submission, rules, None, by)))
            advance()
        return answers

    calibration: Calibration | None = None
    fitted_judge: Judge = raw
    answers = measured(fitting, raw)
    if name is not None:
        calibration = fit_judge(answers, name)
        fitted_judge = CalibratedJudge(raw, calibration, name)
        answers = measured(fitting, fitted_judge)
    policy = fit_policy(answers, rules, aims)
    others = measured(held_out, fitted_judge)
    before, after = rates(others, rules), rates(others, policy)
    return CalibrationRun(calibration, policy, len(fitting), len(held_out), before, after)


def measurements_of(rows: Sequence[Row], *, twice: bool) -> int:
    """Return how many measurements `calibrate` makes of these rows; `twice`: it has a name."""
    return len(rows) + (sum(split_of(row.raw) == "tune" for row in rows) if twice else 0)


class CachedJudge:
    """A `Judge` that caches another's scores, so that an answer is read once."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._judgements: dict[_Question, tuple[ClaimJudgement | None, ...]] = {}

    @property
    def model_id(self) -> str:
        return self._judge.model_id

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        key = question, tuple(evidence), tuple(claims), tuple(before)
        if key not in self._judgements:
            self._judgements[key] = self._judge.predict(
                question, evidence, claims, before=before, seconds=seconds
            )
        return self._judgements[key]
