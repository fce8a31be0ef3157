"""Expected answers: what counts as right."""

from dataclasses import replace

import pytest

from assistant.presenting import UNSURE
from assistant.synthesis.drafts import NOT_FOUND
from tools.evaluation.assistant.cases import (
    HALVES,
    STORED,
    UNKNOWN,
    Case,
    answers_with,
    cases_in,
    judge,
    shares,
)

CASE = Case(
    "a-1", "a", ("handbook",), (), "May it run?", "38 km/h", ("38 km/h",), ("90",), ("Cranes",),
    "ALLOW",
)  # fmt: skip
ENTRY = {
    "answer": "It stops at 38 km/h. [1]",
    "citations": [{"kind": "document", "source": "a.md, chunk 1 (Cranes)"}],
    "verdict": {"action": "ALLOW"},
    "memory": {"written": []},
}


def test_an_answer_is_right_in_every_respect_or_wrong():
    assert judge(CASE, ENTRY).right
    for change in (
        {"lead": "5 m"}, {"says": ("40 km/h",)}, {"never": ("38",)}, {"cites": ("Scaffolds",)},
        {"action": "WARN"}, {"remembers": ("user",)},
    ):  # fmt: skip
        assert len(judge(replace(CASE, **change), ENTRY).faults) == 1


@pytest.mark.parametrize(
    ("answer", "lead", "right"),
    [
        ("It stops at 38 km/h. [1]", "38 km/h", True),
        ("It stops in wind. [1] Also in the documents: At 38 km/h. [2]", "38 km/h", False),
        (f"{UNSURE} It stops at 38 km/h. [1]", "38 km/h", False),
        (f"{UNSURE} It stops at 38 km/h. [1]", UNKNOWN, True),
        (NOT_FOUND, UNKNOWN, True),
        (NOT_FOUND, "", False),
        ("By the gate.", "", True),
        ("I will remember it.", STORED, True),
    ],
)
def test_what_an_answer_begins_with(answer, lead, right):
    assert answers_with(answer, lead) is right


def test_shares_count_all_and_each_kind():
    wrong = judge(replace(CASE, kind="b", action=None), ENTRY)
    assert shares([judge(CASE, ENTRY), wrong]) == {
        "all": {"cases": 2, "right": 1},
        "a": {"cases": 1, "right": 1},
        "b": {"cases": 1, "right": 0},
    }


def test_the_parts_are_large_enough_and_share_no_case():
    cases = {half: cases_in(half) for half in HALVES}
    assert len(cases["tune"]) + len(cases["held_out"]) >= 80
    assert len(cases["phone_held_out"]) >= 25
    every = [item for part in cases.values() for item in part]
    assert len(every) == len({item.id for item in every})
    questions = [(item.question, item.documents, item.statements) for item in every]
    assert len(questions) == len(set(questions))
