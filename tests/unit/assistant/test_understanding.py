"""Messages as managers type them: courtesies, slips, several questions, and dependent ones."""

import pytest

from assistant.understanding.asking import read_message
from assistant.understanding.courtesies import GOODBYE, GREETING, HELP, THANKS, is_german, reply_to
from assistant.understanding.following import resolve
from assistant.understanding.spelling import corrected, in_full
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("hi", GREETING),
        ("Good morning!", GREETING),
        ("ok thx", THANKS),
        ("thanks, that helps!", THANKS),
        ("bye", GOODBYE),
        ("what can you do?", HELP),
        ("hi, wind limit for the crane?", ""),
        ("is this ok?", ""),
        ("stop", ""),
        ("Our limit is 25 km/h. Thanks!", ""),
    ],
)
def test_a_courtesy_is_returned_and_nothing_else_is_one(message, reply):
    assert reply_to(message) == reply


@pytest.mark.parametrize(
    ("message", "german"),
    [
        ("Bei welchem Wind stoppt der Kran?", True),
        ("wo ist der sammelplatz", True),
        ("Unser Windlimit ist 25 km/h.", True),
        ("Guten Morgen!", True),
        ("wind limit kran", False),
        ("is mr kern in on monday", False),
        ("wer is the foreman?", False),
        ("", False),
    ],
)
def test_german_is_known_by_its_small_words(message, german):
    assert is_german(message) == german


@pytest.mark.parametrize(
    ("earlier", "question", "alone"),
    TABLES["a question that leans takes what it lacks from the one before"],
)
def test_a_question_that_leans_takes_what_it_lacks_from_the_one_before(earlier, question, alone):
    assert resolve(question, earlier) == alone


@pytest.mark.parametrize(
    ("message", "questions"),
    [(first, rest) for first, *rest in TABLES["a message is read as its questions"]],
)
def test_a_message_is_read_as_its_questions(message, questions):
    assert [item.text for item in read_message(message).questions] == questions


def test_a_misspelt_word_becomes_the_nearest_of_the_passages():
    words = {"scaffold", "assembly", "height", "steep", "crane"}
    real = {"steel", "drone"}.__contains__
    assert corrected("scafold asembly hight", words, real) == "scaffold assembly height"
    assert corrected("steel by drone", words, real) == "steel by drone"
    assert corrected("what limt?", words, real) == "what limit?"
    assert corrected("we're late", {"where"}, real) == "we're late"
    assert corrected("boat", {"boot", "coat", "bolt"}, lambda _: False) == "boat"  # two are as near


def test_shorthand_and_units_are_written_out():
    assert in_full("Whats ok at 40 kmh, whos there") == "What is ok at 40 km/h, who is there"


def test_letters_left_out_added_wrong_or_swapped_are_put_right():
    words = {"height", "limit", "crane"}
    assert corrected("hight limitt limat limti drone", words, lambda _: False) == (
        "height limit limit limit drone"
    )


@pytest.mark.parametrize(("message", "told"), TABLES["only what is told may be remembered"])
def test_only_what_is_told_may_be_remembered(message, told):
    assert read_message(message).statements == told
