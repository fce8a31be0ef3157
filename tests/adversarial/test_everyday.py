"""Right answers of a few words, in data, or with a citation are shown; wrong ones never are."""

import pytest

from analysis.engine import Action, Source, Submission, decide, measure
from tests.adversarial.everyday import Answer, answers
from tests.judges import FixedJudge

ANSWERS = answers()
LEAST = 180
CREDULOUS = FixedJudge(0.9, 0.05, 0.05)


def action_of(answer: Answer, judge: FixedJudge | None = None) -> Action:
    sources = tuple(Source(f"s{at}", text) for at, text in enumerate(answer.sources, start=1))
    submission = Submission(answer.text, answer.query, sources)
    return decide(answer.text, measure(submission, judge=judge)).action


@pytest.mark.parametrize("kind", ANSWERS)
def test_each_answer_is_shown_where_it_is_right(kind: str) -> None:
    actions = [(str(action_of(answer)), answer) for answer in ANSWERS[kind]]
    assert [item for item in actions if (item[0] == "ALLOW") is not item[1].right] == []


@pytest.mark.parametrize("kind", ["minimal_pairs", "taken_back"])
def test_a_judge_that_believes_everything_does_not_let_them_pass(kind: str) -> None:
    wrong = [answer for answer in ANSWERS[kind] if not answer.right]
    assert [answer for answer in wrong if action_of(answer, CREDULOUS) is Action.ALLOW] == []


def test_there_are_enough_of_them() -> None:
    assert sum(map(len, ANSWERS.values())) >= LEAST
