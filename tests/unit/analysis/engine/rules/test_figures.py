"""A figure or a denial is in conflict only where no passage carries what the claim says."""

import pytest

from analysis.engine.claims.extraction import read
from analysis.engine.rules.figures import Rewording
from analysis.engine.signal_types import SignalName
from analysis.engine.signals.grounding import ground
from analysis.engine.types import ClaimStatus, SignalStatus, Source
from tests.answers import decided, measured
from tests.tables import tables

TABLES = tables(__file__)


def status(answer: str, *sources: str) -> ClaimStatus:
    (claim,) = decided(answer, *sources).claims
    return claim.status


def rewordings(answer: str, source: str) -> list[list[Rewording]]:
    """Return the rewordings of each claim."""
    claims = ground(read(answer, "", 10), "", (Source("s", source),)).claims
    return [list(grounding.rewordings) for grounding in claims]


def test_a_bound_that_the_source_does_not_state_stays_for_the_judge() -> None:
    source = "4 GB of memory are recommended; backups run every 24 hours."
    assert rewordings("Memory: minimum 4 GB.", source) == [[]]
    assert rewordings("Backups run at least every day.", source) == [[]]


@pytest.mark.parametrize(("expected", "answer", "source"), TABLES["read"])
def test_a_claim_beside_a_text_with_other_figures_and_denials(expected, answer, source):
    assert status(answer, source) is ClaimStatus(expected)


def test_a_true_figure_of_another_thing_does_not_outweigh():
    sources = ("The Kvalsund bridge is 741 metres long.", "The Tana bridge is 700 metres long.")
    assert status("The Kvalsund bridge is 700 metres long.", *sources) is ClaimStatus.CONTRADICTORY


def test_another_persons_figures_confirm_nothing():
    sources = (
        "The shop of Lena Moe: 9 workers, 2021.",
        "Omar Lie opened the shop in 2020 with 7 workers.",
        "Omar Lie had 9 workers in 2020.",
    )
    measurement = measured("The shop of Omar Lie: 9 workers, 2021.", *sources)
    assert measurement.states[SignalName.GROUNDING].status is SignalStatus.OK


@pytest.mark.parametrize("denial", ["did n't close", "did n’t close", "didn't close"])
def test_a_denial_is_one_however_the_text_was_tokenised(denial):
    source = "The mill did not close in 2019."
    assert status(f"The mill {denial} in 2019.", source) is not ClaimStatus.CONTRADICTORY
    assert status("The mill closed in 2019.", f"The mill {denial} in 2019.") is (
        ClaimStatus.CONTRADICTORY
    )


@pytest.mark.parametrize(("answer", "source", "text"), TABLES["from when to when"])
def test_a_model_reads_from_when_to_when_something_lasted(answer, source, text):
    (of_claim,) = rewordings(answer, source)
    assert [each.text for each in of_claim] == ([text] if text else [])


def test_the_name_of_a_value_is_no_part_of_the_figure():
    source = "Fees (in EUR thousand): 2023: 7; 2024: 9."
    (of_claim,) = rewordings("In 2023 the fee was EUR 7 thousand.", source)
    assert [each.text for each in of_claim] == ["2023", "7 thousand EUR"]


def test_a_value_is_not_replaced_by_the_range_or_the_bound_that_it_lies_in():
    source = "The shop is open from 8:00 to 18:00 in July. The fee is up to EUR 30 a day."
    answer = "The shop is open at 17:30 on 4 July. The fee is up to EUR 40 a day."
    assert rewordings(answer, source) == [[], []]


def test_a_plus_between_two_figures_is_no_bound():
    source = "The course costs 17.90. The book costs 15.00."
    (of_claim,) = rewordings("Both cost 17.90 + 15.00 in all.", source)
    assert [each.end - each.start for each in of_claim] == [5, 5]
