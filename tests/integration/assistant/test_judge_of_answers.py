"""The judge of answers, as it is shipped, reads questions and sentences of documents."""

import pytest

from assistant.services import writing
from inference.judge import ANSWERS, BASE
from inference.judge.preparing import ensure_judge

# Preparing it loads torch, which takes a minute on a busy machine.
pytestmark = pytest.mark.timeout(900)

RULES = (
    "Hoist. The hoist is inspected every six months.",
    "Hoist. It carries at most 500 kg, people not included.",
    "Permits. Digging permits are signed by the site office.",
    "Permits. Hot work permits are signed by Farid Benali.",
    "Leave. Annual leave is 27 days; from the sixth year 30 days.",
    "Leave. Requests for July and August are due by 31 January.",
)
ASKED = (
    ("How often does somebody check the hoist?", 0),
    ("max load of the hoist", 1),
    ("Who approves it if we want to dig a trench?", 2),
    ("Who has to sign for welding work?", 3),
    ("How many days off do I get a year?", 4),
    ("When must I have applied for a holiday in summer?", 5),
)
UNASKED = ("Who is the first-aider on site?", "How high may the fence be?")


def test_it_tells_the_sentence_that_answers_from_its_neighbours(settings) -> None:
    settings.NLI_MODEL = BASE
    ensure_judge(settings.MODEL_DIR, ANSWERS)
    answering = writing._readers().answering
    assert answering
    best = [max(range(len(RULES)), key=answering(question, RULES).__getitem__)
            for question, _ in ASKED]  # fmt: skip
    assert sum(at == right for at, (_, right) in zip(best, ASKED, strict=True)) >= 5
    there = sorted(max(answering(question, RULES)) for question, _ in ASKED)
    assert max(max(answering(question, RULES)) for question in UNASKED) < there[1]


def test_nobody_reads_where_the_small_judge_or_none_is_used(settings) -> None:
    settings.NLI_MODEL = "small"
    assert writing._readers().answering is None
