"""Internal contradictions: what conflicts and what must not."""

import pytest

from analysis.engine import detect_internal_contradictions
from analysis.engine.claims.extraction import read
from analysis.engine.signals.contradiction import MOST, findings
from analysis.engine.types import FindingKind

TIMELINE, STATUS = FindingKind.TIMELINE, FindingKind.STATUS
YES_NO, NUMERIC = FindingKind.YES_NO, FindingKind.NUMERIC


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("The company started in 1990. The company has been active since 2015.", TIMELINE),
        ("The firm was established in 1950. It was founded in 1999.", TIMELINE),
        ("Einstein was born in 1879. Einstein was born in 1885.", TIMELINE),
        ("The firm was founded in 2000, and it closed in 1990.", TIMELINE),
        ("The store is open. The store is closed.", STATUS),
        ("The museum is open daily. It closed permanently.", STATUS),
        ("SSN College is currently open. SSN College closed in 2020.", STATUS),
        ("Paris is alive and Paris is dead.", STATUS),
        ("The drug cures cancer. The drug does not cure cancer.", STATUS),
        ("Yes, it is open today. No, that is wrong.", YES_NO),
        ("The company has 50 employees. The company has 5,000 employees.", NUMERIC),
        ("The tower is 300 m tall. The tower's height is 500 m.", NUMERIC),
        ("The price is $50. The price is $60.", NUMERIC),
    ],
)
def test_conflicts(answer, kind):
    conflicts = findings(read(answer))
    assert kind in {item.kind for item in conflicts}
    for item in conflicts:
        assert len(item.spans) == 2
    assert detect_internal_contradictions(answer)[0]


@pytest.mark.parametrize(
    "answer",
    [
        "The company closed in 2010 and reopened in 2015.",
        "The store is open on Monday. The store is closed on Sunday.",
        "It was closed in the past. It is open now.",
        "X opened in 1990. Y opened in 2010.",
        "The company was founded in 1990. It opened a plant in 2010.",
        "The company started in 2010. It has been active since 2015.",
        "It opened its first store in 1970. It opened its second store in 1995.",
        "The population is about 1.2 million. The population is 1,200,000.",
        "Revenue was $5 million in 2010. Revenue was $8 million in 2011.",
        "It has 50 rooms and 30 suites.",
        "The trail is 5 km long. It takes 3 hours.",
        "Is it open? Yes. Is it free? No.",
        "Yes, it is good. No one knows why.",
        "50% of men smoke. 30% of women smoke.",
        "The museum is open. It closed in 1943 and reopened in 1950.",
        "Section 3 has 10 pages. Section 4 has 12 pages.",
        "The war began in 1914. The war ended in 1918.",
        "The store is open if it rains. The store is closed if it snows.",
        "SSN College is open. SSN University is closed.",
        "",
        "Let the dough rest for 40 minutes. Roll it out. Let the dough rest for 10 minutes.",
        "The oven shows 180 degrees at first. After an hour the oven still shows 165 degrees.",
    ],
)
def test_no_conflict(answer):
    assert detect_internal_contradictions(answer) == (False, "")


def test_details_quote_both_claims():
    _, details = detect_internal_contradictions("The store is open. The store is closed.")
    assert "“The store is open”" in details
    assert "“The store is closed”" in details


def test_findings_are_bounded():
    answer = "".join(f"The price is ${number}. " for number in range(1, 400))
    assert len(findings(read(answer))) == MOST
