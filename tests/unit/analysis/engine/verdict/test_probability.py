"""Weights of the judge and of words for a claim."""

from dataclasses import replace
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.policy.rules import DEFAULT_RULES
from analysis.engine.signal_types import Conflict, Judgement, VerifierSignal
from analysis.engine.types import AnswerKind, ConflictKind
from analysis.engine.verdict.probability import CALIBRATIONS, unsupported
from tests.unit.analysis.engine.verdict.test_rule_table import FULL, NONE, scores, signal

SHARES = st.floats(0, 1)
KINDS = st.sampled_from(list(AnswerKind))


def judged(
    entail: float = 0.05, kind: AnswerKind = AnswerKind.SHORT, coverage=FULL, **rest
) -> VerifierSignal:
    judgement = Judgement(entail, 1 - entail, 0.0, 0.1, 1.0, kind, **{"judge": "judge"} | rest)
    return replace(signal(coverage=coverage, lexical=scores(0.9)), judgement=judgement)


def test_every_kind_of_answer_is_calibrated_and_the_judge_counts_in_each():
    assert set(CALIBRATIONS) == set(AnswerKind)
    assert all(each.judge > 0 and each.words >= 0 for each in CALIBRATIONS.values())


@given(SHARES, SHARES, KINDS)
def test_more_entailment_never_makes_a_claim_less_likely(low, high, kind):
    low, high = sorted((low, high))
    assert unsupported(judged(high, kind)) <= unsupported(judged(low, kind)) + 1e-9


@given(SHARES)
def test_words_do_not_outvote_the_judge_where_an_answer_is_short(entail):
    for kind in (AnswerKind.BARE, AnswerKind.SHORT):
        found, missing = (unsupported(judged(entail, kind, each)) for each in (FULL, NONE))
        assert isclose(found, missing) or CALIBRATIONS[kind].words < CALIBRATIONS[kind].judge


@pytest.mark.parametrize("judge", ["llm:qwen3-32b", "named:minicheck:large", "judge"])
@pytest.mark.parametrize("certain", [False, True])
def test_a_certain_conflict_decides_whatever_is_said_for_the_claim_and_no_other_does(
    judge: str, certain: bool
) -> None:
    says_yes = replace(
        judged(entail=0.97, judge=judge),
        lexical=scores(0.8, 0.1),
        conflicts=(Conflict(ConflictKind.NUMBER, "10 against 12", certain=certain),),
    )
    chance = unsupported(says_yes)
    assert chance is not None
    assert (chance >= DEFAULT_RULES.unsupported_at) == certain
    assert (chance >= DEFAULT_RULES.unsupported_sure_at) == certain


def test_a_sentence_of_the_source_is_supported_whatever_the_judge_says():
    assert unsupported(judged(0.02, verbatim=True)) < 0.1


def test_a_claim_that_was_compared_with_nothing_has_no_probability():
    assert unsupported(signal(None, None)) is None


def test_without_a_judge_words_decide():
    by_words = signal(scores(0.9), FULL, lexical=scores(0.9))
    against = signal(scores(0.1), NONE, lexical=scores(0.1))
    assert unsupported(by_words) < unsupported(against)
