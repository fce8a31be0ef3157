from types import SimpleNamespace

from analysis.engine.measurement import measure
from analysis.engine.types import Source, Submission
from evaluation.bench.early import Early, first_claims, look, report

ANSWER = Submission(
    "Refunds take 30 days. Returns are free of charge.",
    "How long do refunds take?",
    (Source("s", "Refunds take 14 days. Returns are free of charge."),),
)


class Judge:
    """Believes nothing."""

    model_id = "doubting@1"

    def predict(self, question, evidence, claims, *, before=(), seconds=None):
        said = SimpleNamespace(
            entail=0.0, neutral=0.1, contradict=0.9, words=(), coverage=1.0, truncated=False,
            judge="", note="", rests_on=None,
        )  # fmt: skip
        return [said] * len(claims)


def test_claims_that_the_judge_decides_otherwise_are_counted() -> None:
    submission = Submission("Parcels arrive on Mondays. Returns cost a fee.", "", ANSWER.sources)
    early = look(submission, Judge())
    assert early.claims == 2
    assert early.by_words == 2
    assert early.by_those_so_far == 0
    assert 0 < early.judged_at < 1


def test_a_measurement_of_the_first_claims_knows_no_later_one() -> None:
    whole = measure(
        Submission("The tower is 300 metres tall. The tower is 50 metres tall.", "", ANSWER.sources)
    )
    assert whole.contradictions
    first = first_claims(whole, 1)
    assert [claim.text for claim in first.claims] == ["The tower is 300 metres tall"]
    assert not first.contradictions


def test_the_report_adds_up() -> None:
    text = report([Early(2, 0.9, 1, 0), Early(3, 0.95, 2, 1)])
    assert "2 answers, 5 claims" in text
    assert "92.5% of a check's time (median; least 90.0%)" in text
    assert "3 claims; by the claims so far: 1" in text
