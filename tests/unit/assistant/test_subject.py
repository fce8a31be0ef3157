"""A limit of another subject is no answer."""

import pytest

from assistant.synthesis.subject import matter_of, subject_of

SCAFFOLD = "Work on a scaffold stops when the wind reaches 50 km/h."


@pytest.mark.parametrize(
    ("question", "sentence", "right"),
    [
        ("What is the wind limit for roof work?", SCAFFOLD, False),
        ("What is the wind limit for the scaffold?", SCAFFOLD, True),
        ("May people work on the scaffold at 40 km/h?", SCAFFOLD, True),
        ("How much does a tower crane cost?", "Tower cranes stop in gusts of 38 km/h.", False),
        ("May the tower crane run in gusts?", "Crane operation stops at 38 km/h.", True),
        ("How deep may a trench be?", "Excavations are 5 feet deep at most.", True),
        ("How long is the lunch break?", "Crews take a break of 10 minutes.", False),
        ("May we lift panes?", "Glass is hoisted in calm weather.", True),
        ("who checks the trench", "A competent person inspects each trench daily.", True),
        ("ladder lean angle", "A ladder stands at an angle of 75 degrees.", True),
        ("min width scaffold planks?", "Scaffold boards are at least 60 cm wide.", True),
        ("Is keep lifting allowed, thunder coming?", "Nobody lifts in a thunderstorm.", True),
        ("Is welding allowed in the store?", "Hot work is forbidden in the fuel store.", True),
        ("can we go up, scaffold full of ice?", "No work on scaffolds covered with ice.", True),
        ("Does welding cost more?", "Hot work is forbidden in the fuel store.", False),
    ],
)
def test_a_sentence_is_of_the_subject_or_not(question, sentence, right):
    assert subject_of(question).is_of(sentence) is right


def test_a_word_beside_the_sentence_or_before_its_head_counts_half():
    subject = subject_of("Can a delivery of sand arrive on Saturday?")
    assert subject.share("No deliveries on Saturdays.") == pytest.approx(2 / 4)
    assert subject.share("No deliveries on Saturdays.", "Sand arrives at 7:00.") == pytest.approx(
        3 / 4
    )
    assert subject_of("lunch break").share("Take a break.") == pytest.approx(1.5 / 2)


def test_of_a_list_one_is_enough():
    question = "Which rain or snow limits apply to crane and hoist work?"
    assert subject_of(question).is_of("Cranes stop in rain.")


@pytest.mark.parametrize(
    ("message", "matter"),
    [
        ("What is the weather tomorrow, and may the crane run?", "may the crane run?"),
        ("May the crane run? Our limit is 38 km/h.", "May the crane run?"),
        ("May the crane run in Rotterdam tomorrow?", "May the crane run tomorrow?"),
    ],
)
def test_the_matter_is_what_is_asked_beside_the_weather(message, matter):
    assert " ".join(matter_of(message).split()) == matter
