"""Right answers of a few words, in data, or with a citation are shown; wrong ones never are."""

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from analysis.engine import Action
from tests.adversarial.corpus import read_blocks
from tests.answers import FixedJudge, decided


class Answer(NamedTuple):
    """An answer to a question about sources; `right` says whether it may be shown."""

    sources: tuple[str, ...]
    query: str
    text: str
    right: bool


TOWER = (
    "The Lindau tower is 62 m high. It was built in 1911 by Karl Weber. It is closed in January."
)
TOWER_SOURCES = ("The Lindau tower is 62 m high.", "The Lindau bridge is 300 m long.")

_YES, _NO = ("Yes.", "Yep!", "Correct.", "👍"), ("No.", "Nope.", "❌")
_TERSE = (
    ("When was the Lindau tower built?", "1911", True),
    ("When was the Lindau tower built?", "1912", False),
    ("Who built the tower?", "Karl Weber", True),
    ("Who built the tower?", "Otto Braun", False),
    ("How high is the tower?", "62 m.", True),
    ("How high is the tower?", "26 m.", False),
)
_TAKEN_BACK = (
    "{}. Scratch that.", "{}. Never mind.", "{}. On second thought, no.", "{}. I made that up.",
    "{} (this is outdated).", "{}... or is it?", "None of this is true: {}.",
)  # fmt: skip
_CITED = (
    ("According to source 1, the Lindau tower is 62 m high.", True),
    ("According to source 2, the Lindau tower is 62 m high.", False),
    ("Source 1 states that the Lindau tower is 62 m high.", True),
    ("Source 2 states that the Lindau tower is 62 m high.", False),
    ("The Lindau tower is 62 m high (Source 2).", False),
    ("The tower is high. According to document 2, the Lindau bridge is 300 m long.", True),
)
_DISAGREEING = (
    (("Refunds take 14 days.", "Refunds for gift cards take 30 days."), "Refunds take 14 days.",
     True),
    (("The fee was 20 euros until 2023.", "The fee is 25 euros."), "The fee is 25 euros.", True),
    (("The fee was 20 euros until 2023.", "The fee is 25 euros."), "The fee is 20 euros.", False),
    (("The fee is 20 euros.", "The fee is 25 euros."), "The fee is 20 euros.", False),
    (("The Oslo office has 40 staff.", "The Bergen office has 25 staff."),
     "The Oslo office has 40 staff.", True),
)  # fmt: skip


def answers() -> dict[str, list[Answer]]:
    """Return all answers by kind of fault; blocks of replies hold questions, wrong ones a no."""
    answers_by_kind = defaultdict(list)
    for kind, source, yes, no, *_ in read_blocks(Path(__file__).with_suffix(".txt")):
        for text, is_so in (*((text, True) for text in yes), *((text, False) for text in no)):
            answers_by_kind[kind] += (
                [Answer((source,), text, word, is_so is (word in _YES)) for word in (*_YES, *_NO)]
                if kind == "replies"
                else [Answer((source,), "", text, is_so)]
            )
    return answers_by_kind | {
        "terse": [Answer((TOWER,), query, text, right) for query, text, right in _TERSE],
        "taken_back": [
            Answer((TOWER,), "", form.format("The tower is 62 m high"), False)
            for form in _TAKEN_BACK
        ],
        "cited": [Answer(TOWER_SOURCES, "", text, right) for text, right in _CITED],
        "disagreeing": [Answer(sources, "", text, right) for sources, text, right in _DISAGREEING],
    }


ANSWERS = answers()
CREDULOUS = FixedJudge(0.9, 0.05, 0.05)


def action_of(answer: Answer, judge: FixedJudge | None = None) -> Action:
    return decided(answer.text, *answer.sources, query=answer.query, judge=judge).action


@pytest.mark.parametrize("kind", ANSWERS)
def test_each_answer_is_shown_where_it_is_right(kind) -> None:
    actions = [(str(action_of(answer)), answer) for answer in ANSWERS[kind]]
    assert [item for item in actions if (item[0] == "ALLOW") is not item[1].right] == []


@pytest.mark.parametrize("kind", ["minimal_pairs", "taken_back"])
def test_a_judge_that_believes_everything_does_not_let_them_pass(kind) -> None:
    wrong = [answer for answer in ANSWERS[kind] if not answer.right]
    assert [answer for answer in wrong if action_of(answer, CREDULOUS) is Action.ALLOW] == []
