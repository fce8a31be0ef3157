from assistant.synthesis.consensus import agree, needed_of

QUESTION = "When does the crane stop?"
STOPS = "The crane stops when gusts reach 38 km/h [1]."
RESTS = "The driver rests for twenty minutes at noon [1]."


def test_a_claim_stays_where_enough_answers_say_it():
    found = agree([f"{STOPS} {RESTS}", STOPS, f"{STOPS}"], QUESTION, 2, None)
    assert found.text == STOPS
    kept = agree([f"{STOPS} {RESTS}", STOPS], QUESTION, 1, None)
    assert kept.text == f"{STOPS} {RESTS}"


def test_what_one_alone_says_is_dropped_and_told():
    found = agree([f"{STOPS} {RESTS}", f"{STOPS} The load is lowered [1]."], QUESTION, 2, None)
    assert found.text == STOPS
    assert len(found.dropped) == 1


def test_where_all_differ_or_found_nothing_nothing_stays():
    assert agree([STOPS, RESTS], QUESTION, 2, None).text == ""
    assert agree([STOPS, "", ""], QUESTION, 2, None).text == ""
    assert agree(["", ""], QUESTION, 2, None).text == ""


def test_most_of_them_must_agree_unless_the_setting_says_how_many():
    assert [needed_of(count, 0) for count in (1, 2, 3, 4)] == [1, 2, 2, 3]
    assert (needed_of(3, 1), needed_of(3, 9)) == (1, 3)
