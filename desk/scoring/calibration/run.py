"""Fits a judge and a policy on half of an operator's sources; measures on the other half."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.engine.policy.rules import PolicyRules
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
    """The fit, and the policy's rates on `held_out` answers before and after."""

    calibration: Calibration
    policy: PolicyRules
    answers: int
    held_out: int
    before: Rates
    after: Rates


def calibrate(
    rows: Sequence[Row],
    judge: Judge,
    name: str,
    rules: PolicyRules,
    aims: Aims,
    advance: Callable[[], None] = lambda: None,
) -> CalibrationRun:
    """Fit the judge `name`, whose raw scores `judge` returns, and then the policy.

    The half of a source follows from its text alone. Each answer is measured as a worker does:
    first with the judge as it is, then with the fitted one, which reads nothing again. `advance` is
    called for each measured row. Raises CalibrationError, and RowError for a label.
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

    calibration = fit_judge(measured(fitting, raw), name)
    fitted_judge = CalibratedJudge(raw, calibration, name)
    policy = fit_policy(measured(fitting, fitted_judge), rules, aims)
    others = measured(held_out, fitted_judge)
    before, after = rates(others, rules), rates(others, policy)
    return CalibrationRun(calibration, policy, len(fitting), len(held_out), before, after)


def measurements_of(rows: Sequence[Row]) -> int:
    """Return how many measurements `calibrate` makes of these rows."""
    return len(rows) + sum(split_of(row.raw) == "tune" for row in rows)


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
