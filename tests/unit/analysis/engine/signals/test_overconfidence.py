"""Overconfidence: what is flagged and what must not be."""

import pytest

from analysis.engine import detect_overconfidence
from analysis.engine.claims.extraction import read
from analysis.engine.signals.overconfidence import findings
from analysis.engine.types import FindingKind
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize("answer", TABLES["certainty"])
def test_certainty(answer):
    assert detect_overconfidence(answer) == (True, "High confidence language detected")


@pytest.mark.parametrize("answer", ["", *TABLES["no certainty"]])
def test_no_certainty(answer):
    assert detect_overconfidence(answer) == (False, "")


@pytest.mark.parametrize(("answer", "domain", "figure"), TABLES["figures in sensitive domains"])
def test_figures_in_sensitive_domains(answer, domain, figure):
    flagged, reason = detect_overconfidence(answer)
    assert flagged
    assert domain in reason
    assert figure in reason


@pytest.mark.parametrize("answer", TABLES["figures elsewhere"])
def test_figures_elsewhere(answer):
    assert detect_overconfidence(answer) == (False, "")


def test_findings_carry_spans_and_claims():
    answer = "It closed. It definitely moved."
    [finding] = findings(read(answer))
    [(start, end)] = finding.spans
    assert answer[start:end] == "definitely"
    assert finding.claim_ids == ("c_0002",)


@pytest.mark.parametrize("answer", TABLES["a word of the same stem"])
def test_a_word_of_the_same_stem_is_no_domain(answer):
    assert not any(item.kind is FindingKind.SENSITIVE_DOMAIN for item in findings(read(answer)))


def test_the_words_of_a_heading_are_asserted_by_none_of_its_items():
    assert not findings(read("Never assume this:\n\n- Call recordings are kept for 90 days"))
