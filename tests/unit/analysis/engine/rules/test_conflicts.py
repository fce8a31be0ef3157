"""Claims that differ from one statement of a source in a single point."""

import pytest

from analysis.engine import Action, Source, Submission, decide, measure
from analysis.engine.signal_types import Conflict
from tests.tables import tables

TABLES = tables(__file__)


def conflicts(claim: str, source: str, query: str = "") -> tuple[Conflict, ...]:
    (signal,) = measure(Submission(claim, query, (Source("s", source),))).signals
    return tuple(conflict for conflict in signal.conflicts if conflict.certain)


def action(answer: str, source: str, query: str) -> Action:
    return decide(answer, measure(Submission(answer, query, (Source("s", source),)))).action


@pytest.mark.parametrize(("claim", "source", "detail"), TABLES["one changed point is certain"])
def test_one_changed_point_is_certain(claim: str, source: str, detail: str) -> None:
    assert detail in [conflict.detail for conflict in conflicts(claim, source)]


@pytest.mark.parametrize(("claim", "source"), TABLES["what agrees or may agree"])
def test_what_agrees_or_may_agree_is_no_certain_conflict_of_words(claim: str, source: str) -> None:
    kinds = {conflict.kind.value for conflict in conflicts(claim, source)}
    assert kinds <= {"number", "date"}


@pytest.mark.parametrize(
    ("query", "right", "wrong"),
    [
        ("Does the pass cover ferries?", "No.", "Yes."),
        ("Does the pass cover trams?", "Yes.", "No."),
    ],
)
def test_a_sentence_that_denies_is_not_taken_to_affirm(query: str, right: str, wrong: str) -> None:
    source = "The pass covers trams. The pass does not cover ferries."
    assert action(right, source, query) is Action.ALLOW
    assert action(wrong, source, query) is Action.BLOCK


def test_no_is_never_certain_of_shared_words_alone() -> None:
    source = "Trainees are not entitled to paid leave."
    (signal,) = measure(
        Submission("No.", "Do trainees get paid leave?", (Source("s", source),))
    ).signals
    assert not any(conflict.certain for conflict in signal.conflicts)
