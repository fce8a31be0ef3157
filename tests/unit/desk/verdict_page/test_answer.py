"""The parts of an answer, joined, are the answer; claims are marked by their most severe status."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.claims.extraction import read
from analysis.engine.types import ClaimStatus
from desk.verdict_page import answer as cutting
from desk.verdict_page.marking import doubted
from desk.verdict_page.selectors import ClaimLine

SUPPORTED, LOW, AGAINST = (
    ClaimStatus.SUPPORTED, ClaimStatus.LOW_CONFIDENCE, ClaimStatus.CONTRADICTORY,
)  # fmt: skip
texts = st.text(min_size=1, max_size=80)
spans = st.lists(
    st.tuples(st.integers(0, 70), st.integers(1, 30), st.sampled_from(list(ClaimStatus))),
    max_size=12,
)
doubts = st.lists(st.tuples(st.integers(-3, 80), st.integers(0, 20), st.floats(0, 1)), max_size=8)


def lines_of(text: str, claims: list[tuple[int, int, ClaimStatus]]) -> list[ClaimLine]:
    inside = sorted((a, min(a + n, len(text)), s) for a, n, s in claims if a < len(text))
    return [ClaimLine(n, f"c_{n:04d}", a, b, s) for n, (a, b, s) in enumerate(inside, 1)]


def shown(text: str, lines: list[ClaimLine], words: list[tuple[int, int, float]]) -> list[str]:
    return [
        run.text
        for number in cutting.numbers_of(lines)
        for piece in cutting.part(text, lines, number, words).pieces
        for run in piece.runs
    ]


@given(text=texts, claims=spans, words=doubts)
def test_all_parts_joined_are_the_answer(text, claims, words) -> None:
    lines = lines_of(text, claims)
    runs = doubted(text, [(a, a + n, share) for a, n, share in words], 0.5)
    assert "".join(shown(text, lines, runs)) == text


def test_a_long_answer_comes_in_parts_that_meet_where_a_claim_begins() -> None:
    total = cutting.PART * 2 + 5
    text = "".join(f"<{n:04d}>" for n in range(total)) + "tail"
    lines = [ClaimLine(n + 1, f"c_{n + 1}", n * 6 + 1, n * 6 + 5, LOW) for n in range(total)]
    parts = [cutting.part(text, lines, n, []) for n in cutting.numbers_of(lines)]
    claim_numbers = [[p.claim.number for p in part.pieces if p.claim] for part in parts]
    assert [len(numbers) for numbers in claim_numbers] == [cutting.PART, cutting.PART, 5]
    assert [n for numbers in claim_numbers for n in numbers] == [line.number for line in lines]
    assert "".join(shown(text, lines, [])) == text
    assert [cutting.part_of(line) for line in (lines[0], lines[-1])] == [1, 3]


def test_where_claims_meet_the_gravest_is_marked_and_goes_on_after_the_other() -> None:
    text = "abcdef"
    lines = [ClaimLine(1, "c_0001", 0, 6, LOW), ClaimLine(2, "c_0002", 2, 4, AGAINST)]
    pieces = cutting.part(text, lines, 1, suppressed={2}).pieces
    runs = [(p.claim.number, p.first, p.runs[0].text) for p in pieces]
    assert runs == [(1, True, "ab"), (2, True, "cd"), (1, False, "ef")]
    assert [p.claim.suppressed for p in pieces] == [False, True, False]


def test_doubted_words_stay_within_the_mark_of_their_claim() -> None:
    text = "It closed in 2026."
    lines = [ClaimLine(1, "c_0001", 0, 17, AGAINST)]
    (piece, rest) = cutting.part(text, lines, 1, [(13, 17, 0.91)]).pieces
    assert [(run.text, run.doubt) for run in piece.runs] == [
        ("It closed in ", ""), ("2026", "91%"),
    ]  # fmt: skip
    assert rest.claim is None
    assert [run.text for run in rest.runs] == ["."]


def test_the_list_has_the_most_severe_first_and_pages_around_the_one_shown() -> None:
    statuses = [SUPPORTED, LOW, AGAINST] * 100
    lines = [ClaimLine(n, f"c_{n}", n, n + 1, s) for n, s in enumerate(statuses, 1)]
    page = cutting.claim_page("x" * 400, lines, 6)
    assert page.near == [1, 0, 4, 5, 6, 7, 8, 0, 12]
    everything = [h for n in page.numbers for h in cutting.claim_page("x" * 400, lines, n).heads]
    labels = ("Contradicted", "Not confirmed", "Supported")
    assert [h.status for h in everything] == [label for label in labels for _ in range(100)]
    assert cutting.claim_page("x", lines, 99).number == 1
    (withheld,) = cutting.claim_page("x" * 400, lines[:1], 1, {1}).heads
    assert withheld.text == "claim withheld"
    assert cutting.claim_page("", [], 1).heads == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            '{"state": "open", "floors": 12, "lift": true}',
            ["state: open", "floors: 12", "lift: true"],
        ),
        ("{'state': 'open'}", ["state: open"]),
        ('{"owners": ["R. Vale", "T. Holm"]}', ["owners: R. Vale", "T. Holm"]),
        ('The sign says "closed": nobody came.', ['The sign says "closed": nobody came.']),
    ],
)
def test_a_field_of_json_is_told_without_its_punctuation(answer, said) -> None:
    claims = [statement.claim for statement in read(answer).statements]
    lines = [ClaimLine(n, c.claim_id, c.start, c.end, LOW) for n, c in enumerate(claims, 1)]
    assert [cutting.head(answer, line).text.rstrip(".") for line in lines] == [
        text.rstrip(".") for text in said
    ]
    doubted = [(lines[0].start, lines[0].start + 2, 0.9)]
    runs = cutting.claim_runs(answer, lines[0], doubted)
    assert "".join(run.text for run in runs) == cutting.head(answer, lines[0]).text


@pytest.mark.parametrize(
    ("answer", "claim", "words"),
    [
        ("| Plus | 12.90 € |", "Plus | 12.90 €", "Plus · 12.90 €"),
        ('{"status": "closed"}', 'status": "closed', "status: closed"),
        ("Either a|b or c.", "Either a|b or c.", "Either a|b or c."),
    ],
)
def test_fields_and_rows_of_tables_are_read_without_their_punctuation(answer, claim, words) -> None:
    start = answer.index(claim)
    line = ClaimLine(1, "c_0001", start, start + len(claim), LOW)
    assert cutting.head(answer, line).text == words
