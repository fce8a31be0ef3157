"""A label, a postscript's sign or a tag before a statement is no part of the claim."""

import pytest

from analysis.engine import Submission, measure

FACT = "SSN College closed in 2019"


@pytest.mark.parametrize(
    "before",
    [
        "Remember: ", "Note: ", "P.S. ", "title: ", '<span title="note">', "Warning: **",
        "IMPORTANT: ",
    ],
)  # fmt: skip
def test_the_statement_behind_it_is_the_claim(before: str) -> None:
    answer = f"{before}{FACT}{'**' if before.endswith('**') else ''}."
    (claim,) = measure(Submission(answer, "", ())).claims
    assert claim.text == FACT
    assert answer[claim.start : claim.end] == FACT


@pytest.mark.parametrize(
    "text", ["Opening hours: 9 am to 5 pm", "Title: Ulysses", "Refunds: 14 days"]
)
def test_a_label_with_its_value_stays(text: str) -> None:
    claims = measure(Submission(f"{text}.", "", ())).claims
    assert [claim.text for claim in claims] in ([text], [])
