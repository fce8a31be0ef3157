"""Small words that turn a statement round, each before the same word on both sides."""

import pytest

from analysis.engine import ClaimStatus, Source, Submission, verify

TURNED = [
    ("Take the pills with alcohol.", "Take the pills without alcohol."),
    ("Take the tablet before meals.", "Take the tablet after meals."),
    ("You must be at most 18 years old.", "You must be at least 18 years old."),
    ("The maximum speed is 30 km/h.", "The minimum speed is 30 km/h."),
    ("Fines exceed $500.", "Fines are below $500."),
]
OTHERWISE = [
    ("Employers may provide gloves.", "Employers must provide gloves."),
    ("Only managers may approve requests.", "Managers and clerks may approve requests."),
    ("Der Mieter muss nicht zahlen.", "Der Mieter muss zahlen."),
    ("Vous ne devez pas payer.", "Vous devez payer."),
    ("保修期为两年。", "保修期为三年。"),
    ("退款可以申请。", "退款不可以申请。"),
]
SAME = [
    ("Take the pills with food.", "Take the pills with food, never without water."),
    ("Wash your hands before meals.", "Wash your hands before meals and after work."),
    ("You must be at least 18 years old.", "Applicants must be at least 18 years old."),
    ("Employers must provide gloves.", "All employers must provide gloves."),
    ("Only managers may approve requests.", "Requests may be approved only by managers."),
    ("Der Mieter muss nicht zahlen.", "Der Mieter muss nicht zahlen, wenn er auszieht."),
    ("保修期为两年。", "产品保修期为两年。"),
]


def status(claim: str, source: str) -> ClaimStatus:
    _, decision = verify(Submission(claim, "", (Source("s", source),)))
    return decision.claims[0].status


@pytest.mark.parametrize(("claim", "source"), TURNED)
def test_the_opposite_contradicts(claim: str, source: str) -> None:
    assert status(claim, source) is ClaimStatus.CONTRADICTORY
    assert status(source, claim) is ClaimStatus.CONTRADICTORY


@pytest.mark.parametrize(("claim", "source"), OTHERWISE)
def test_something_else_is_no_support(claim: str, source: str) -> None:
    assert status(claim, source) is ClaimStatus.LOW_CONFIDENCE


@pytest.mark.parametrize(("claim", "source"), SAME)
def test_the_same_stays_supported(claim: str, source: str) -> None:
    assert status(claim, source) is ClaimStatus.SUPPORTED


def test_words_that_say_something_else_are_not_called_nothing_found() -> None:
    _, decision = verify(Submission(OTHERWISE[0][0], "", (Source("s", OTHERWISE[0][1]),)))
    assert decision.claims[0].reason == "not_supported"
    assert decision.claims[0].primary_evidence is not None
