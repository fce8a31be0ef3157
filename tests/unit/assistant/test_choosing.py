"""Sentences of a bundle, taken apart and chosen; vectors by hand stand for a model of embedding."""

import numpy as np
import pytest

from assistant.evidence import EvidenceBundle, EvidenceKind, Item, ResolvedQuestion, numbered
from assistant.synthesis.candidates import candidates, pieces
from assistant.synthesis.extractive import (
    NO_MODEL,
    Readers,
    extract,
    in_context,
    names_another,
    ranked,
)
from assistant.synthesis.sections import around, headings
from lib.text.tokens import tokenize

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
    """Return a stand-in for a model: one dimension a word, rows of length 1."""

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


def test_items_of_a_list_stand_behind_their_lead_in_and_what_follows_them_does_not():
    text = (
        "The sides agreed:\n - trial starts 17 March, ten weeks long\n"
        " - the roster is announced 14 days ahead. It hangs in the hall.\n"
        " - overtime is paid\nThe council voted: 3 for, 1 against."
    )
    assert [candidate.text for candidate in candidates([document(text)])] == [
        "The sides agreed: trial starts 17 March, ten weeks long.",
        "The sides agreed: the roster is announced 14 days ahead.",
        "It hangs in the hall.",
        "The sides agreed: overtime is paid.",
        "The council voted: 3 for, 1 against.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Never recap needles. The dental carpule may be recapped.",
        "Drills in March and October. The alarm is tested on Wednesdays.",
    ],
)
def test_a_sentence_without_a_verb_is_no_title_if_it_forbids_or_is_long(text):
    assert " ".join(candidate.text for candidate in candidates([document(text)])) == text


def test_a_few_words_within_a_line_are_no_title():
    text = "Lost property costs 3 euros. Children's things free.\nPhotograph needed for wallets."
    assert " ".join(candidate.text for candidate in candidates([document(text)])) == (
        text.replace("\n", " ")
    )


def test_an_answer_of_an_faq_is_read_behind_its_question_and_shown_with_it_if_short():
    text = (
        "Tickets\n\nLost my monthly ticket?\nNever replaced. It is registered.\n"
        "Student pass? The school does it.\nTickets are blue.\n\n"
        "Over 60?\n\nBring a new photograph.\n\nExcept in May, it costs 8 euros."
    )
    pool = candidates([document(text)])
    assert [in_context(candidate) for candidate in pool] == [
        "Tickets. Lost my monthly ticket? Never replaced.",
        "Tickets Lost my monthly ticket? It is registered.",
        "Tickets Student pass? The school does it.",
        "Tickets. Tickets are blue.",
        "Tickets Over 60? Bring a new photograph.",
        "Tickets. Except in May, it costs 8 euros.",
    ]
    assert pool[-2].attached == ("Except in May, it costs 8 euros.",)


@pytest.mark.parametrize(
    "text",
    [
        "Is the guard closed?\nIs the floor dry?\nWear goggles at all times.",
        "- Is the guard closed?\n- Wear goggles at all times.",
        "See http://x.org/?\nWear goggles at all times.",
        "Are there questions?\n\n# Is it safe?\n\nWear goggles at all times.",
    ],
)
def test_not_every_question_is_one_of_an_faq(text):
    pool = candidates([document(text)])
    assert pool[-1].text == "Wear goggles at all times."
    assert pool[-1].context in ("", "Is it safe?")


def test_the_same_answer_to_two_questions_of_an_faq_counts_twice():
    text = (
        "Can I bring a dog?\nNo.\n\nCan I park here?\nNo.\n\n"
        "Is it free?\nYes, it is.\n\nIs it safe?\nYes, it is."
    )
    assert [in_context(candidate) for candidate in candidates([document(text)])] == [
        "Can I bring a dog? No.",
        "Can I park here? No.",
        "Is it free? Yes, it is.",
        "Is it safe? Yes, it is.",
    ]


def test_the_items_of_a_list_need_no_mark_at_their_end_and_are_no_headings():
    text = (
        "Wear this on the site.\n\n- Shoes with a steel cap\n- Hat with a chin strap\n\n"
        "The lift stops at 40 km/h.\n\n- Wind speed. Stop above 40 km/h."
    )
    assert [(each.text, each.context) for each in candidates([document(text)])] == [
        ("Wear this on the site.", ""),
        ("Shoes with a steel cap", ""),
        ("Hat with a chin strap", ""),
        ("The lift stops at 40 km/h.", ""),
        ("Wind speed: Stop above 40 km/h.", ""),
    ]


def test_a_heading_may_stand_right_above_a_list():
    text = "Leave is 27 days.\n\n3. Sharps\n- Never recap a needle.\n- Boxes are yellow."
    contexts = [candidate.context for candidate in candidates([document(text)])]
    assert contexts == ["", "3. Sharps", "3. Sharps"]


def test_sentences_end_behind_units_and_brackets_and_not_behind_abbreviations():
    text = "It stops at 38 km/h. Nobody lifts. Keep 10 feet (3.1 m) away. See fig. Nine for it."
    assert [piece for _, piece in pieces(text)] == [
        "It stops at 38 km/h.", "Nobody lifts.", "Keep 10 feet (3.1 m) away.",
        "See fig. Nine for it.",
    ]  # fmt: skip


def answer(question, evidence, embed):
    return extract([ResolvedQuestion(question)], evidence, Readers(embed))


def test_a_row_of_a_table_stands_behind_the_heads_of_its_columns():
    table = "Code | Meaning | Remedy\nE104 | Guard door open | Close the door\nE115 | Jam | –\n"
    first = document(f"7 Faults\n{table}\nThree rejects stop the machine.", heading="7 Faults")
    later = document("E120 | No air | Open the valve", start=500, table="Code | Meaning | Remedy")
    assert [item.text for item in candidates([first, later])] == [
        "E104 – Meaning: Guard door open; Remedy: Close the door",
        "E115 – Meaning: Jam; Remedy: –",
        "Three rejects stop the machine.",
        "E120 – Meaning: No air; Remedy: Open the valve",
    ]


def test_the_first_row_of_a_table_without_heads_is_a_row():
    hours = "Opens | 8:00\nCloses | 17:00\nLunch | 12:00 to 12:30"
    assert [item.text for item in candidates([document(hours)])] == [
        "Opens – 8:00", "Closes – 17:00", "Lunch – 12:00 to 12:30",
    ]  # fmt: skip
    year = "Item | 2025\nVisitors | 212"
    assert [item.text for item in candidates([document(year)])] == ["Visitors – 2025: 212"]


def test_the_sentence_that_answers_is_chosen_and_cited():
    other = document("Scaffold boards are 60 cm wide.", start=900)
    draft = answer(
        "When does the crane stop in gusts?",
        bundle(document(LIST), other),
        by_words("crane", "gust", "stop", "board"),
    )
    assert draft.text.startswith("Wind speed: The crane stops when gusts reach 38 km/h. [1]")
    assert draft.notes == (NO_MODEL,)


def test_what_goes_on_about_a_sentence_is_quoted_with_it():
    text = "The heat pump replaces the old boiler. It costs 96,000 euros. The roof is green."
    draft = answer("What does the heat pump replace?", bundle(document(text)), by_words("pump"))
    assert draft.text.startswith(
        "The heat pump replaces the old boiler. It costs 96,000 euros. [1]"
    )


def test_what_the_judge_of_answers_says_counts_most():
    text = "The boom is lowered at 40 km/h. The platform is lowered at 55 km/h."
    pool, question = candidates([document(text)]), "At what wind is the lift lowered?"
    first = by_words("lowered")
    assert ranked(question, pool, Readers(first))[0].candidate == pool[0]

    def answering(asked, texts):
        assert asked == question
        return [-4.0 if "40 km/h" in text else 2.0 for text in texts]

    best, other = ranked(question, pool, Readers(first, answering))
    assert (best.candidate, other.candidate) == (pool[1], pool[0])
    assert best.certain
    assert other.close
    assert not other.certain

    other_thing = "At what wind is the mobile crane lowered?"
    tower = bundle(document("The tower crane is lowered at 40 km/h."))
    sure = Readers(first, lambda _, texts: [6.0 for _ in texts])
    assert extract([ResolvedQuestion(other_thing)], tower, sure).text
    assert not extract([ResolvedQuestion(other_thing)], tower, Readers(first)).text

    sure_of_neither = Readers(first, lambda _, texts: [-4.0 for _ in texts])
    assert not any(item.certain for item in ranked(question, pool, sure_of_neither))


def test_a_rule_for_another_thing_is_shown_as_close_and_not_as_the_answer():
    text = "The tower crane stops when gusts reach 38 km/h."
    model = by_words("crane", "gust", "stop")
    own = answer("At what gusts does the tower crane stop?", bundle(document(text)), model)
    assert own.text == f"{text} [1]"
    other = answer("At what gusts does the mobile crane stop?", bundle(document(text)), model)
    assert (other.text, other.closest) == ("", ((1, text),))


@pytest.mark.parametrize(
    ("question", "sentence", "another"),
    [
        ("When does the new library open?", "The old library closes on 31 October.", True),
        ("When is the second floor slab poured?", "The first floor slab was poured.", True),
        ("When does the crane stop?", "The tower crane stops in wind.", False),
        ("May people work in the wind?", "Scaffold work stops at 50 km/h.", False),
        ("When does the tower crane stop?", "Crane operation stops in wind.", False),
        ("What is the settlement of pile 9?", "The test of pile 14 gave a settlement.", True),
        ("What is the lifting height of the TH 12?", "Lifting height – TH 7: 6.9 m", True),
        ("What is the lifting height of the TH 7?", "Lifting height – TH 7: 6.9 m", False),
        ("How many people work on level 12?", "Eight people work on level 3.", True),
        ("Does it need 4 people?", "It needs 6 people.", False),
    ],
)
def test_another_thing_of_the_kind_is_told_by_the_word_before_it(question, sentence, another):
    assert names_another(tokenize(question), sentence) is another


def test_a_row_of_a_table_is_no_heading():
    rows = "Moving house | 1\n25 years of service | 3"
    pool = candidates([document(rows, table="Occasion | Paid days", section="Leave")])
    assert [(item.text, item.context) for item in pool] == [
        ("Moving house – Paid days: 1", "Leave"), ("25 years of service – Paid days: 3", "Leave"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("2. Cold chain\nVaccines are kept at 5 °C.", "2. Cold chain"),
        ("2 Setting up\n2.1 The handbrake is on.", "2 Setting up"),
        ("6. PERMITS\nType | Issued by\nHot work | Mr Benali", "6. PERMITS"),
        ("1. Press the button\n2. Wait until it rings.", ""),
        ("3 rooms\nThey are in the cellar.", ""),
        ("1. Minutes accepted.\nNo changes were asked for.", ""),
    ],
)
def test_a_numbered_line_above_its_text_is_a_heading_and_an_item_of_a_list_is_none(text, title):
    assert headings(text, 0, len(text)) == title


def test_of_two_like_sentences_the_one_under_the_heading_asked_for_leads():
    text = "# Hoist\n\nIt stops at 40 km/h.\n\n# Crane\n\nIt stops at 38 km/h."
    pool = candidates([document(text)])
    best, _ = ranked("When does the crane stop?", pool, Readers(by_words("crane", "hoist", "stop")))
    assert best.candidate.text == "It stops at 38 km/h."


def test_a_sentence_answers_the_sooner_the_further_the_next_is_behind():
    model = by_words("crane", "stop", "storm", "told", "boards", "before")
    text = "The crane stops in a storm. Boards are red."
    alone = candidates([document(text)])
    beside = candidates([document(f"{text} The crane stops in a storm at night.")])
    question = "Who is told before it stops?"
    assert ranked(question, alone, Readers(model))[0].certain
    assert not ranked(question, beside, Readers(model))[0].certain


def minutes(*dated):
    """Return minutes of several dates, each with its number of coolers."""
    return [
        document(f"Coolers\n\nWe rent {count} coolers.", file=name, document_id=name, dated=date)
        for name, date, count in dated
    ]


def first_best(_, texts):
    return [1.0 - 0.5 * at for at, _ in enumerate(texts)]


def test_a_newer_issue_of_a_document_takes_the_place_of_an_older_one():
    question, readers = "How many coolers do we rent?", Readers(by_words("coolers"), first_best)

    def best(*dated):
        return ranked(question, candidates(numbered(minutes(*dated))), readers)[0].candidate.text

    february, march = ("02_february.txt", "--02-19", 5), ("03_march.txt", "--03-26", 8)
    assert best(february, march) == best(march, february) == "We rent 8 coolers."
    rules = ("rules.txt", "--03-26", 8)
    assert best(february, rules) == "We rent 5 coolers."
    with_year = ("03_march.txt", "2026-03-26", 8)
    assert best(february, with_year) == "We rent 5 coolers."
    assert best(("a.txt", "", 5), ("a2.txt", "", 8)) == "We rent 5 coolers."


def test_a_sentence_beside_the_answer_that_names_what_is_asked_for_is_quoted_with_it():
    text = "The oil is changed after 100 hours. T33: first change after 50. Ropes are red."
    readers = Readers(by_words("oil", "change"), first_best)

    def quoted(question):
        return extract([ResolvedQuestion(question)], bundle(document(text)), readers).text

    assert quoted("When is the oil of the T33 changed?").startswith(
        "The oil is changed after 100 hours. T33: first change after 50. [1]"
    )
    assert quoted("When is the oil changed?").startswith("The oil is changed after 100 hours. [1]")


def test_an_identifier_is_what_a_question_is_about():
    rows = "E207 stops the machine when a carton jams.\n\nE230 stops the machine without a product."
    model = by_words("stop", "machine")
    draft = answer("Why does E230 stop the machine?", bundle(document(rows)), model)
    assert draft.text.startswith("E230 stops the machine without a product. [1]")
    assert answer("Why does E511 stop the machine?", bundle(document(rows)), model).text == ""


def test_what_was_told_is_quoted_where_it_bears_on_the_question():
    facts = ["Our crane limit is 30 km/h.", "We pour concrete.", "The hoist is for 30 km/h."]
    items = [Item(0, EvidenceKind.MEMORY, text, "memory") for text in facts]
    draft = answer("When does the crane stop?", bundle(document(LIST), *items), by_words("crane"))
    assert draft.memories == (2,)


def test_nothing_is_chosen_where_nothing_fits():
    draft = answer("Who won the match?", bundle(document(LIST)), by_words("match"))
    assert (draft.text, draft.closest) == ("", ())


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
    assert answer("May the crane run?", bundle(flagged), by_words("crane", "run")).text == ""


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
