from dataclasses import replace

from analysis.engine import measure
from analysis.engine.decision import _score_reason, decide
from analysis.engine.policy.rules import DEFAULT_RULES, PolicyRules
from analysis.engine.policy.settings import SafetyRules, ScoreLimits, VerdictActions
from analysis.engine.types import Action, Source, Submission
from analysis.engine.verdict.answer_score import hallucination_score

SOURCES = (Source("s", "The mill stands in Lyon. It was built in 1840 by Ana Brun."),)


def score(answer: str, sources=SOURCES) -> float | None:
    return hallucination_score(measure(Submission(answer, "", sources)))


def test_an_answer_in_the_words_of_the_source_scores_zero():
    assert score("The mill stands in Lyon.") < 0.25


def test_an_invented_answer_scores_high():
    assert score("Penguins sing at night in the harbour.") > 0.7


def test_one_bad_claim_is_not_averaged_away():
    good, bad = "The mill stands in Lyon. " * 20, "Greta Olsen painted a harbour."
    assert score(good + bad) >= score(bad) > 0.7


def test_no_sources_no_score_and_nothing_to_check_is_zero():
    assert score("The mill stands in Lyon.", None) is None
    assert score("Hello there!") == 0.0


def test_further_claims_that_are_supported_change_nothing():
    bad = "Greta Olsen painted a harbour."
    assert score(f"The mill stands in Lyon. {bad}") == score(bad)


def test_the_score_warns_above_the_limit_of_the_policy_and_says_so():
    answer = "The mill stands in Lyon. Greta Olsen painted a harbour."
    measurement = measure(Submission(answer, "", SOURCES))
    answer_score = hallucination_score(measurement)
    assert answer_score is not None
    for limits, action in (
        (ScoreLimits(), Action.ALLOW),
        (ScoreLimits(warn_above=answer_score - 0.01), Action.WARN),
        (ScoreLimits(warn_above=answer_score), Action.ALLOW),
        (
            ScoreLimits(warn_above=answer_score - 0.02, block_above=answer_score - 0.01),
            Action.BLOCK,
        ),
    ):
        rules = PolicyRules(
            score=limits,
            safety=SafetyRules(grounding=Action.ALLOW),
            verdicts=VerdictActions(low_confidence=Action.ALLOW),
        )
        decision = decide(answer, measurement, rules)
        assert decision.action is action, limits
        assert decision.hallucination_score == answer_score
        texts = [reason.text for reason in decision.reasons if reason.code == "hallucination_score"]
        assert bool(texts) is (action is not Action.ALLOW)
        assert all(f"{answer_score:.2f}" in text for text in texts)


def test_a_score_and_its_limit_are_never_told_as_the_same_figure() -> None:
    rules = replace(DEFAULT_RULES, score=replace(DEFAULT_RULES.score, warn_above=0.72))
    (close,), (far,) = _score_reason(0.7213, rules), _score_reason(0.9, rules)
    said = "The probability that the answer is not fully supported is "
    assert close.text == f"{said}0.7213, above 0.7200"
    assert far.text == f"{said}0.90, above 0.72"
