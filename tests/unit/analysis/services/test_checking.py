"""The reason for which a decided check goes to the desk."""

from dataclasses import dataclass

import pytest

from analysis.engine.policy import ReviewRules
from analysis.engine.types import Action
from analysis.models import ReviewReason
from analysis.services.checking import review_reason

ALL, NONE = ReviewRules(), ReviewRules(blocked=False, warned=False)


@dataclass
class Reason:
    code: str


@dataclass
class Decided:
    action: Action
    reasons: tuple[Reason, ...] = (Reason("no_sources"),)
    hold: None = None


UNFINISHED = (Reason("risk_score"), Reason("not_checked_nli"))


@pytest.mark.parametrize(
    ("decision", "asking", "sampled", "reason"),
    [
        (Decided(Action.BLOCK), [ALL], False, ReviewReason.BLOCK),
        (Decided(Action.WARN), [ALL], True, ReviewReason.WARN),
        (Decided(Action.ALLOW), [ALL], False, None),
        (Decided(Action.ALLOW), [NONE], True, ReviewReason.QUALITY_SAMPLE),
        (Decided(Action.BLOCK), [NONE], False, None),
        (Decided(Action.BLOCK), [NONE], True, ReviewReason.QUALITY_SAMPLE),
        (Decided(Action.WARN), [NONE, ALL], False, ReviewReason.WARN),
        (Decided(Action.WARN), [ReviewRules(warned=False)], False, None),
        (Decided(Action.BLOCK), [ReviewRules(warned=False)], False, ReviewReason.BLOCK),
        (Decided(Action.WARN, UNFINISHED), [NONE], False, ReviewReason.WARN),
        (Decided(Action.ALLOW, UNFINISHED), [NONE], False, ReviewReason.NOT_CHECKED),
    ],
)
def test_reasons(decision, asking, sampled, reason) -> None:
    assert review_reason(decision, asking, sampled=sampled) == reason
