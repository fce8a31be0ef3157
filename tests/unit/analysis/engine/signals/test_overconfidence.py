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


@pytest.mark.parametrize(
    "answer",
    [
        "The train is not always on time.",
        "It is not guaranteed to work.",
        "There is no guarantee that it works.",
        "I'm not 100% sure that it closed.",
        "The shirt is 100% cotton.",
        "Sales rose by 100% in the spring.",
        "The firm owns 100% of the mill.",
        "One can never be certain of the weather.",
        "It is impossible to say when it will end.",
        "It is almost certainly raining there.",
        'The word "definitely" is an adverb.',
        "Is it guaranteed to work?",
        "Absolutely! I'd be happy to help.",
        "The guaranty fund was small.",
        "Hello! How are you?",
        "",
    ],
)
def test_no_certainty(answer):
    assert detect_overconfidence(answer) == (False, "")


@pytest.mark.parametrize(
    ("answer", "domain", "figure"),
    [
        ("Aspirin cures 95% of patients.", "medical", "95%"),
        ("The court decided this in 2020.", "legal", "2020"),
        ("Invest $1000 in that firm.", "financial", "$1000"),
        ("The disease is common. In 2020 it spread.", "medical", "2020"),
    ],
)
def test_figures_in_sensitive_domains(answer, domain, figure):
    flagged, reason = detect_overconfidence(answer)
    assert flagged
    assert domain in reason
    assert figure in reason


@pytest.mark.parametrize(
    "answer",
    [
        "The tool is in stock for $5.",
        "The tennis court opened in 2020.",
        "Aspirin helps some patients.",
        "The tower opened in 1889.",
        "Moore's law dates from 1965.",
    ],
)
def test_figures_elsewhere(answer):
    assert detect_overconfidence(answer) == (False, "")


def test_findings_carry_spans_and_claims():
    answer = "It closed. It definitely moved."
    [finding] = findings(read(answer))
    [(start, end)] = finding.spans
    assert answer[start:end] == "definitely"
    assert finding.claim_ids == ("c_0002",)


@pytest.mark.parametrize(
    "answer",
    [
        "Turn right at the mill and pay $50.",
        "She returned in 1911.",
        "All interested visitors pay $900.",
    ],
)
def test_a_word_of_the_same_stem_is_no_domain(answer):
    assert not any(item.kind is FindingKind.SENSITIVE_DOMAIN for item in findings(read(answer)))
