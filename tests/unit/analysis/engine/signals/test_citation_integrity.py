import pytest

from analysis.engine import measure
from analysis.engine.types import SignalStatus, Source, Submission

SOURCES = (
    Source("a", "Refunds take 14 days. They are paid to the same account."),
    Source("b", 'The manager said: "We never close on a Sunday in May." The shop is in Oslo.'),
)


def cited(answer, sources=SOURCES):
    measurement = measure(Submission(answer, "", sources))
    return measurement.states["citations"], measurement.signals


def test_a_claim_is_measured_against_what_it_cites():
    state, (right, wrong) = cited("Refunds take 14 days [1]. The shop is in Oslo [1].")
    assert (state.status, state.model) == (SignalStatus.OK, "citations-1")
    assert (right.cited, right.cited_missing, right.citation_span_match) == ((1,), (), 1.0)
    assert wrong.cited == (1,)
    assert wrong.citation_span_match == 0.0


def test_several_sources_count_together():
    _, (claim,) = cited("Refunds take 14 days in the shop in Oslo [1, 2].")
    assert (claim.cited, claim.citation_span_match) == ((1, 2), 1.0)


def test_a_source_that_does_not_exist_holds_nothing():
    _, (absent, half) = cited("Refunds take 14 days [3]. The shop is in Oslo [2][7].")
    assert (absent.cited, absent.cited_missing, absent.citation_span_match) == ((3,), (3,), 0.0)
    assert (half.cited, half.cited_missing, half.citation_span_match) == ((2, 7), (7,), 1.0)


def test_a_claim_without_a_mark_has_no_measure():
    _, (first, second) = cited("Refunds take 14 days. The shop is in Oslo [2].")
    assert (first.cited, first.citation_span_match) == ((), None)
    assert second.citation_span_match == 1.0


@pytest.mark.parametrize(
    ("quote", "match"),
    [
        ("We never close on a Sunday in May", 1.0),
        ("we never close on a sunday", 1.0),
        ("We close on a Sunday in May", 6 / 7),
        ("May Sunday close never", 1 / 4),
    ],
)
def test_a_quotation_must_stand_in_the_source_word_by_word(quote, match):
    _, (claim,) = cited(f'The manager said "{quote}" [2].')
    assert claim.citation_span_match == pytest.approx(match, abs=1e-3)


def test_a_short_quotation_is_a_term():
    _, (claim,) = cited('The "shop manager" is in Oslo [2].')
    assert claim.citation_span_match == 1.0


@pytest.mark.parametrize("sources", [None, (), (Source("r", "Refunds.", retrieved=True),)])
def test_without_sources_of_the_client_a_mark_names_nothing_we_know(sources):
    state, (claim,) = cited("Refunds take 14 days [1].", sources)
    assert state.status is SignalStatus.NOT_APPLICABLE
    assert claim.citation_span_match is None


def test_an_answer_without_marks_does_not_apply():
    state, _ = cited("Refunds take 14 days.")
    assert state.status is SignalStatus.NOT_APPLICABLE
    assert "cites nothing" in state.reason
