"""The answer by sentences: nothing is lost, and each claim stands in one of them."""

from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.types import ClaimStatus
from desk.verdict_page.aligned import Sentence, sentences
from desk.verdict_page.answer import part
from desk.verdict_page.selectors import ClaimLine

ANSWER = "Well. It closed in 2026 and merged with SNU. The library, e.g. its maps, is there!\nBye."


def line(number: int, words: str, answer: str = ANSWER) -> ClaimLine:
    start = answer.index(words)
    return ClaimLine(number, f"c_{number}", start, start + len(words), ClaimStatus.SUPPORTED)


def text(sentence: Sentence) -> str:
    return "".join(run.text for piece in sentence.pieces for run in piece.runs)


def test_claims_of_a_sentence_stand_together_and_no_claim_is_cut() -> None:
    lines = [
        line(1, "It closed in 2026"), line(2, "merged with SNU"),
        line(3, "The library, e.g. its maps, is there!"),
    ]  # fmt: skip
    rows = sentences(part(ANSWER, lines, 1).pieces, {})
    assert [(text(row), row.later) for row in rows] == [
        ("Well. It closed in 2026 and merged with SNU. ", [1, 2]),
        ("The library, e.g. its maps, is there!\n", [3]),
        ("Bye.", []),
    ]


@given(
    answer=st.text(alphabet="ab .!\n", min_size=1, max_size=60),
    ranges=st.lists(st.tuples(st.integers(0, 59), st.integers(1, 20)), max_size=6),
)
def test_joined_they_are_the_answer(answer, ranges) -> None:
    spans = sorted((a, min(a + n, len(answer))) for a, n in ranges if a < len(answer))
    lines = [
        ClaimLine(number, f"c_{number}", a, b, ClaimStatus.SUPPORTED)
        for number, (a, b) in enumerate(spans, 1)
    ]
    assert "".join(map(text, sentences(part(answer, lines, 1).pieces, {}))) == answer
