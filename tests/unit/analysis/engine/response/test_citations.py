"""Citations: put in, kept, merged, and taken out where they point to nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.engine import PolicyRules, Source, Submission, verify
from analysis.engine.response.citations import by_evidence, by_source, remove_citations_to_nothing
from analysis.engine.types import Document, EvidenceChunk
from lib.text.citations import marks
from tests.tables import tables

TABLES = tables(__file__)

MILL, INN = "The mill closed in 2010.", "The inn opened in 1990."
OPEN = PolicyRules.from_json(
    {"verdicts": {"contradictory_high_confidence": "WARN", "no_claim_supported": "WARN"}}
)


def checked(answer, *texts, rules=OPEN, given_sources=True):
    sources = tuple(Source(f"s{at}", text, f"T{at}") for at, text in enumerate(texts, 1))
    _, decision = verify(Submission(answer, "", sources if given_sources else None), rules)
    return decision


def chunk(doc, number, text, start=0):
    end = start + len(text)
    return EvidenceChunk(doc, number, text, start, end, None, None, None, 1, doc.upper(), "v")


def test_the_seeds_example():
    source = "The FEVER dataset was introduced in 2018 by Thorne and others."
    decision = checked("The FEVER dataset was introduced in 2018.", source)
    citations = decision.citations
    assert citations.formatted_text == "The FEVER dataset was introduced in 2018. [1]"
    assert citations.citation_map == {"c_0001": (1,)}
    assert [(passage.text, passage.title) for passage in citations.passages] == [(source, "T1")]
    assert citations.notes.method == "right_span_insertion_v1"
    assert decision.final_response == citations.formatted_text


@pytest.mark.parametrize(("answer", "expected"), TABLES["a citation stands where its claim ends"])
def test_a_citation_stands_where_its_claim_ends(answer, expected):
    decision = checked(answer, MILL, INN)
    assert decision.citations.formatted_text == expected


def test_only_supported_claims_are_cited_and_the_rest_of_the_evidence_is_a_passage():
    decision = checked("The mill closed in 2012. The inn opened in 1990.", MILL, INN)
    assert decision.citations.formatted_text == (
        "The mill closed in 2012. The inn opened in 1990. [1]"
    )
    assert decision.citations.citation_map == {"c_0002": (1,)}
    assert [passage.text for passage in decision.citations.passages] == [INN, MILL]
    assert "[1]" in decision.final_response
    assert "2012" not in decision.final_response


def test_the_policy_may_leave_citations_out_of_the_final_response():
    rules = PolicyRules.from_json({"mitigation": {"cite_supported": False}})
    decision = checked(MILL, MILL, rules=rules)
    assert decision.final_response == MILL
    assert decision.mitigation_actions == ()
    assert decision.citations.formatted_text == f"{MILL} [1]"


def test_own_citations_keep_their_numbers():
    answer = "The inn opened in 1990 [2]. The mill closed in 2010."
    decision = checked(answer, MILL, INN, "Bananas are yellow.")
    citations = decision.citations
    assert citations.formatted_text == "The inn opened in 1990 [2]. The mill closed in 2010. [1]"
    assert [passage.text for passage in citations.passages] == [MILL, INN, "Bananas are yellow."]
    assert citations.notes.numbering == "sources"
    assert citations.citation_map == {"c_0001": (2,), "c_0002": (1,)}


def test_citations_are_written_as_evaluators_read_them():
    answer = "The mill closed in 2010 [Source 1]. The inn opened in 1990 [1, 2]."
    decision = checked(answer, MILL, INN)
    plain = "The mill closed in 2010 [1]. The inn opened in 1990 [1][2]."
    assert decision.citations.formatted_text == plain
    assert decision.final_response == answer


TO_NOTHING = [
    ("The mill closed in 2010 [1]. The inn opened in 1990 [3].",
     "The mill closed in 2010 [1]. The inn opened in 1990 [2].", ["[3]"]),
    ("Bananas [1, 3] are sold [4-5].", "Bananas [1] are sold.", ["[1, 3]", "[4-5]"]),
    ("Bananas are sold ([7]), as said in [9].", "Bananas are sold, as said in [source missing].",
     ["[7]", "[9]"]),
    ("The mill closed in 2010 [1].\n\nSources:\n[1] a.pdf\n[3] b.pdf\n",
     "The mill closed in 2010 [1].\n\nSources:\n[1] a.pdf\n", ["[3]"]),
    ("The mill closed in 2010.\n\n## Sources\n- [3] a.pdf\n- [4] b.pdf",
     "The mill closed in 2010. [1]", ["[3]", "[4]"]),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "expected", "removed"), TO_NOTHING)
def test_citations_to_nothing_are_removed_and_named(answer, expected, removed):
    decision = checked(answer, MILL, INN)
    citations = decision.citations
    assert citations.formatted_text == expected
    assert [citation.text for citation in citations.notes.removed] == removed
    assert all(
        answer[slice(*citation.answer_char_span)] == citation.text
        for citation in citations.notes.removed
    )
    assert {citation.reason for citation in citations.notes.removed} == {"no_such_source"}
    assert "removed_citations_to_nothing" in decision.mitigation_actions


def test_without_sources_the_final_response_keeps_what_nobody_can_judge():
    decision = checked("The mill closed in 2010 [1].", given_sources=False)
    assert decision.citations.formatted_text == "The mill closed in 2010."
    assert decision.citations.notes.removed[0].reason == "unknown_source"
    assert decision.final_response == "The mill closed in 2010 [Not confirmed] [1]."
    assert "removed_citations_to_nothing" not in decision.mitigation_actions


def test_what_a_search_found_is_not_what_the_answers_numbers_mean():
    retrieved = (Source("handbook:3", MILL, "handbook.pdf", retrieved=True),)
    _, decision = verify(Submission("The mill closed in 2010 [1].", "", retrieved), OPEN)
    assert decision.citations.notes.numbering == "unknown"
    assert decision.citations.notes.removed[0].reason == "unknown_source"
    assert decision.citations.formatted_text == "The mill closed in 2010 [1]."
    assert decision.final_response == "The mill closed in 2010 [1]."
    assert decision.safety.passed_checks == ("citations", "grounding")


@pytest.mark.parametrize(
    "answer", ["The mill closed in 2010 [4].", "The mill closed in 2010. [99]"]
)
def test_a_number_above_the_count_of_passages_names_none_of_them(answer):
    retrieved = (Source("handbook:3", MILL, "handbook.pdf", retrieved=True),)
    _, decision = verify(Submission(answer, "", retrieved), OPEN)
    assert decision.safety.rejection_reason == "invalid_citations"
    assert decision.final_response == "The mill closed in 2010."
    assert "removed_citations_to_nothing" in decision.mitigation_actions


def test_one_source_may_hold_the_passages_that_are_cited():
    source = f"Passage 1: {INN}\nPassage 2: {MILL}"
    decision = checked("The mill closed in 2010 (Passage 2).", source)
    assert decision.citations.notes.numbering == "unknown"
    assert decision.final_response == "The mill closed in 2010 (Passage 2)."
    assert checked("The mill closed in 2010 [3].", source).citations.notes.numbering == "sources"


def test_a_replaced_claim_takes_its_citation_along():
    decision = checked("The mill closed in 2012 [1]. The inn opened in 1990 [2].", MILL, INN)
    assert decision.final_response.endswith("(claim withheld). The inn opened in 1990 [2].")


def test_the_validator_alone():
    text, removed = remove_citations_to_nothing("It is so [1][3], and [2].", 2)
    assert text == "It is so [1], and [2]."
    assert [citation.text for citation in removed] == ["[3]"]


class TestPassages:
    def test_equal_and_contained_passages_are_merged(self):
        chunks = [
            chunk("a", 1, "The mill closed in 2010."),
            chunk("b", 1, "the mill closed, in 2010"),
            chunk("c", 1, "All know: the mill closed in 2010."),
            chunk("e", 1, "Something else."),
        ]
        numbering = by_evidence(chunks)
        assert [passage.text for passage in numbering.passages] == [
            "All know: the mill closed in 2010.",
            "Something else.",
        ]
        assert numbering.number == {"a#1": 1, "b#1": 1, "c#1": 1, "e#1": 2}
        assert numbering.merged

    def test_by_source_joins_a_documents_chunks_in_its_order(self):
        documents = (Document("a", "A", "head of a"), Document("b", "B", "head of b"))
        chunks = [chunk("a", 5, "Later.", 90), chunk("a", 1, "First.", 0), chunk("z", 0, "New.")]
        numbering = by_source(documents, chunks)
        assert [passage.text for passage in numbering.passages] == [
            "First. … Later.", "head of b", "New.",
        ]  # fmt: skip
        assert numbering.number == {"a#1": 1, "a#5": 1, "z#0": 3}


def test_a_claim_in_a_listed_source_that_goes_is_not_cited():
    answer = " (. \n\nSources:\n [7]))The mill closed in 2010 [7], and **. \n- )"
    citations = checked(answer, MILL, INN).citations
    assert "[7]" not in citations.formatted_text
    assert marks(citations.formatted_text) or not any(citations.citation_map.values())


PARTS = (
    "The mill closed in 2010", "the inn opened in 1990", "bananas grow there", " [1]", " [2]",
    " [7]", "[1, 9]", ". ", ", and ", "\n- ", "\n\nSources:\n", "[3] a.pdf\n", "**", " (", ")",
)  # fmt: skip


@settings(max_examples=2 * settings.default.max_examples)
@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join), st.booleans())
def test_every_citation_points_to_a_passage(answer, given_sources):
    decision = checked(answer, MILL, INN, given_sources=given_sources)
    citations = decision.citations
    cited_numbers = [number for mark in marks(citations.formatted_text) for number in mark.numbers]
    assert all(1 <= number <= len(citations.passages) for number in cited_numbers)
    mapped = {number for numbers in citations.citation_map.values() for number in numbers}
    assert mapped <= set(cited_numbers)
    has_numbering = citations.notes.numbering != "unknown"
    if has_numbering and given_sources and decision.action != "BLOCK":
        cited_numbers = [n for mark in marks(decision.final_response) for n in mark.numbers]
        assert all(1 <= number <= len(citations.passages) for number in cited_numbers)


@pytest.mark.parametrize(
    "thought",
    ["<think>It may be 9.</think>\n\n", "<thinking>See [4].</thinking>", "It is 9?</think> "],
)
def test_what_a_model_wrote_for_itself_is_neither_checked_nor_shown(thought):
    decision = checked(f"{thought}The pool opens at 7.", "The pool opens at 7.")
    assert decision.final_response == "The pool opens at 7. [1]"
    assert decision.citations.formatted_text == "The pool opens at 7. [1]"
    spans = list(decision.final_spans.values())
    assert [decision.final_response[a:b] for a, b in spans] == ["The pool opens at 7"]


def test_an_answer_of_thoughts_alone_was_not_verified():
    decision = checked("<think>It opens at 7.", "It opens at 7.")
    assert (decision.action.value, decision.final_response) == ("WARN", "")
