"""38 plain answers with each judge: wrong ones are flagged, right ones pass."""

import operator
from typing import Any, NamedTuple

import pytest

from analysis.engine import decide, measure
from analysis.engine.types import Action, Source, Submission
from analysis.judge import missing_judge, own_judge
from inference.judge import BASE, SMALL, Judge

ACCOUNTS = (
    "Cash withdrawals abroad cost 1.75 % of the amount with the Basic account and are free with "
    "the Premium account. Overdrafts are charged with both accounts."
)
LEAVE = (
    "The primary caregiver receives 16 weeks of paid leave, the secondary caregiver receives 4 "
    "weeks."
)
IBUPROFEN = (
    "Adults take 200 to 400 mg every 4 to 6 hours. Leave 6 hours between doses. The maximum is "
    "1200 mg per day unless directed by a doctor. Do not use in the last trimester of pregnancy."
)
SCAFFOLDS = (
    "Portable ladders must extend at least 3 feet (0.9 m) above the landing. Fall protection is "
    "required at 10 feet (3.1 m) above a lower level."
)
EXCAVATIONS = (
    "A competent person must inspect the excavation daily. Protective systems are required except "
    "where the excavation is made entirely in stable rock."
)
RETURNS = (
    "Electronics can be returned within 14 days of delivery if unopened; all other items within 30 "
    "days of delivery if unworn. Refunds go to the original payment method and take 5 to 7 "
    "business days."
)
SHOP = "The kettle costs EUR 39.90. Mugs cost EUR 7.50 each."
COMPANY = (
    "Halden Systems, headquartered in Austin, Texas, has 12,400 employees. John Reed was chief "
    "executive until 2021 and was succeeded by Maria Lopez. Revenue rose 11.9 % to $4.2 billion. "
    "Operating profit was $355 million in 2022 and $310 million in 2023."
)
RESTAURANT = (
    '{"name": "Trattoria Lume", "hours": {"monday": "closed", "tuesday": "11:00-22:00", '
    '"wednesday": "11:00-22:00"}, "menu": [{"dish": "lasagne", "vegetarian": false}, '
    '{"dish": "risotto", "vegetarian": true}]}'
)
REPORT = "The report was written by Dr. Park and reviewed by Dr. Lee."
APPLICATIONS = "The application window opens on 5 March 2026 and closes on 30 April 2026."
WARRANTY = "The standard warranty covers defects. Damage caused by water is excluded."
EXPENSES = "Department heads can approve expenses up to $10,000; above that the CFO approves."
HOLIDAY = (
    "Full-time employees get 25 days of holiday a year. Part-time employees get holiday in "
    "proportion to their hours."
)
SAVINGS = "The savings account can be closed at any time without notice."
SUPPORT = "Support hours: Mon–Fri 09:00–17:00."
PATIENT = "Diagnosis: T2DM. Medication: metformin 500 mg BID."


class Case(NamedTuple):
    name: str
    answer: str
    source: str


WRONG = (
    Case("free abroad", "With the Basic account, withdrawals abroad are free.", ACCOUNTS),
    Case("swapped", "The secondary caregiver receives 16 weeks, the primary 4.", LEAVE),
    Case("pregnancy", "Ibuprofen is safe throughout pregnancy.", IBUPROFEN),
    Case("3 inches", "Ladders must extend at least 3 inches above the landing.", SCAFFOLDS),
    Case("3.1 feet", "Fall protection is required above 3.1 feet.", SCAFFOLDS),
    Case("weekly", "The employer must inspect the excavation weekly.", EXCAVATIONS),
    Case("any worker", "Any worker may inspect the excavation.", EXCAVATIONS),
    Case("succession", "John Reed succeeded Maria Lopez as chief executive.", COMPANY),
    Case("worn", "Items are returnable whether or not they were worn.", RETURNS),
    Case("mug price", "Each mug cost EUR 39.90.", SHOP),
    Case("overdrafts", "Only the Premium account charges for overdrafts.", ACCOUNTS),
    Case("Mondays", "It opens at 11:00 on Mondays.", RESTAURANT),
    Case("lasagne", "The lasagne is vegetarian.", RESTAURANT),
    Case("electronics", "Yes. You can return electronics within 30 days of delivery.", RETURNS),
    Case("roles", "The report was written by Dr. Lee and reviewed by Dr. Park.", REPORT),
    Case("closing date", "Applications close on 5 March 2026.", APPLICATIONS),
    Case("water", "Yes, water damage is covered by the standard warranty.", WARRANTY),
    Case("expenses", "Department heads can approve expenses above $10,000.", EXPENSES),
    Case(
        "part-time",
        "Full-time employees get 25 days, and part-time employees get 25 as well.",
        HOLIDAY,
    ),
)
RIGHT = (
    Case("1.2 g", "The maximum is 1.2 g per day unless a doctor directs otherwise.", IBUPROFEN),
    Case("six hours", "Leave at least six hours between doses.", IBUPROFEN),
    Case("trimester", "Do not use it in the final three months of pregnancy.", IBUPROFEN),
    Case("36 inches", "Portable ladders must extend 36 inches above the landing.", SCAFFOLDS),
    Case(
        "stable rock",
        "No protective system is needed if the excavation is cut entirely in stable rock.",
        EXCAVATIONS,
    ),
    Case(
        "no notice",
        "You can close the savings account whenever you like, with no notice period.",
        SAVINGS,
    ),
    Case("about 12 %", "Revenue rose by about 12 %.", COMPANY),
    Case("$45 million", "Operating profit dropped by $45 million.", COMPANY),
    Case("$4,200 million", "Revenue rose to $4,200 million.", COMPANY),
    Case("Texas", "Halden Systems is based in Texas.", COMPANY),
    Case("12,000", "Halden Systems has more than 12,000 employees.", COMPANY),
    Case("weekdays", "Support is open from 9 am to 5 pm on weekdays.", SUPPORT),
    Case("two mugs", "Two mugs cost EUR 15.00.", SHOP),
    Case("payment method", "Refunds go back to the payment method you used.", RETURNS),
    Case(
        "number words",
        "The primary caregiver receives sixteen weeks of paid leave, the secondary four.",
        LEAVE,
    ),
    Case("a week", "Refunds take about a week.", RETURNS),
    Case(
        "two weeks",
        "You can return electronics within two weeks, and only if you have not opened them.",
        RETURNS,
    ),
    Case(
        "abbreviations",
        "The patient has type 2 diabetes and takes metformin 500 mg twice daily.",
        PATIENT,
    ),
    Case(
        "maximum",
        "Adults should not exceed 1,200 mg per day without medical advice.",
        IBUPROFEN,
    ),
)


def action(case: Case, judge: Judge) -> Action:
    submission = Submission(case.answer, "", (Source("s", case.source),))
    return decide(case.answer, measure(submission, judge=judge)).action


@pytest.mark.parametrize(("name", "least"), [(BASE, 33), (SMALL, 29)])
def test_judges_decide_most_cases_rightly(name: str, least: int, settings: Any) -> None:
    """Not case by case: int8 arithmetic differs a little between processors."""
    settings.NLI_MODEL = name
    if missing := missing_judge():
        pytest.skip(missing)
    judge = own_judge()
    assert judge is not None
    flagged = [action(case, judge) is not Action.ALLOW for case in (*WRONG, *RIGHT)]
    expected = [True] * len(WRONG) + [False] * len(RIGHT)
    assert sum(map(operator.eq, flagged, expected)) >= least


def test_there_are_38_cases() -> None:
    assert len({case.name for case in (*WRONG, *RIGHT)}) == 38
