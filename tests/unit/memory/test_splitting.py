"""Two main clauses are two sentences, each for its own memory."""

import pytest

from memory.reading.splitting import split


@pytest.mark.parametrize(
    ("statement", "parts"),
    [
        (
            "I am the site safety manager, and our site is in Rotterdam.",
            ["I am the site safety manager.", "Our site is in Rotterdam."],
        ),
        ("We have cranes, and the big hoist.", ["We have cranes, and the big hoist."]),
        ("Is it open, and is the gate closed?", ["Is it open, and is the gate closed?"]),
        ("One is. Two are.", ["One is.", "Two are."]),
    ],
)
def test_main_clauses_are_told_apart(statement, parts):
    assert split(statement) == parts
