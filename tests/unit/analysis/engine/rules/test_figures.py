"""A figure or a denial is in conflict only where no passage carries what the claim says."""

import pytest

from analysis.engine.claims.extraction import read
from analysis.engine.decision import decide
from analysis.engine.signals.grounding import ground
from analysis.engine.types import Claim, ClaimStatus, Source
from analysis.engine.verdict_types import ClaimDecision
from tests.answers import measured

RECIPE = (
    "Sear the steaks for 3 minutes a side. Hold the steaks on their sides and cook the edges for "
    "1 minute. Remove the steaks to a rack and let them rest for 10 minutes."
)


def decided(answer: str, *sources: str) -> list[tuple[Claim, ClaimDecision]]:
    measurement = measured(answer, *sources)
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


@pytest.mark.parametrize(
    ("answer", "source", "text"),
    [
        (
            "The alarm lasted forty minutes.",
            "The alarm was on from 15:10 to 15:50.",
            "the time from 15:10 to 15:50",
        ),
        (
            "The window is open for eight weeks.",
            "The window opens on 5 March and closes on 30 April.",
            "the time from 5 March to 30 April",
        ),
        # Another time may be meant, or another case.
        ("The alarm lasted forty minutes.", "At 9:00, 15:10 and 15:50 the alarm rang.", None),
        ("The alarm lasted forty minutes.", "If tested, it rings from 15:10 to 15:50.", None),
        (
            "The alarm lasted forty minutes longer than that of May.",
            "The alarm was on from 15:10 to 15:50.",
            None,
        ),
        (
            "The alarm lasted forty minutes in 7 halls.",
            "The alarm was on from 15:10 to 15:50 in 3 halls.",
            None,
        ),
        ("Two mugs cost EUR 15.00.", "Mugs cost EUR 7.50 each.", None),
    ],
)
def test_a_model_reads_from_when_to_when_something_lasted(answer, source, text):
    (grounding,) = ground(read(answer, "", 10), "", (Source("s", source),)).claims
    assert grounding is not None
    assert [each.text for each in grounding.rewordings] == ([text] if text else [])
