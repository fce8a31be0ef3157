"""Headings, cells, lead-ins, questions and lines of code: which of them are claims."""

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
