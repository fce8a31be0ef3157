"""Short sentences behind a claim that no source knows may take it back, and are not passed over."""

import pytest

from analysis.engine import Action, Decision, Source, Submission, decide, measure

SOURCE = "Refunds take 14 days. Shipping costs are not refunded. The shop is in Lyon."
RIGHT = "Refunds take 14 days."


def decided(answer: str, query: str = "") -> Decision:
    submission = Submission(answer, query, (Source("s1", SOURCE),))
    return decide(answer, measure(submission))


@pytest.mark.parametrize(
    "sentence",
    [
        "That is false.", "Not true.", "Just kidding.", "Sounds nice, doesn't it.", "As if!",
        "The opposite is the case.", "But the statement above is incorrect.",
        "Those times are gone.",
        "Please ignore the above.", "Stimmt nicht.", "Make that 40.",
    ],
)  # fmt: skip
def test_a_statement_that_may_be_taken_back_is_not_allowed(sentence: str) -> None:
    for answer in (f"{RIGHT} {sentence}", f"{RIGHT}\n\n**{sentence}**"):
        decision = decided(answer)
        assert decision.action is not Action.ALLOW
        reasons = {each.code: each.text for each in decision.reasons}
        assert sentence.rstrip(".!") in reasons["unread_text"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The following is false.", "Everything below is wrong:\n\n", "The next sentence is a lie.",
        "None of the following is true:\n\n-", "The statement below is not correct.\n\n",
    ],
)  # fmt: skip
def test_nor_is_one_that_is_taken_back_beforehand(sentence: str) -> None:
    assert decided(f"{sentence} {RIGHT}").action is not Action.ALLOW


@pytest.mark.parametrize(
    "sentence",
    [
        "Hope this helps!", "Let me know if you have any questions.", "Please ask the shop.",
        "Shipping is not.", "Anything else?", "Sources:", "The shop is in Lyon.",
    ],
)  # fmt: skip
def test_courtesies_questions_titles_and_what_sources_know_are_no_asides(sentence: str) -> None:
    measured = measure(Submission(f"{RIGHT} {sentence}", "", (Source("s1", SOURCE),)))
    assert measured.asides == ()


def test_the_words_of_the_question_are_known() -> None:
    measured = measure(
        Submission(f"{RIGHT} Yes, really quickly.", "Really quickly?", (Source("s1", SOURCE),))
    )
    assert measured.asides == ()


def test_the_fields_of_an_answer_in_json_are_none() -> None:
    answer = '{"answer": "Refunds take 14 days.", "certainty": 0.9}'
    assert decided(answer).action is Action.ALLOW
