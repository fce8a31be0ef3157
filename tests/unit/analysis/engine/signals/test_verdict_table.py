"""Short claims against short sources, one line a verdict: what words alone can tell."""

import pytest

from analysis.engine import Source, Submission, analyze, measure
from tests.tables import tables

S, C, U = {"SUPPORTED"}, {"CONTRADICTED"}, {"UNVERIFIED"}
VERDICTS = {
    "correct": S, "wrong": C, "open": U, "blind": U, "not contradicted": S | U,
    "not supported": C | U,
}  # fmt: skip


def status(claim, source):
    return analyze("", claim, [source])["claims"][0]["status"]


@pytest.mark.parametrize(
    ("claim", "source", "verdicts"),
    [(*pair, VERDICTS[name]) for name, pairs in tables(__file__).items() for pair in pairs],
)
def test_a_claim_has_one_of_its_verdicts(claim, source, verdicts):
    assert status(claim, source) in verdicts


def test_a_conflict_quotes_the_word_and_not_its_stem():
    source = Source("a", "SSN College did not merge with SNU.")
    [signal] = measure(Submission("SSN College merged with SNU.", "", (source,))).signals
    assert signal.conflicts[0].detail == "“merged”: negated in the source"
