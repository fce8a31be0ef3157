"""The limit on the claims of one answer, beyond which none is taken for clean."""

from analysis.engine import Action, SignalStatus, Source, Submission, decide, measure

SENTENCE = "The mill closed in 2010. "
SOURCE = Source("s1", "The mill closed in 2010.")


def test_claims_beyond_the_limit_are_counted_and_warned_of() -> None:
    answer = SENTENCE * 12
    measurement = measure(Submission(answer, sources=(SOURCE,)), most_claims=10)
    decision = decide(answer, measurement)
    assert len(measurement.claims) == 10
    assert measurement.states["claims"].status is SignalStatus.TRUNCATED
    assert "2 claims beyond the first 10" in measurement.states["claims"].reason
    assert decision.action is Action.WARN
    assert decide(SENTENCE, measure(Submission(SENTENCE, sources=(SOURCE,)))).action is Action.ALLOW


def test_an_answer_of_many_short_claims_stays_bounded() -> None:
    for part in ("a! ", "|a|b|\n", "他去了北京的学校。"):
        measurement = measure(Submission(part * 5_000, "what?", (SOURCE,)))
        assert len(measurement.claims) == 1_000
