"""How much better the passage with a bare answer answers the question than the others do."""

from collections.abc import Mapping

import pytest

from analysis.engine.evidence.corpus import build, terms_in
from analysis.engine.measurement import measure
from analysis.engine.signals.answering import FARTHEST, answering
from analysis.engine.types import Source, Submission
from inference.judge.combined import Blend
from inference.judge.types import ClaimJudgement
from tests.unit.analysis.engine.signals.test_judgement import FakeJudge, judgement

QUESTION = "When was the line electrified?"
OPENED, CHANGED = "The line opened in 1891.", "It was electrified in 1936."
LINE = (Source("s1", f"{OPENED} {CHANGED}"),)


class Answers:
    """Believes of each text what it is told, and of any other that it answers nothing."""

    model_id = "answers@1"

    def __init__(self, chances: Mapping[str, float], *, is_late: bool = False) -> None:
        self.chances, self.is_late = chances, is_late
        self.asked: list[tuple[str, list[str], list[str]]] = []

    def predict(self, question, evidence, claims, *, before=(), seconds=None):
        self.asked.append((question, list(evidence), list(claims)))
        read = [self._said(text) for text in claims]
        return [*read[:-1], None] if self.is_late else read

    def _said(self, text: str) -> ClaimJudgement:
        entail = self.chances.get(text, 0.1)
        return ClaimJudgement(entail, 1 - entail, 0.0, (), (), 1.0)


def difference(answer: str, judge: Answers, sources: tuple[Source, ...] = LINE) -> float | None:
    results = answering(build(sources), QUESTION, [terms_in(answer)], judge)
    assert results is not None
    return results[0]


def test_the_answer_of_the_passage_that_answers_is_told_from_that_of_another() -> None:
    judge = Answers({CHANGED: 0.5})
    right, wrong = difference("1936", judge), difference("1891", judge)
    assert right == pytest.approx(2.1972, abs=1e-4)  # The log-odds of 0.5 less those of 0.1.
    assert wrong == -right
    assert judge.asked[0] == (QUESTION, [], [CHANGED, OPENED])  # More of the question first.


def test_certainties_count_up_to_a_limit() -> None:
    assert difference("1936", Answers({CHANGED: 1.0})) == FARTHEST


@pytest.mark.parametrize("answer", ["the line", "1999", "?"])
def test_without_a_passage_of_either_kind_nothing_is_known(answer: str) -> None:
    sources = (Source("s1", "The line opened in 1891. The line was electrified in 1936."),)
    assert difference(answer, Answers({}), sources) is None


def test_an_answer_whose_passages_were_not_all_read_in_time_is_not_judged() -> None:
    judge, late = FakeJudge(judgement()), Answers({}, is_late=True)
    assert answering(build(LINE), QUESTION, [terms_in("1936")], late) is None
    measurement = measure(Submission("1936", QUESTION, LINE), judge=Blend(judge, judge, 0.5, late))
    assert [signal.judgement for signal in measurement.signals] == [None]
    assert "1 sentences were not read within 8 s" in str(measurement)


def test_of_many_passages_those_that_share_most_with_question_and_answer_are_read() -> None:
    rest = " ".join(f"Track {at} is long." for at in range(60))
    judge = Answers({CHANGED: 0.5})
    assert difference("1936", judge, (Source("s1", f"{rest} {OPENED} {CHANGED}"),))
    ((_, _, texts),) = judge.asked
    assert len(texts) == 40
    assert {OPENED, CHANGED} <= set(texts)


def test_a_question_of_the_sources_is_not_read() -> None:
    judge = Answers({CHANGED: 0.5})
    difference("1936", judge, (Source("s1", f"Was it built in 1936? {OPENED} {CHANGED}"),))
    ((_, _, texts),) = judge.asked
    assert texts == [CHANGED, OPENED]


def test_a_bare_answer_carries_it_and_a_sentence_does_not() -> None:
    judge = FakeJudge(judgement())
    answers = Answers({CHANGED: 0.5})
    blend = Blend(judge, judge, 0.5, answers)
    (bare,) = measure(Submission("1936", QUESTION, LINE), judge=blend).signals
    (whole,) = measure(Submission("It opened in 1891.", QUESTION, LINE), judge=blend).signals
    assert bare.judgement.answering == pytest.approx(2.1972, abs=1e-4)
    assert whole.judgement.answering is None
    assert len(answers.asked) == 1
