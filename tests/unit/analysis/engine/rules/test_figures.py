"""A figure or a denial is in conflict only where no passage carries what the claim says."""

import pytest

from analysis.engine import measure
from analysis.engine.decision import decide
from analysis.engine.types import Claim, ClaimStatus, Source, Submission
from analysis.engine.verdict_types import ClaimDecision

RECIPE = (
    "Sear the steaks for 3 minutes a side. Hold the steaks on their sides and cook the edges for "
    "1 minute. Remove the steaks to a rack and let them rest for 10 minutes."
)


def decided(answer: str, *sources: str) -> list[tuple[Claim, ClaimDecision]]:
    given_sources = tuple(Source(f"s{at}", text) for at, text in enumerate(sources))
    measurement = measure(Submission(answer, "", given_sources))
    return list(zip(measurement.claims, decide(answer, measurement).claims, strict=True))


def status(answer: str, *sources: str) -> ClaimStatus:
    (_, decision), *more = decided(answer, *sources)
    assert not more
    return decision.status


def test_another_time_of_the_recipe_contradicts_nothing():
    answer = "Remove the steaks to a rack and let them rest for 10 minutes."
    assert status(answer, RECIPE) is ClaimStatus.SUPPORTED


def test_a_time_that_the_recipe_has_for_another_step_is_still_contradicted():
    answer = "Hold the steaks on their sides and cook the edges for 10 minutes."
    assert status(answer, RECIPE) is ClaimStatus.CONTRADICTORY


def test_every_figure_of_the_claim_must_be_confirmed():
    source = "In May the plant sold 40 pumps in 3 towns. In June the plant sold 70 pumps."
    answer = "In May the plant sold 70 pumps in 3 towns."
    assert status(answer, source) is ClaimStatus.CONTRADICTORY


def test_a_true_figure_of_another_thing_does_not_outweigh():
    sources = ("The Kvalsund bridge is 741 metres long.", "The Tana bridge is 700 metres long.")
    assert status("The Kvalsund bridge is 700 metres long.", *sources) is ClaimStatus.CONTRADICTORY


@pytest.mark.parametrize("denial", ["did n't close", "did n’t close", "didn't close"])
def test_a_denial_is_one_however_the_text_was_tokenised(denial):
    source = "The mill did not close in 2019."
    assert status(f"The mill {denial} in 2019.", source) is not ClaimStatus.CONTRADICTORY
    assert status("The mill closed in 2019.", f"The mill {denial} in 2019.") is (
        ClaimStatus.CONTRADICTORY
    )


def test_a_denial_of_something_else_leaves_a_claim_that_a_passage_carries():
    source = (
        "Gravy is used in the preparation of food and in its service. Many cooks hold that gravy "
        "is not used in the service of food at all when guests are few."
    )
    answer = "Gravy is used in the preparation of food and in its service."
    assert status(answer, source) is ClaimStatus.SUPPORTED
