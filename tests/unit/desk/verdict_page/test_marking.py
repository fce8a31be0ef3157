"""Cutting a text into marked pieces loses and adds nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk.verdict_page.marking import (
    Span,
    differing_figures,
    differing_words,
    doubted,
    negated_words,
    opposing_words,
    segments,
    shared_words,
)

CLAIM = "It closed in 2026 and merged."
numbers = st.integers(-5, 60)
spans = st.lists(st.tuples(numbers, numbers), max_size=12)


@given(text=st.text(max_size=50), ranges=spans)
def test_the_pieces_joined_are_the_text(text, ranges) -> None:
    given_spans = [Span(start, end, str(n)) for n, (start, end) in enumerate(ranges)]
    pieces = segments(text, given_spans)
    assert "".join(piece.text for piece in pieces) == text
    at = 0
    for piece in pieces:
        assert piece.text
        for n, (start, end) in enumerate(ranges):
            inside = max(start, 0) <= at and at + len(piece.text) <= min(end, len(text))
            assert (str(n) in piece.keys) == inside
        at += len(piece.text)


def test_every_span_opens_and_closes_once() -> None:
    pieces = segments("abcdef", [Span(1, 4, "x"), Span(2, 6, "y")])
    assert [(p.text, p.keys, p.opens, p.closes) for p in pieces] == [
        ("a", (), (), ()),
        ("b", ("x",), ("x",), ()),
        ("cd", ("x", "y"), ("y",), ("x",)),
        ("ef", ("y",), (), ("y",)),
    ]


def test_an_empty_text_has_no_pieces() -> None:
    assert segments("", [Span(0, 4, "x")]) == []


def test_offsets_are_code_points() -> None:
    assert [p.text for p in segments("😀é x", [Span(0, 1, "k")])] == ["😀", "é x"]


def test_words_are_shared_by_their_stems_and_not_by_what_says_nothing() -> None:
    passage = "The college closed its doors in 2019."
    words = {passage[s.start : s.end] for s in shared_words(passage, "Colleges close in 2019")}
    assert words == {"college", "closed", "2019"}


def test_words_against_a_claim_are_those_a_conflict_quotes_and_negations() -> None:
    passage = "It closed in 2019 and did not merge."
    date = {"kind": "date", "detail": "“2026” against “2019”"}
    negation = {"kind": "negation", "detail": "“merg”: negated in the source"}
    words = {passage[s.start : s.end] for s in opposing_words(passage, [date], CLAIM)}
    assert words == {"2019"}
    words = {passage[s.start : s.end] for s in opposing_words(passage, [date, negation], CLAIM)}
    assert words == {"2019", "not", "merge"}


def test_of_what_a_conflict_quotes_only_what_the_claim_lacks_is_against_it() -> None:
    passage = "You get a replacement car for up to 14 days."
    conflict = {"kind": "number", "detail": "the source says “up to 14 days”"}
    spans = opposing_words(passage, [conflict], "You get a replacement car for up to 30 days")
    assert [passage[span.start : span.end] for span in spans] == ["14"]
    spans = opposing_words(passage, [conflict], "You get a car for up to 14 days")
    assert len(spans) == 4


def test_neighbouring_doubted_words_become_one_run_with_the_highest_doubt() -> None:
    text = "It closed in 2026, they say."
    words = [(13, 17, 0.9), (10, 12, 0.6), (3, 9, 0.4), (24, 27, 0.5), (20, 99, 1.0), (5, 5, 1.0)]
    assert doubted(text, words, 0.5) == [(10, 17, 0.9), (24, 27, 0.5)]
    assert doubted(text, words, 0.3) == [(3, 17, 0.9), (24, 27, 0.5)]


def test_where_the_source_excludes_it_its_not_is_marked() -> None:
    conflict = {"kind": "frame", "detail": "frame: the source excludes “smoking”"}

    def marked(text: str) -> list[str]:
        return [text[span.start : span.end] for span in opposing_words(text, [conflict], CLAIM)]

    assert marked("Smoking is not allowed in the courtyard.") == ["not"]
    assert marked("Smoking is prohibited.") == ["prohibited"]
    assert marked("Smoking: see the rules.") == ["Smoking"]


@pytest.mark.parametrize(
    ("claim", "passage", "marked"),
    [
        ("The shed may be let.", "The shed may not be let.", ["not"]),
        ("The policy pays for moles.", "Moles are excluded by the policy.", ["excluded"]),
        ("Wine is sold here.", "Wine isn't sold here.", ["isn't"]),
        ("Wine is not sold here.", "Wine is never sold here.", []),
        ("The fee is due in May.", "The fee is due in June.", []),
    ],
)
def test_where_the_judge_alone_contradicts_what_denies_is_marked(claim, passage, marked) -> None:
    spans = opposing_words(passage, [], claim)
    assert [passage[span.start : span.end] for span in spans] == marked


@pytest.mark.parametrize(
    ("claim", "passage", "words"),
    [
        ("It definitely closed in 2026.", "It closed in 2019.", ["2026"]),
        ("Up to 2,500 euros.", "Up to 1,500 euros if it was locked.", ["2,500"]),
        ("It was not covered.", "It is covered.", ["not"]),
        ("It merged with SNU.", "It was sold to SNU.", ["merged"]),
        ("It closed in 2019.", "It closed in 2019.", []),
        ("Open in district 18 from 8 to 18.", "District 18: open from 8 to 16.", ["18"]),
        ("With three months' notice.", "With one month's notice.", ["three"]),
        ("With 3 months' notice.", "With three months' notice.", []),
        ("Groundwater is covered.", "Groundwater is not covered.", ["covered"]),
    ],
)
def test_what_differs_in_a_claim_is_its_figures_else_its_negation_else_its_words(
    claim, passage, words
) -> None:
    assert [claim[s.start : s.end] for s in differing_words(claim, passage)] == words


def test_figures_of_a_passage_that_a_claim_does_not_have() -> None:
    passage = "Theft is covered up to 1,500 euros within 7 days."
    figures = differing_figures(passage, "Theft is covered up to 2,500 euros within 7 days.")
    assert [passage[s.start : s.end] for s in figures] == ["1,500"]


def test_of_equal_figures_the_one_in_another_place_differs() -> None:
    claim = "The office in district 18 is open from 8 to 18."
    spans = differing_figures(claim, "District 18 has an office, open from 8 to 16.")
    assert [span.start for span in spans] == [claim.rindex("18")]


def test_a_word_that_the_claim_negates_is_against_it() -> None:
    passage = "The insured must call before a hospital stay."
    spans = negated_words(passage, "You need not call before a hospital stay.")
    assert [passage[s.start : s.end] for s in spans] == ["call"]
