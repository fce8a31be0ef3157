"""A claim that one source supports and another contradicts."""

from analysis.engine import (
    Action,
    ClaimStatus,
    LowConfidenceReason,
    Source,
    Submission,
    decide,
    measure,
)

ONE = Source("old", "The wind limit for the crane is 38 km/h.")
OTHER = Source("new", "The wind limit for the crane is 50 km/h.")
ANSWER = "The wind limit for the crane is 50 km/h."


def test_both_sources_are_shown_and_the_action_is_a_warning() -> None:
    measurement = measure(Submission(ANSWER, sources=(ONE, OTHER)))
    decision = decide(ANSWER, measurement)
    (claim,), (signal,) = decision.claims, measurement.signals
    assert decision.action is Action.WARN
    assert "conflicting_sources" in [reason.code for reason in decision.reasons if reason.decided]
    assert claim.status is ClaimStatus.LOW_CONFIDENCE
    assert claim.reason is LowConfidenceReason.CONFLICTING_SOURCES
    assert (signal.supported_by, signal.contradicted_by) == ("new#0", "old#0")


def test_sources_about_two_things_do_not_disagree() -> None:
    other = Source("roof", "The wind limit for the roof is 38 km/h.")
    decision = decide(ANSWER, measure(Submission(ANSWER, sources=(OTHER, other))))
    assert decision.action is Action.ALLOW


def test_a_denial_of_a_part_is_no_disagreement() -> None:
    sources = (
        Source("a", "The special thing about gravy is that not all sauces are gravy."),
        Source("b", "A gravy is the juice of a roast, and sauces are served hot."),
    )
    answer = "Not all sauces are gravy."
    measurement = measure(Submission(answer, sources=sources))
    assert not measurement.signals[0].disputed
