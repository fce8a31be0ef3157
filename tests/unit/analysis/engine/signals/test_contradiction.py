"""Internal contradictions: what conflicts and what must not."""

import pytest

from analysis.engine import detect_internal_contradictions
from analysis.engine.claims.extraction import read
from analysis.engine.signals.contradiction import MOST, findings
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("answer", "kind"), TABLES["conflicts"])
def test_conflicts(answer, kind):
    conflicts = findings(read(answer))
    assert kind in {item.kind for item in conflicts}
    for item in conflicts:
        assert len(item.spans) == 2
    assert detect_internal_contradictions(answer)[0]


@pytest.mark.parametrize("answer", ["", *TABLES["no conflict"]])
def test_no_conflict(answer):
    assert detect_internal_contradictions(answer) == (False, "")


def test_details_quote_both_claims():
    _, details = detect_internal_contradictions("The store is open. The store is closed.")
    assert "“The store is open”" in details
    assert "“The store is closed”" in details


def test_findings_are_bounded():
    answer = "".join(f"The price is ${number}. " for number in range(1, 400))
    assert len(findings(read(answer))) == MOST
