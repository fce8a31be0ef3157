"""Figures and names that stand in no source."""

import pytest

from analysis.engine import Action
from analysis.engine.verdict.probability import features_of, unsupported
from lib.text.figures import labels
from lib.text.tokens import tokenize
from tests.answers import decided, measured
from tests.tables import tables

TABLES = tables(__file__)

SOURCE = "Boeing delivered 12 aircraft to Alaska Air in 2023, three more than in 2022, for $1,250."


def _coverage(claim: str, query: str = ""):
    (signal,) = measured(claim, SOURCE, query=query).signals
    return signal.coverage


@pytest.mark.parametrize(
    ("claim", "figures", "names"),
    [
        ("Boeing delivered 12 aircraft in 2023.", 0, 0),
        ("Boeing delivered 14 aircraft in 2024.", 2, 0),
        ("It cost 1250 dollars, 3 times.", 0, 0),
        ("The aircraft went to Alaska Air and to Lufthansa.", 0, 1),
        ("Airbus delivered 12 aircraft.", 0, 0),
        ("In Step 7, Boeing delivered 12 aircraft (Passage 9).", 0, 0),
    ],
)
def test_what_stands_nowhere_is_counted(claim, figures, names):
    coverage = _coverage(claim)
    assert (coverage.absent_figures, coverage.absent_names) == (figures, names)


def test_the_question_may_bring_figures_and_names():
    coverage = _coverage("Boeing sold 99 aircraft to Lufthansa.", "Did Lufthansa buy 99?")
    assert (coverage.absent_figures, coverage.absent_names) == (0, 0)


def test_a_new_figure_makes_a_claim_more_doubtful():
    (stated_figure,) = measured("Boeing delivered 12 aircraft.", SOURCE).signals
    (new,) = measured("Boeing delivered 13 aircraft.", SOURCE).signals
    assert features_of(new).new_figures == 1.0
    assert unsupported(new) > unsupported(stated_figure)


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("Repeat steps 4 and 5 until 10 pm", ["steps", "4", "and", "5"]),
        ("see (Passage 1, 2) of 3", ["Passage", "1", ",", "2"]),
        ("Step one: mix 2 eggs", []),
        ("the step", []),
        ("", []),
    ],
)
def test_labels_number_the_parts_of_a_text(text, numbered):
    tokens = tokenize(text)
    assert [tokens.words[at] for at in sorted(labels(tokens, 0, len(tokens)))] == numbered


REFUNDS = "Refunds take 14 days. Shipping costs are not refunded. The shop is in Lyon."
RIGHT = "Refunds take 14 days."


@pytest.mark.parametrize("sentence", TABLES["taken back"])
def test_a_statement_that_may_be_taken_back_is_not_allowed(sentence: str) -> None:
    for answer in (f"{RIGHT} {sentence}", f"{RIGHT}\n\n**{sentence}**"):
        decision = decided(answer, REFUNDS)
        assert decision.action is not Action.ALLOW
        reasons = {each.code: each.text for each in decision.reasons}
        assert sentence.rstrip(".!") in reasons["unread_text"]


@pytest.mark.parametrize("sentence", TABLES["taken back beforehand"])
def test_nor_is_one_that_is_taken_back_beforehand(sentence: str) -> None:
    assert decided(f"{sentence} {RIGHT}", REFUNDS).action is not Action.ALLOW


@pytest.mark.parametrize("sentence", TABLES["no asides"])
def test_courtesies_questions_titles_and_what_sources_know_are_no_asides(sentence: str) -> None:
    assert measured(f"{RIGHT} {sentence}", REFUNDS).asides == ()


def test_the_words_of_the_question_are_known() -> None:
    answer = f"{RIGHT} Yes, really quickly."
    assert measured(answer, REFUNDS, query="Really quickly?").asides == ()


def test_the_fields_of_an_answer_in_json_are_none() -> None:
    answer = '{"answer": "Refunds take 14 days.", "certainty": 0.9}'
    assert decided(answer, REFUNDS).action is Action.ALLOW
