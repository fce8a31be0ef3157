"""Answers that a source states in other words, with a judge that doubts every claim.

Whatever passes here, exact equivalents bear out alone. The pairs of `aside.txt` were written before
anything was tried on them.
"""

from collections.abc import Sequence
from pathlib import Path

from analysis.engine import decide, measure
from analysis.engine.types import Action, Source, Submission
from inference.judge.types import ClaimJudgement
from tests.adversarial.test_pairs import CredulousJudge, read_pairs

FOLDER = Path(__file__).parent / "restatements"
PAIRS = tuple(read_pairs(sorted(FOLDER.glob("*.txt"))))


class DoubtingJudge(CredulousJudge):
    """Takes every claim for left open."""

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement, ...]:
        return tuple(ClaimJudgement(0.1, 0.8, 0.1, (), (), 1.0) for _ in claims)


def passes(answer: str, source: str) -> bool:
    submission = Submission(answer, "", (Source("s", source),))
    return decide(answer, measure(submission, judge=DoubtingJudge())).action is Action.ALLOW


NOT_YET = {"The kayak needs a deposit."}
"""Beside "A deposit is required for the kayak": what needs what is turned round."""


def test_right_answers_pass_although_the_judge_doubts_them_but_for_those_named() -> None:
    assert {pair.right for pair in PAIRS if not passes(pair.right, pair.source)} == NOT_YET


def test_wrong_answers_stay_doubted() -> None:
    assert not [pair.wrong for pair in PAIRS if passes(pair.wrong, pair.source)]
