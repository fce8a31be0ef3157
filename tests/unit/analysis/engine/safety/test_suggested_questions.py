"""Questions from a passage's own sentences and headings; nothing from what cannot stand alone."""

import pytest

from analysis.engine.safety.suggested_questions import questions_of
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("sentence", "question"), TABLES["a sentence makes a question"])
def test_a_sentence_makes_a_question(sentence, question):
    assert questions_of(sentence) == [question]


@pytest.mark.parametrize("sentence", ["", *TABLES["what does not stand alone"]])
def test_what_does_not_stand_alone_makes_none(sentence):
    assert questions_of(sentence) == []


def test_headings_and_lines_that_stand_alone_name_a_subject():
    text = "Cranes and wind.\n\nNobody lifts loads in a storm.\n\n# Trenches\n\nMind the edge."
    assert questions_of(text) == [
        "What is said about cranes and wind?",
        "What is said about trenches?",
    ]


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("Ponds. Nobody fishes at night.\n\nStiles. They are shut.", ["ponds", "stiles"]),
        ("Lost keys\nHand them in at the mill.\n\nWait. It rains.", ["lost keys"]),
    ],
)
def test_headings_of_rules_and_procedures_name_a_subject(text, subjects):
    questions = questions_of(text)
    assert [f"What is said about {subject}?" for subject in subjects] == questions[: len(subjects)]


def test_each_question_once_and_sentences_before_headings():
    text = "# Enzymes\n\nEnzymes are the catalysts of life. Enzymes are the catalysts of life."
    assert questions_of(text) == ["What are enzymes?", "What is said about enzymes?"]
