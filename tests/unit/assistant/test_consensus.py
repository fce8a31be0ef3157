from analysis.engine.signals.consistency import SampleReader
from assistant.synthesis.consensus import agree, quorum_of

QUESTION = "When does the crane stop?"
STOPS = "The crane stops when gusts reach 38 km/h [1]."
RESTS = "The driver rests for twenty minutes at noon [1]."


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
