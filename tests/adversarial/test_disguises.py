"""No disguise of a wrong statement ends in ALLOW, and no form of a right one is flagged."""

from collections import defaultdict

import pytest

from analysis.engine import Action, decide, measure
from tests.adversarial.cases import Case, by_rules
from tests.answers import FixedJudge

CREDULOUS = FixedJudge(0.99, 0.005, 0.005)
CASES: dict[str, list[Case]] = defaultdict(list)
for case in by_rules():
    CASES[case.kind].append(case)


def is_right(case: Case, action: Action) -> bool:
    """Return whether the action is right: a wrong answer may be treated too severely."""
    if case.least is Action.ALLOW:
        return action is Action.ALLOW
    return action.severity >= case.least.severity


NOT_A_JUDGES_TO_SAY = ("negating_frame", "no_sources", "right")
"""No judge can overrule a frame or the lack of sources."""


@pytest.mark.parametrize(
    ("kind", "judge"),
    [*((kind, None) for kind in CASES), *((kind, CREDULOUS) for kind in NOT_A_JUDGES_TO_SAY)],
)
def test_each_input_ends_in_its_action(kind, judge) -> None:
    wrong = []
    for case in CASES[kind]:
        action = decide(case.answer, measure(case.submission, judge=judge)).action
        if not is_right(case, action):
            wrong.append((str(action), case.answer, case.sources))
    assert wrong == []
