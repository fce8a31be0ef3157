"""Cautions are taken from the metadata of a check, whatever else stands there."""

import pytest

from analysis.selectors.submissions import cautions_of


@pytest.mark.parametrize(
    ("stated", "cautions"),
    [
        (["Limits disagree.", " ", 7, "  Twice.  "], ("Limits disagree.", "Twice.")),
        (["x" * 300], ("x" * 200,)),
        ([f"{n}." for n in range(9)], ("0.", "1.", "2.", "3.", "4.")),
        ("Limits disagree.", ()),
        ({"text": "Limits disagree."}, ()),
        (None, ()),
    ],
)
def test_a_few_short_sentences_are_taken(stated: object, cautions: tuple[str, ...]) -> None:
    assert cautions_of({"cautions": stated, "ticket": 7}) == cautions
    assert cautions_of({}) == ()
