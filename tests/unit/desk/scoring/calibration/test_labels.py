"""Claims of a labelled answer that are known to be wrong."""

from typing import Any

from analysis.engine import measure
from desk.scoring.calibration.labels import labelled
from desk.scoring.rows import Row
from tests.unit.desk.scoring.calibration.judged import Percentages, row


def wrong_claims(of: Row, judge: Any = None) -> tuple[bool | None, ...]:
    return labelled(of, measure(of.submission, judge=judge or Percentages())).wrong_claims


def test_spans_tell_which_claim_of_an_answer_is_wrong() -> None:
    assert wrong_claims(row(90, 20, label=1, spans=[[40, 50]])) == (False, True)


def test_without_spans_only_a_single_claim_is_known_to_be_wrong() -> None:
    assert wrong_claims(row(90, 20, label=1)) == (None, None)
    assert wrong_claims(row(20, label=1)) == (True,)
    assert wrong_claims(row(90, 20)) == (False, False)


def test_a_claim_that_no_judge_read_has_no_label() -> None:
    class Slow(Percentages):
        def predict(self, *args: Any, **options: Any) -> Any:
            return (None, *super().predict(*args, **options)[1:])

    assert wrong_claims(row(90, 20), Slow()) == (None, False)
