"""The questions about four collections, and how an answer fares against what is expected."""

import re

import pytest

from tools.evaluation.assistant.questions import (
    TUNED,
    UNSEEN,
    Outcome,
    Question,
    files,
    outcome,
    questions,
    table,
)

HEIGHT = Question("How high is it?", r"\b42 inches")
MAY = Question("May we?", "not be used", "no")
UNKNOWN = Question("What does it cost?", None)


@pytest.mark.parametrize(("collection", "least"), [(name, 30) for name in (*TUNED, *UNSEEN)])
def test_each_collection_has_its_questions_some_of_them_without_an_answer(collection, least):
    every = questions(collection)
    assert len({item.question for item in every}) == len(every) >= least
    assert sum(item.says is None for item in every) >= 5


@pytest.mark.parametrize(
    "collection", [name for name in (*TUNED, *UNSEEN) if not name.startswith("osha")]
)
def test_an_answer_with_words_alone_stands_in_the_documents(collection):
    text = " ".join(" ".join(path.read_text() for path in files(collection)).split())
    plain = [item.says for item in questions(collection) if item.says and "{" not in item.says]
    assert all(re.search(pattern, text) for pattern in plain)


@pytest.mark.parametrize(
    ("question", "answer", "found", "fared"),
    [
        (HEIGHT, "It is 42 inches high. [1]", True, Outcome.DIRECT),
        (HEIGHT, "It is high. [1] Also: 42 inches. [2]", True, Outcome.LONG),
        (HEIGHT, "It is 43 inches high. [1]", True, Outcome.WRONG),
        (HEIGHT, "The closest: “It is 42 inches high.” [1]", False, Outcome.CLOSE),
        (HEIGHT, "I cannot find this.", False, Outcome.NOT_FOUND),
        (MAY, "Yes. It shall not be used. [1]", True, Outcome.WRONG),
        (MAY, "No. It shall not be used. [1]", True, Outcome.DIRECT),
        (UNKNOWN, "It costs 5 euros. [1]", True, Outcome.WRONG),
        (UNKNOWN, "I cannot find this.", False, Outcome.DIRECT),
    ],
)
def test_how_an_answer_fares(question, answer, found, fared):
    assert outcome(question, answer, found) is fared


def test_the_table_ends_with_all_questions():
    rows = table({"a": [Outcome.DIRECT], "b": [Outcome.DIRECT, Outcome.WRONG]})
    assert rows[-1][:3] == ("all", "3", "66.7% (2)")
