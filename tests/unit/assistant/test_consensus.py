import pytest

from analysis.engine.signals.consistency import SampleReader
from assistant.synthesis import consensus
from assistant.synthesis.consensus import quorum_of
from tests.tables import tables
from tests.unit.assistant.test_choosing import by_words

TABLES = tables(__file__)

QUESTION = "When does the crane stop?"
STOPS = "The crane stops when gusts reach 38 km/h [1]."
RESTS = "The driver rests for twenty minutes at noon [1]."
EMBED = by_words("crane", "38 km/h", "driver", "load", "rail", "high", "inspect", "visitor")


def agree(answers, question, quorum, reader):
    return consensus.agree(answers, question, quorum, reader, EMBED)


@pytest.mark.parametrize(("answer", "other"), TABLES["an answer to something else"])
def test_an_answer_to_something_else_is_no_vote(answer, other):
    assert agree([answer, other], QUESTION, 2, SampleReader()).text == ""


def test_the_same_figure_in_other_words_and_units_is_a_vote():
    words = ["The rail is 950 mm high [1].", "The rail has a height of 0.95 m [1]."]
    assert agree(words, "How high is the rail?", 2, SampleReader()).text == words[0]


def test_a_claim_stays_where_enough_answers_say_it():
    consensus = agree([f"{STOPS} {RESTS}", STOPS, f"{STOPS}"], QUESTION, 2, SampleReader())
    assert consensus.text == STOPS
    by_one = agree([f"{STOPS} {RESTS}", STOPS], QUESTION, 1, SampleReader())
    assert by_one.text == f"{STOPS} {RESTS}"


def test_what_one_alone_says_is_dropped_and_told():
    consensus = agree(
        [f"{STOPS} {RESTS}", f"{STOPS} The load is lowered [1]."], QUESTION, 2, SampleReader()
    )
    assert consensus.text == STOPS
    assert len(consensus.dropped) == 1


def test_where_all_differ_or_found_nothing_nothing_stays():
    assert agree([STOPS, RESTS], QUESTION, 2, SampleReader()).text == ""
    assert agree([STOPS, "", ""], QUESTION, 2, SampleReader()).text == ""
    assert agree(["", ""], QUESTION, 2, SampleReader()).text == ""


def test_most_of_them_must_agree_unless_the_setting_says_how_many():
    assert [quorum_of(count, 0) for count in (1, 2, 3, 4)] == [1, 2, 2, 3]
    assert (quorum_of(3, 1), quorum_of(3, 9)) == (1, 3)
