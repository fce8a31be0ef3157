"""An answer that contradicts itself warns even where nothing is asked of its sources."""

import pytest

from analysis.engine import Submission, decide, measure
from analysis.engine.policy import EXPLORATORY

AT_ODDS = (
    "The firm was founded in 1962. It was established in 1988.",
    "The ferry service began in 1990. It has been running since 2015.",
    "The depot opened in 2004, and it closed in 1991.",
    "Mr Adeyemi was born in 1970. Mr Adeyemi was born in 1984.",
    "The pool is open. The pool is closed.",
    "The permit is valid. The permit is not valid.",
    "The bakery is open daily. It closed permanently.",
    "The vaccine prevents measles. The vaccine does not prevent measles.",
    "The fee is $40. The fee is $65.",
    "The hostel has 50 rooms. The hostel has 500 rooms.",
    "The bridge is 300 m long. The bridge's length is 520 m.",
    "Yes, it may be returned. No, that is wrong.",
)
IN_ACCORD = (
    "The firm was founded in 1962. It moved to Leeds in 1988.",
    "The pool is open on weekdays. The pool is closed on Sundays.",
    "The fee is $40 for adults. The fee is $25 for children.",
    "Yes, it may be returned. No one checks the box.",
)


@pytest.mark.parametrize("answer", AT_ODDS)
def test_what_contradicts_itself_warns(answer):
    assert action(answer) == "WARN"


@pytest.mark.parametrize("answer", IN_ACCORD)
def test_what_agrees_with_itself_passes(answer):
    assert action(answer) == "ALLOW"


def action(answer):
    return decide(answer, measure(Submission(answer, "", None)), EXPLORATORY).action
