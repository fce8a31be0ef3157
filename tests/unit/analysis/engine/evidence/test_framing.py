"""Sentences that deny what they say, and sentences that speak of the past only."""

import pytest

from analysis.engine.evidence.framing import Frame, frame_of, speaks_of_now
from lib.text.tokens import tokenize
from lib.text.words import word_set


def frame(text: str) -> Frame:
    tokens = tokenize(text)
    return frame_of(tokens, 0, len(tokens))


@pytest.mark.parametrize(
    "text",
    [
        "It is a common myth that the mill closed.",
        "Nobody should say that the mill closed.",
        "Some people wrongly believe that the mill closed.",
        "A common mistake: the mill closed.",
        "The claim that the mill closed is false.",
        "The mill closed, which is untrue.",
        "The mill closed – not!",
    ],
)
def test_a_frame_denies_its_statement(text: str) -> None:
    assert frame(text) == Frame(denied=True)


@pytest.mark.parametrize(
    "closing",
    [
        "false", "untrue", "wrong", "incorrect", "inaccurate", "mistaken", "not true",
        "not correct", "not the case", "a myth", "a misconception", "a misunderstanding",
        "a fallacy", "a lie", "a rumor", "a rumour", "a hoax", "a legend", "a mistake", "an error",
    ],
)  # fmt: skip
def test_each_closing_denies(closing: str) -> None:
    """A closing that the quick look at the last word misses would pass as a plain statement."""
    assert frame(f"The mill closed, which is {closing}.") == Frame(denied=True)


@pytest.mark.parametrize(
    "text",
    [
        "The mill, formerly a brewery, opens at 9.",
        "The museum tells of the myth of the Minotaur.",
        "A wrong number was dialled.",
        "Contrary to popular belief, the mill closed.",
        "The novel is fictional.",
    ],
)
def test_a_word_inside_of_a_statement_is_no_frame(text: str) -> None:
    assert frame(text) == Frame()


def test_a_statement_about_the_past_is_none_about_now() -> None:
    assert frame("Until 1995 the limit was 20 feet.").past
    assert not frame("The duty, which held until 1995, is lifted.").past
    tokens = tokenize("The limit is 20 feet")
    assert speaks_of_now(tokens, 0, len(tokens))
    tokens = tokenize("The limit was 20 feet")
    assert not speaks_of_now(tokens, 0, len(tokens))


@pytest.mark.parametrize(
    "text",
    [
        "Until 1990 the mill was open.", "Till May 1990 the mill was open.",
        "Before the year 1990 it was open.", "Up to 1990 it was open.",
        "Prior to 1990 it was open.", "Formerly it was open.", "Previously it was open.",
        "Originally it was open.", "Historically it was open.", "Back then it was open.",
        "It was open in the past.", "It was open in former times.",
        "It used to be that mills closed.", "The mill used to open.", "It is open no longer.",
        "It opens no more.", "It was once open.", "They were formerly open.",
        "It had previously opened.",
    ],
)  # fmt: skip
def test_each_sign_of_the_past_is_seen(text: str) -> None:
    """A sign that the quick look misses would pass as a statement of the present."""
    assert frame(text).past


@pytest.mark.parametrize(
    "text",
    [
        *(
            f"Some {verb} the mill closed."
            for verb in sorted(
                word_set(
                    "think thinks thought believe believes believed say says said assume assumes"
                )
            )
        ),
        *(
            f"Critics {verb} that the mill closed."
            for verb in sorted(
                word_set(
                    "thinks thought believes claims claim claimed argue argues argued alleges "
                    "allege alleged suggest insist"
                )
            )
        ),
        *(
            f"It is {verb} that the mill closed."
            for verb in sorted(
                word_set(
                    "said rumored rumoured claimed alleged believed thought assumed supposed "
                    "argued"
                )
            )
        ),
        "The mill allegedly closed.", "The mill supposedly closed.",
        "The mill purportedly closed.", "Rumor has it the mill closed.",
        "Rumour has it the mill closed.", "According to legend the mill closed.",
    ],
)  # fmt: skip
def test_each_sign_of_a_report_is_seen(text: str) -> None:
    assert frame(text).reported


@pytest.mark.parametrize(
    "text",
    [
        *(
            f"The mill is {words} open."
            for words in (
                "no longer", "by no means", "in no way", "far from", "anything but", "not quite",
                "hardly", "scarcely", "barely", "rarely", "seldom", "almost", "nearly", "never",
            )
        ),
        "It would be wrong if it closed.", "If only it closed.",
        "In a parallel universe it closed.", "In a parallel world it closed.",
        "In an ideal world it closed.", "In fiction it closed.", "In my dreams it closed.",
        "It would close.", "It might close.", "It could close.", "It should have closed.",
    ],
)  # fmt: skip
def test_each_sign_inside_is_seen(text: str) -> None:
    assert frame(text).inside
