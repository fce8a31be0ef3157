"""The texts that a judge reads: sentences without what stands around them and says nothing."""

import pytest

from analysis.engine.claims.extraction import read
from analysis.engine.evidence.hypotheses import hypotheses


def _texts(answer: str) -> list[str]:
    return [each.text.rstrip(".") for each in hypotheses(read(answer, "Is it closed?"), "")]


@pytest.mark.parametrize(
    "answer",
    [
        "According to our policy, the dam is closed.",
        "Based on the provided context, the dam is closed.",
        "Based on the documents you uploaded, the dam is closed.",
        "The handbook says that the dam is closed.",
        'The handbook says: "the dam is closed."',
        "According to section 3.2, the dam is closed.",
        "In summary, the dam is closed.",
        "Please note that according to the guide, the dam is closed.",
        "I can tell you that the dam is closed.",
        "I think the dam is closed.",
        "It looks like the dam is closed.",
        "As far as I can see, the dam is closed.",
        "This means that the dam is closed.",
        "To answer your question, the dam is closed.",
        "OK, so the dam is closed.",
        "Unfortunately, the dam is closed.",
        "Good news: the dam is closed.",
        "**Answer:** the dam is closed.",
        "**Support bot:** the dam is closed.",
        "[Assistant] the dam is closed.",
        "Is it closed?\nA: the dam is closed.",
        "😊 the dam is closed.",
        "**the dam is closed.**",
        "*the dam* is `closed`.",
        '"the dam is closed."',
        "<answer>the dam is closed.</answer>",
        '{"answer": "the dam is closed."}',
        '{"answers": ["the dam is closed."]}',
        '{"response": "the dam is closed.", "confidence": 0.93, "sources": ["handbook.pdf"]}',
        "- the dam is closed",
    ],
)
def test_what_stands_around_a_sentence_is_not_judged(answer: str) -> None:
    assert _texts(answer) == ["the dam is closed"]


@pytest.mark.parametrize(
    "answer",
    [
        "Overall costs fell.",
        "According to Ann, the dam is closed.",
        "I don't think that the dam is closed.",
        "Nobody says that the dam is closed.",
        "I doubt that the dam is closed.",
        "Wrong answer: the dam is closed.",
        "If you know the code, the dam is closed.",
        "Yes, the dam is closed.",
    ],
)
def test_what_says_something_is_judged(answer: str) -> None:
    assert _texts(answer) == [answer.rstrip(".")]
