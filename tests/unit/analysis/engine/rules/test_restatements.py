import pytest

from analysis.engine.types import Action, ConflictKind
from tests.answers import FixedJudge, decided, measured


def framed(answer: str, source: str) -> bool:
    """Return whether the source certainly conflicts with the answer's frame."""
    (signal,) = measured(answer, source).signals
    return any(each.kind is ConflictKind.FRAME and each.certain for each in signal.conflicts)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("A permit is needed for a shed.", "It is a myth that a permit is needed for a shed."),
        (
            "A permit is not needed for a shed.",
            "It is a myth that a permit is not needed for a shed.",
        ),
        ("It is not the case that floods are not covered.", "Floods are not covered."),
        ("It is a myth that no permit is needed for a shed.", "No permit is needed for a shed."),
    ],
)
def test_a_denial_on_one_side_conflicts(answer: str, source: str) -> None:
    assert framed(answer, source)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("No permit is needed for a shed.", "It is a myth that a permit is needed for a shed."),
        ("It is not the case that floods are covered.", "Floods are not covered."),
        ("There is no need to buy a starter.", "Myth: you need to buy a starter."),
        ("You do not need to buy a starter.", "Myth: you need to buy a starter."),
    ],
)
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
