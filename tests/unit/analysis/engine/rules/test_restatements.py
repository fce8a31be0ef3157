import pytest

from analysis.engine.types import Action, ConflictKind
from tests.answers import FixedJudge, decided, measured
from tests.tables import tables

TABLES = tables(__file__)


def framed(answer: str, source: str) -> bool:
    """Return whether the source certainly conflicts with the answer's frame."""
    (signal,) = measured(answer, source).signals
    return any(each.kind is ConflictKind.FRAME and each.certain for each in signal.conflicts)


@pytest.mark.parametrize(("answer", "source"), TABLES["a denial on one side"])
def test_a_denial_on_one_side_conflicts(answer: str, source: str) -> None:
    assert framed(answer, source)


@pytest.mark.parametrize(("answer", "source"), TABLES["denying and negating the same"])
def test_denying_and_negating_the_same_is_no_conflict(answer: str, source: str) -> None:
    assert not framed(answer, source)


DOUBTING = FixedJudge(0.1, 0.05, 0.85)


@pytest.mark.parametrize(
    ("answer", "source", "action"),
    [
        ("The museum was closed.", "The museum was closed.", Action.ALLOW),
        ("The lift may carry max. 500 kg.", "The lift may carry at most 500 kg.", Action.ALLOW),
        ("The museum is closed.", "The museum was closed.", Action.WARN),
        ("He lives in Ulm.", "She lives in Ulm.", Action.WARN),
    ],
)
def test_only_the_same_time_and_person_outweigh_a_doubting_judge(answer, source, action):
    assert decided(answer, source, judge=DOUBTING).action is action
