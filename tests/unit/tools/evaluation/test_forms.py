"""No form of an answer changes what a judge reads of it."""

import pytest

from analysis.engine.claims.extraction import read
from analysis.engine.evidence.hypotheses import hypotheses
from tools.evaluation.management.commands.evaluate_forms import FORMS

ANSWERS = (
    "The pool opens at seven.",
    "Dogs cost 2.50 euros a night. They must be kept on a lead.",
    "Refunds take up to 14 days, but only in July.",
)


def _texts(answer: str) -> list[str]:
    read_texts = (each.text for each in hypotheses(read(answer, "What are the rules?"), ""))
    return [text.rstrip(".").lower() for text in read_texts]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("answer", ANSWERS)
def test_a_judge_reads_the_same_in_each_form(answer, form) -> None:
    assert _texts(FORMS[form](answer)) == _texts(answer)
