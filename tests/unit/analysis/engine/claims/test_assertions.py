"""Headings, cells, lead-ins, questions, code, talk of the sources: which of them are claims."""

import pytest

from analysis.engine.claims.extraction import read


def claims(answer: str) -> list[str]:
    return [statement.claim.text for statement in read(answer).statements]


@pytest.mark.parametrize(
    "answer",
    [
        "# Refund policy",
        "# How refunds work",
        "# Top 10 tips",
        "**Summary**",
        "## Step 2",
        "Here are the steps:",
        "To get a refund, follow these steps:",
        "The benefits of tea include:",
        "The main rules are:",
        "| Year | 2019 | 2020 |\n|---|---|---|",
        "Would you like to know more?",
        "What is your order number?",
        "Is the tower 300 m high?",
        "Sources:\n[1] handbook.pdf, chunk 3",
        "I'm sorry, but I don't know when it opened in 1990.",
    ],
)
def test_what_announces_or_asks_is_no_claim(answer: str) -> None:
    assert claims(answer) == []


@pytest.mark.parametrize(
    ("answer", "claim"),
    [
        ("# Refunds take 14 days", "Refunds take 14 days"),
        ("**The mill closed**", "The mill closed"),
        ("The mill closed in 2010:", "The mill closed in 2010"),
        ("| Refunds take 14 days | Note |\n|---|---|", "Refunds take 14 days"),
        ("The mill closed, right?", "The mill closed"),
        ("Did you know that the mill closed?", "the mill closed"),
        ("```\nThe mill closed.\n```", "The mill closed"),
        ("```python\n# The mill closed.\n```", "The mill closed"),
        ("I'm sorry, the mill closed in 2010.", "the mill closed in 2010"),
        ("&#84;he mill closed.", "&#84;he mill closed"),
    ],
)
def test_what_states_something_is_a_claim(answer: str, claim: str) -> None:
    assert claims(answer) == [claim]


def test_code_is_counted_and_not_read() -> None:
    reading = read("```\nx = read(2)\nprint(x)\n```")
    assert (reading.statements, reading.code_lines, reading.unread) == ((), 2, True)


@pytest.mark.parametrize(
    ("answer", "unread"),
    [("Hello! How can I help you?", False), ("Thanks!", False), ("Paris.", True)],
)
def test_small_talk_alone_leaves_nothing_unread(answer: str, unread: bool) -> None:
    assert read(answer).unread is unread


QUERY = "How is chicken fried in the oven?"
NO_CLAIM = [
    "Note that these recommendations are based on the provided passages.",
    "The provided passages do not contain sufficient information to answer this.",
    "The passages don't say when it opened.",
    "If the grant exceeds the cost of school, the passages do not say what happens.",
    "A tax return copy is not explicitly mentioned in the passages provided, therefore we are "
    "unable to answer the question based on the given passages.",
    "Note: The passages do not provide exact timings, so additional information may be required.",
    "There is no information about the price in the passages.",
    "This information can be found in passage 3.",
    "It is always best to consult a doctor before taking anything.",
    "However, you should speak with a healthcare professional about your dose.",
]
CLAIMED = {
    "The passages do not name a year, so it was opened in 1972.": None,
    "The passages do not name a year but the mill opened in 1972.": "the mill opened in 1972",
    "The passages do not give the date, but passage 2 says it was in May.": (
        "passage 2 says it was in May"
    ),
    "The mill opened in 1972, which is not mentioned in the passages.": None,
    "Workers must consult a doctor before entering the mine.": None,
    "You should consult a doctor, since it kills 5 of 100.": None,
    "The contract does not include a termination clause.": None,
    "The source of the river lies in the Alps.": None,
    "The data do not show that smoking helps.": None,
    "According to passage 1, the dam is closed.": "the dam is closed",
    "Based on the information provided in passages 1 and 3, the dam is closed.": (
        "the dam is closed"
    ),
    "Passage 2 clarifies that the rule covers all grants.": "the rule covers all grants",
    "The document states that the fee is 30 euros.": "the fee is 30 euros",
    "From the source of the river, the path leads north.": None,
}


@pytest.mark.parametrize("answer", NO_CLAIM)
def test_it_only_speaks_of_the_sources(answer):
    assert read(answer, QUERY).statements == ()


@pytest.mark.parametrize(("answer", "claim"), CLAIMED.items())
def test_it_claims_something_beside(answer, claim):
    texts = [item.claim.text for item in read(answer, QUERY).statements]
    assert (claim or answer.rstrip(".")) in texts


def test_a_clause_without_a_subject_of_its_own_has_that_of_the_one_before():
    answer = "The first passage covers baking at length and does not mention frying. It is hot."
    texts = [item.claim.text for item in read(answer, QUERY).statements]
    assert not any(text.startswith("does not mention") for text in texts)
