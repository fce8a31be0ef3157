"""How much the judge and words count for a claim."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.policy.rules import DEFAULT_RULES
from analysis.engine.signal_types import Conflict, Judgement, VerifierSignal
from analysis.engine.types import ConflictKind
from analysis.engine.verdict.probability import judge_parts, unsupported
from tests.unit.analysis.engine.verdict.test_rule_table import FULL, scores, signal


def judged(entail: float = 0.05, **parts) -> VerifierSignal:
    read = {"evidence_read": 1.0, "sentences": 1, "words": 8} | parts
    judgement = Judgement(entail, 1 - entail, 0.0, 0.1, judge="judge", **read)
    return replace(signal(coverage=FULL, nli=scores(0.9), lexical=scores(0.9)), judgement=judgement)


@pytest.mark.parametrize(
    ("share", "parts"),
    [
        (0.0, {}),
        (0.0, {"words": 12}),
        (0.5, {"words": 18}),
        (1.0, {"words": 40}),
        (0.5, {"sentences": 2}),
        (1.0, {"sentences": 7}),
        (0.6, {"evidence_read": 0.4}),
        (0.6, {"evidence_read": 0.4, "sentences": 2, "words": 13}),
    ],
)
def test_long_answers_long_sentences_and_unread_sources_count_as_long(share, parts) -> None:
    read = judge_parts(judged(**parts))
    assert read is not None
    assert read[2] == pytest.approx(share)


def test_words_that_stand_in_the_source_say_more_for_a_long_sentence() -> None:
    short, long = unsupported(judged()), unsupported(judged(words=30))
    assert short is not None
    assert long is not None
    assert long < short


@given(st.floats(0, 1), st.integers(1, 99), st.integers(0, 200))
def test_the_share_stays_between_none_and_all(read: float, sentences: int, words: int) -> None:
    parts = judge_parts(judged(evidence_read=read, sentences=sentences, words=words))
    assert parts is not None
    assert 0 <= parts[2] <= 1


@pytest.mark.parametrize("judge", ["llm:qwen3-32b", "named:minicheck:large", "judge"])
@pytest.mark.parametrize("certain", [False, True])
def test_a_certain_conflict_decides_whatever_a_model_says_and_no_other_does(
    judge: str, certain: bool
) -> None:
    read = judged(entail=0.97)
    assert read.judgement is not None
    says_yes = replace(
        read,
        judgement=replace(read.judgement, judge=judge),
        lexical=scores(0.1, 0.8),
        conflicts=(Conflict(ConflictKind.NUMBER, "10 against 12", certain=certain),),
    )
    chance = unsupported(says_yes)
    assert chance is not None
    assert (chance >= DEFAULT_RULES.unsupported_at) == certain
    assert (chance >= 0.95) == certain
