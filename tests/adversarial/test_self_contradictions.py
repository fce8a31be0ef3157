"""An answer that contradicts itself warns even where nothing is asked of its sources."""

import pytest

from analysis.engine import Submission, decide, measure
from analysis.engine.policy import EXPLORATORY
from tests.tables import tables

TABLES = tables(__file__)

IN_ACCORD = (
    "The firm was founded in 1962. It moved to Leeds in 1988.",
    "The pool is open on weekdays. The pool is closed on Sundays.",
    "The fee is $40 for adults. The fee is $25 for children.",
    "Yes, it may be returned. No one checks the box.",
)


@pytest.mark.parametrize("answer", TABLES["at odds"])
def test_what_contradicts_itself_warns(answer):
    assert action(answer) == "WARN"


@pytest.mark.parametrize("answer", IN_ACCORD)
def test_what_agrees_with_itself_passes(answer):
    assert action(answer) == "ALLOW"


def action(answer):
    return decide(answer, measure(Submission(answer, "", None)), EXPLORATORY).action
