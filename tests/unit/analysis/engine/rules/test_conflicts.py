"""Claims that differ from one statement of a source in a single point."""

from collections import Counter
from random import Random

import pytest

from analysis.engine import Action
from analysis.engine.signal_types import Conflict
from tests.answers import decided, measured
from tools.training.judge import synthetic
from tools.training.judge.data import ENTAIL

CABINS = "The Elm cabin has a stove and no shower. The Ash cabin has a shower."
BUSES = "Coaches of the red line carry prams; coaches of the green line do not."


def conflicts(claim: str, source: str) -> tuple[Conflict, ...]:
    signals = measured(claim, source).signals
    return tuple(
        conflict for signal in signals for conflict in signal.conflicts if conflict.certain
    )


@pytest.mark.parametrize(
    ("claim", "source", "detail"),
    [
        ("The pass covers ferries.", "The pass covers trams. The pass does not cover ferries.",
         "“covers”: negated in the source"),
        ("Vouchers are accepted.", "Vouchers are not accepted.",
         "“accepted”: negated in the source"),
        ("Vouchers are not accepted.", "Vouchers are accepted.",
         "“accepted”: negated in the claim but not in the source"),
        ("Vouchers are definitely not accepted.", "Vouchers are accepted.",
         "“accepted”: negated in the claim but not in the source"),
        ("The Elm cabin has a shower.", CABINS, "“shower”: negated in the source"),
        ("The west gate is locked at night.", "The west gate is unlocked at night.",
         "“locked”: negated in the source"),
        ("Bids close before noon.", "Bids close after noon.", "“before”: the source says “after”"),
        ("All halls have a lift.", "Some halls have a lift.", "“All”: the source says “Some”"),
        ("The pier was designed by Ida Moe.", "The pier was designed by Tor Lie in 1911.",
         "“Ida Moe”: the source says “Tor Lie”"),
        ("Halden lies north of Moss.", "Moss lies north of Halden.",
         "the source has it the other way round"),
        ("The tenant must inform the landlord.", "The landlord must inform the tenant.",
         "the source has it the other way round"),
        ("The lab works under ISO/IEC 17020:2017.", "The lab works under ISO/IEC 17025:2017.",
         "the source says “17025”"),
        ("Divers need not wear a vest.", "Divers must wear a vest.",
         "“wear”: negated in the claim but not in the source"),
    ],
)  # fmt: skip
def test_one_changed_point_is_certain(claim: str, source: str, detail: str) -> None:
    assert detail in [conflict.detail for conflict in conflicts(claim, source)]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The Ash cabin has a shower.", CABINS),
        ("Coaches of the red line carry prams.", BUSES),
        ("The pass, which does not cover ferries, covers trams.",
         "The pass covers trams. The pass does not cover ferries."),
        ("The pass covers trams.", "The pass, which does not cover ferries, covers trams."),
        ("You may register.", "You need not register."),
        ("Some halls have a lift.", "All halls have a lift."),
        ("Moss, Halden and Drammen are towns.", "Halden, Moss and Drammen are towns."),
        ("Bo married Ida.", "Ida married Bo."),
        ("The hall is open in June.", "The hall is not open in June before noon."),
        ("Deliveries arrive on Fridays.", "Deliveries arrive on Tuesdays."),
    ],
)  # fmt: skip
def test_what_agrees_or_may_agree_is_no_certain_conflict_of_words(claim: str, source: str) -> None:
    kinds = {conflict.kind.value for conflict in conflicts(claim, source)}
    assert kinds <= {"number", "date"}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The net result in 2023 was EUR 1.85 million.",
         "The net result in 2023 was EUR 1,850 thousand. The net result in 2024 was EUR 1,234 "
         "thousand."),
        ("In 2021, there were 184 thefts.", "There were 653 thefts in 2001. In 2021 there were "
         "184."),
        ("La multa es de 1250,50 euros.", "La multa es de 1.250,50 euros."),
        ("The fund has €22,000,000.", "The fund has €22 million."),
        ("Speed of the crane: max. 28 km/h.", "A speed above 28 km/h is forbidden for the crane."),
        ("Files may have up to 50 MB.", "Files larger than 50 MB are not accepted."),
        ("Before 1995, the club was in Ghent.", "In 1995 the club left Ghent for Graz."),
        ("144 pieces are on order.", "Stock: on hand: 377 pieces, reserved: 218 pieces, on order: "
         "144 pieces."),
        ("Flood damage is excluded from the travel cover.",
         "Covered by the travel cover: car rental.\nNot covered: flood damage."),
        ("The order comes to 36 euros in total.",
         "Two notebooks at 4.50 euros each, a pen at 21.00 euros, 2 pads at 2.00 euros each."),
        ("It ends at 00:30 UTC.", "The upkeep lasts from 23:00 to 01:30 CET."),
        ("Ines asked for a refund.", "urgent: no. Ines asked for a refund."),
        ("Annual plans are excluded from pausing.", "Annual plans cannot be paused."),
        ("The library van usually comes at 10:15.",
         "The library van comes at 11:15 today, an hour later than usual."),
        ("At the age of 14, they may park in the yard.",
         "The minimum age to park in the yard is 9."),
    ],
)  # fmt: skip
def test_a_plain_restatement_has_no_certain_conflict(claim: str, source: str) -> None:
    assert conflicts(claim, source) == ()


def test_certain_conflicts_are_right_on_made_up_statements() -> None:
    """Each rule decides alone, so it must be right in at least 97 of 100 cases."""
    counts = Counter[bool]()
    for seed in range(400):
        block = synthetic.block(Random(seed))
        for claim in block.claims if not block.question else ():
            if conflicts(claim.text, block.texts[0]):
                counts[claim.target == ENTAIL] += 1
    assert counts[False] > 100
    assert counts[True] <= 0.03 * counts[False], counts


@pytest.mark.parametrize(
    ("query", "right", "wrong"),
    [
        ("Does the pass cover ferries?", "No.", "Yes."),
        ("Does the pass cover trams?", "Yes.", "No."),
    ],
)
def test_a_sentence_that_denies_is_not_taken_to_affirm(query: str, right: str, wrong: str) -> None:
    source = "The pass covers trams. The pass does not cover ferries."
    assert decided(right, source, query=query).action is Action.ALLOW
    assert decided(wrong, source, query=query).action is Action.BLOCK


def test_no_is_never_certain_of_shared_words_alone() -> None:
    source = "Trainees are not entitled to paid leave."
    (signal,) = measured("No.", source, query="Do trainees get paid leave?").signals
    assert not any(conflict.certain for conflict in signal.conflicts)
