"""`manage.py evaluate_assistant --expected`: the share of right answers has a floor."""

from io import StringIO

import pytest

from tests.commands import run

FLOOR = {"tune": 0.93, "held_out": 0.85, "phone": 0.8, "phone_held_out": 0.8}
"""Shares of right answers; measured ones stand in docs/concepts/assistant.md."""


def measured(part: str, *kinds: str) -> tuple[list[str], float]:
    """Return what the command prints of a part, and the share of right answers in it."""
    printed = run("evaluate_assistant", expected=part, kind=kinds, stderr=StringIO())
    lines = printed.splitlines()
    total = next(line for line in lines if line.startswith("all: "))
    right, cases = total.removeprefix("all: ").split(" (")[0].split(" of ")
    return lines, int(right) / int(cases)


@pytest.mark.parametrize("part", ["tune", "held_out"])
def test_the_share_of_right_answers_stays_above_its_floor(part, transactional_db, empty_redis):
    kinds = ["handbook", "subject", "conflict", "memory"]
    lines, share = measured(part, *kinds)
    of_kinds = [line for line in lines if line.split(":")[0] in ("all", *kinds)]
    assert len(of_kinds) == 1 + len(kinds)
    assert part == "tune" or len(lines) == len(of_kinds), "what is held out is not shown"
    assert share >= FLOOR[part], lines


@pytest.mark.parametrize("part", ["phone", "phone_held_out"])
def test_questions_worded_as_on_a_phone_are_answered(part, transactional_db, empty_redis):
    lines, share = measured(part)
    assert share >= FLOOR[part], lines
