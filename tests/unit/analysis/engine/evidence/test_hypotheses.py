"""The texts that a judge reads: sentences without what leads them and says nothing."""

import pytest

from analysis.engine.claims.extraction import read
from analysis.engine.evidence.hypotheses import hypotheses


@pytest.mark.parametrize(
    "answer",
    [
        "According to our policy, the dam is closed.",
        "Based on the provided context, the dam is closed.",
        "The handbook says that the dam is closed.",
        "In summary, the dam is closed.",
        "Please note that according to the guide, the dam is closed.",
    ],
)
def test_what_leads_a_sentence_is_not_judged(answer: str) -> None:
    texts = [each.text.rstrip(".") for each in hypotheses(read(answer), "Is it closed?")]
    assert texts == ["the dam is closed"]


@pytest.mark.parametrize("answer", ["Overall costs fell.", "According to Ann, the dam is closed."])
def test_what_says_something_is_judged(answer: str) -> None:
    assert [each.text for each in hypotheses(read(answer), "What happened?")] == [answer]
