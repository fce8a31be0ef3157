"""Claims that differ from one statement of a source in a single point."""

import pytest

from analysis.engine import Action
from analysis.engine.signal_types import Conflict
from tests.answers import decided, measured
from tests.tables import tables

TABLES = tables(__file__)


def conflicts(claim: str, source: str) -> tuple[Conflict, ...]:
    signals = measured(claim, source).signals
    return tuple(
        conflict for signal in signals for conflict in signal.conflicts if conflict.certain
    )


@pytest.mark.parametrize(("claim", "source", "detail"), TABLES["one changed point is certain"])
def test_one_changed_point_is_certain(claim: str, source: str, detail: str) -> None:
    assert detail in [conflict.detail for conflict in conflicts(claim, source)]


@pytest.mark.parametrize(("claim", "source"), TABLES["what agrees or may agree"])
def test_what_agrees_or_may_agree_is_no_certain_conflict_of_words(claim: str, source: str) -> None:
    kinds = {conflict.kind.value for conflict in conflicts(claim, source)}
    assert kinds <= {"number", "date"}


@pytest.mark.parametrize(("claim", "source"), TABLES["a plain restatement"])
def test_a_plain_restatement_has_no_certain_conflict(claim: str, source: str) -> None:
    assert conflicts(claim, source) == ()


def test_certain_conflicts_are_right_on_made_up_statements() -> None:
    """Each rule decides alone, so it must be right in at least 97 of 100 cases."""
    right, wrong = (
        sum(bool(conflicts(*case)) for case in TABLES[f"{label} of a made-up source"])
        for label in ("right", "wrong")
    )
    assert wrong > 100
    assert right <= 0.03 * wrong


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
