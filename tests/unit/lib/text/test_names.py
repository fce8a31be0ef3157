"""Names, and other ways to write the same thing, found in running text."""

import pytest

from analysis.engine import Source, Submission, measure
from lib.text.names import aliases, names
from lib.text.tokens import tokenize
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was founded by Larry Page in California.", ["Larry Page", "California"]),
        ("The University of Oxford won.", ["University of Oxford"]),
        ("NASA sent it.", ["NASA"]),
        ("Dogs bark in March.", []),
    ],
)
def test_names(text, expected):
    tokens = tokenize(text)
    text_names = names(tokens, 0, len(tokens))
    spans = [text[tokens.starts[name.first] : tokens.ends[name.last - 1]] for name in text_names]
    assert spans == expected


@pytest.mark.parametrize(("text", "others"), [*TABLES["aliases"], ("", "")])
def test_what_else_a_text_could_have_said(text: str, others: str) -> None:
    tokens = tokenize(text)
    assert aliases(tokens, 0, len(tokens)) == set(others.split())


def test_nothing_is_read_behind_the_end_of_a_sentence() -> None:
    tokens = tokenize("They went north. Carolina stayed.")
    assert aliases(tokens, 0, len(tokens)) == set()
    tokens = tokenize("the third quarter")
    assert aliases(tokens, 0, 2) == set()


def test_a_claim_is_found_where_the_source_writes_it_shorter() -> None:
    source = Source("s", "The inn in Goleta, CA opened on Feb. 3, with free Wi-Fi.")
    (signal,) = measure(
        Submission(
            "The inn in Goleta, California opened on February 3, with free WiFi.", "", (source,)
        )
    ).signals
    assert (signal.coverage.absent_names, signal.coverage.tokens_overlap) == (0, 1.0)
