"""What an answer takes back is no support for it, wherever the sentence that does so stands."""

import pytest

from analysis.engine import Action, Source, Submission, decide, measure
from analysis.engine.claims.extraction import read
from analysis.engine.rules.retractions import retractions

SOURCE = "Refunds take 14 days. Shipping costs are not refunded."
RIGHT = "Refunds take 14 days."
BACK = (
    "That is false.",
    "This is simply wrong.",
    "That's not true.",
    "That isn't correct.",
    "Not true.",
    "Just kidding.",
    "I was only joking.",
    "The opposite is the case.",
    "None of this is true.",
    "Everything above is nonsense.",
    "This figure is outdated.",
    "But the statement above is incorrect.",
    "Please ignore the above.",
    "Note: that was a joke.",
    "Actually, that is a common misconception.",
)
AHEAD = (
    "The following is false.",
    "Everything below is wrong:\n\n",
    "None of the following is true:\n\n-",
    "The next sentence is a lie.",
    "The statement below is not correct.\n\n",
)
HARMLESS = (
    "That is correct.",
    "This is important.",
    "It is not a myth.",
    "That is not wrong.",
    "That is not the whole refund policy.",
)


def action_of(answer: str) -> Action:
    return decide(answer, measure(Submission(answer, sources=(Source("s1", SOURCE),)))).action


@pytest.mark.parametrize("sentence", BACK)
def test_a_right_statement_that_is_taken_back_is_not_allowed(sentence: str) -> None:
    assert action_of(f"{RIGHT} {sentence}") is not Action.ALLOW
    assert action_of(f"{RIGHT}\n\n**{sentence}**") is not Action.ALLOW


@pytest.mark.parametrize("sentence", AHEAD)
def test_nor_one_that_is_taken_back_beforehand(sentence: str) -> None:
    assert action_of(f"{sentence} {RIGHT}") is not Action.ALLOW


@pytest.mark.parametrize("sentence", HARMLESS)
def test_a_sentence_that_confirms_takes_nothing_back(sentence: str) -> None:
    assert retractions(read(f"{RIGHT} {sentence}")) == []


def test_what_others_are_said_to_believe_may_be_taken_back() -> None:
    answer = f"Many people believe that refunds take 30 days. That is false. {RIGHT}"
    assert retractions(read(answer)) == []


def test_one_sentence_takes_back_the_nearest_one_only() -> None:
    withdrawals = retractions(read(f"Shipping costs are not refunded. {RIGHT} That is false."))
    assert [(item.statement, item.sentence) for item in withdrawals] == [(1, "That is false.")]
