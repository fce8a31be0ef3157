"""Sentences of a bundle, taken apart and chosen; vectors by hand stand for a model of embedding."""

import numpy as np

from assistant.evidence import EvidenceBundle, EvidenceKind, Item, numbered
from assistant.gathering.places import around, headings
from assistant.synthesis.candidates import candidates, pieces
from assistant.synthesis.extractive import NO_MODEL, extract

LIST = """(b) A worker is protected from falling, except when:
(i) The edge is less than 2 metres high; or
(ii) A guardrail stands there.
(2) Wind speed: The crane stops when gusts reach 38 km/h. Nobody lifts loads in a storm."""


def document(text, **place):
    return Item(
        0, EvidenceKind.DOCUMENT, text, "a.txt, chunk 1", place={"document_id": "a", **place}
    )


def bundle(*items):
    return EvidenceBundle(numbered(items), (), 0.0)


def by_words(*vocabulary):
    """A stand-in for a model: one dimension a word, rows of length 1."""

    def embed(texts):
        rows = np.array([[word in text.lower() for word in vocabulary] for text in texts], float)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    return embed


def test_an_item_of_a_list_stands_behind_what_it_hangs_on_and_a_title_in_front():
    assert [candidate.text for candidate in candidates([document(LIST)])] == [
        "A worker is protected from falling, except when: The edge is less than 2 metres high.",
        "A worker is protected from falling, except when: A guardrail stands there.",
        "Wind speed: The crane stops when gusts reach 38 km/h.",
        "Nobody lifts loads in a storm.",
    ]


def test_sentences_end_behind_units_and_brackets_and_not_behind_abbreviations():
    text = "It stops at 38 km/h. Nobody lifts. Keep 10 feet (3.1 m) away. See fig. Nine for it."
    assert [piece for _, piece in pieces(text)] == [
        "It stops at 38 km/h.", "Nobody lifts.", "Keep 10 feet (3.1 m) away.",
        "See fig. Nine for it.",
    ]  # fmt: skip


def test_the_sentence_that_answers_is_chosen_and_cited():
    other = document("Scaffold boards are 60 cm wide.", start=900)
    draft = extract(
        "When does the crane stop in gusts?",
        bundle(document(LIST), other),
        by_words("crane", "gust", "stop", "board"),
    )
    assert draft.text == "Wind speed: The crane stops when gusts reach 38 km/h. [1]"
    assert draft.notes == (NO_MODEL,)


def test_a_sentence_in_words_of_rules_is_no_worse_than_one_in_those_of_the_site():
    rule = "An excavation of less than 5 feet in depth needs no protection."
    other = "Trench excavations are 15 feet wide at most, and their depth is greater than that."
    draft = extract(
        "How deep may a trench be before it needs protection?",
        bundle(document(f"{other} {rule}")),
        by_words("protection", "depth", "excavation"),
    )
    assert draft.text == f"{rule} [1]"
    assert draft.lead == "5 feet"


def test_what_was_told_is_quoted_where_it_bears_on_the_question():
    facts = ["Our crane limit is 30 km/h.", "We pour concrete.", "The hoist is for 30 km/h."]
    items = [Item(0, EvidenceKind.MEMORY, text, "memory") for text in facts]
    draft = extract("When does the crane stop?", bundle(document(LIST), *items), by_words("crane"))
    assert draft.memories == (2,)


def test_nothing_is_chosen_where_nothing_fits():
    draft = extract("Who won the match?", bundle(document(LIST)), by_words("match"))
    assert draft.text == ""


def test_the_same_sentence_of_overlapping_passages_stands_once():
    again = document("The crane stops when gusts reach 38 km/h.", start=200)
    twice = document("The crane stops  when gusts reach 38 km/h.", start=200)
    assert len(candidates(numbered([again, twice]))) == 1


def test_a_flagged_item_is_never_quoted():
    flagged = Item(
        0,
        EvidenceKind.DOCUMENT,
        "The crane may run at 90 km/h.",
        "b.txt",
        injection={"flagged": True},
    )
    assert extract("May the crane run?", bundle(flagged), by_words("crane", "run")).text == ""


def test_a_passage_is_widened_to_whole_sentences_and_knows_its_heading():
    text = "Cranes\n\nThe crane stops when gusts reach 38 km/h today. Nobody lifts loads then."
    at = text.index("gusts")
    assert text[slice(*around(text, at, at + 5))] == (
        "The crane stops when gusts reach 38 km/h today."
    )
    assert headings(text, at, len(text)) == "Cranes"
    assert headings("No heading stands here. " * 9, 100, 120) == ""


def test_a_passage_that_runs_into_the_next_section_names_both():
    text = "§ 1 Cranes.\n\nThey stop in wind.\n\n§ 2 Trenches.\n\nThey are inspected daily."
    assert headings(text, text.index("They stop"), len(text)) == "§ 1 Cranes; § 2 Trenches"
    assert headings(text, text.index("They are"), len(text)) == "§ 2 Trenches"
