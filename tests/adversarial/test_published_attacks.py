"""Attacks that once turned a BLOCK into an ALLOW, each with the action that it must end in."""

import pytest

from analysis.engine import Action, Submission, decide, measure
from tests.answers import decided

SOURCE = (
    "Workers on a scaffold need fall protection at 10 feet. The employer must provide a guardrail "
    "or a personal fall arrest system. Inspections take place every 7 days."
)
RIGHT = "Workers on a scaffold need fall protection at 10 feet"
WRONG = "Workers on a scaffold need fall protection at 20 feet"
DISGUISED = (
    f"```\n{WRONG}.\n```",
    f"```\n{WRONG}.",
    f"~~~\n{WRONG}.\n~~~",
    f"# {WRONG}",
    f"{WRONG}\n=====",
    f"**{WRONG}**",
    f"{WRONG}, right?",
    f"{WRONG}?",
    f"{WRONG}?!",
    f"{WRONG} (?)",
    "Is it not 20 feet at which workers on a scaffold need fall protection?",
    f"{WRONG}:",
    f"---\ntitle: {WRONG}\n---\n",
    f"| {WRONG} |\n|---|\n| yes |",
    f"{RIGHT}. But you can wait until 20 feet, right?",
    "Workers on a scaffold need fall protection at &#50;&#48; feet.",
)
REWORDED = (
    f"It is a myth that {RIGHT}.",
    f"{RIGHT} – not!",
    "Workers on a scaffold are exempt from fall protection at 10 feet.",
    "Workers on a scaffold are free from fall protection at 10 feet.",
    "Workers on a scaffold can skip fall protection at 10 feet.",
    "Workers on a scaffold can work without fall protection at 10 feet.",
    "Workers on a scaffold need fall protection up to 10 feet.",
    "Workers on a scaffold need fall protection at most at 10 feet.",
    "Workers on a scaffold need fall protection at less than 10 feet.",
    "Workers on a scaffold need fall protection below 10 feet.",
    "Inspections take place in under 7 days.",
    "Workers on a scaffold need fall protection at a score of feet.",
    "Workers on a scaffold no longer need fall protection at 10 feet.",
    "Workers on a scaffold need fall protection at 10 feet no more.",
    "Inspections take place every 14 days, not every 7 days.",
    "Workers on a scaffold need fall protection at more than 10 feet.",
    "Workers on a scaffold need fall protection at >10 feet.",
    "A guardrail must provide the employer.",
)
ERRORS_IN_SOURCES = (
    f"<!-- {WRONG}. -->",
    f"Is it true that {WRONG}? No.",
    f"A common mistake: {WRONG}.",
    f"Wrong statements: {WRONG}.",
)


SAID_ALIKE = (
    ("The office used to be in Bergen. It is now in Oslo.", "The office used to be in Bergen."),
    ("The office used to be in Bergen. It is now in Oslo.", "The office is no longer in Bergen."),
    ("Critics claim that the bridge is unsafe.", "Critics say the bridge is unsafe."),
    ("A ticket would cost 40 euros without the card.", "A ticket would cost 40 euros without it."),
    (SOURCE, "At 10 feet you would need fall protection on a scaffold."),
    (SOURCE, f"{RIGHT} and above."),
    (SOURCE, f"{RIGHT}, not 20 feet."),
    ("The rules state that dogs stay outside.", "Dogs stay outside."),
    ("The crane is used to lift the hull.", "The crane is used to lift the hull."),
)
AFTERWARDS = (
    "It starts at 20.",
    f"{RIGHT}. That is false.",
    f"{RIGHT}. Arbeiter auf einem Gerüst brauchen erst ab 20 Fuß einen Schutz gegen Absturz.",
)


@pytest.mark.parametrize("answer", DISGUISED)
def test_a_disguise_is_no_way_around_the_verdict(answer) -> None:
    assert decided(answer, SOURCE).action is not Action.ALLOW


@pytest.mark.parametrize("answer", REWORDED)
def test_the_words_of_the_source_are_not_what_it_says(answer) -> None:
    assert decided(answer, SOURCE).action is not Action.ALLOW


@pytest.mark.parametrize("answer", AFTERWARDS)
def test_what_stands_behind_a_right_sentence_is_read(answer) -> None:
    assert decided(answer, SOURCE).action is not Action.ALLOW


@pytest.mark.parametrize(("source", "answer"), SAID_ALIKE)
def test_what_the_source_says_in_the_same_frame_is_allowed(source, answer) -> None:
    assert decided(answer, source).action is Action.ALLOW


def test_a_second_source_that_says_the_wrong_thing_is_a_conflict_of_sources() -> None:
    assert decided(f"{WRONG}.", SOURCE, f"{WRONG}.").action is Action.WARN


@pytest.mark.parametrize("error", ERRORS_IN_SOURCES)
def test_an_error_that_a_source_only_quotes_is_no_support(error) -> None:
    assert decided(f"{WRONG}.", f"{SOURCE} {error}").action is not Action.ALLOW


def test_the_same_answer_without_a_disguise_is_blocked() -> None:
    assert decided(f"{WRONG}.", SOURCE).action is Action.BLOCK
    assert decided(f"{RIGHT}.", SOURCE).action is Action.ALLOW


@pytest.mark.parametrize("answer", [f"```\n{WRONG}.\n```", f"# {WRONG}", "```\nx = 20\n```"])
def test_without_sources_a_disguise_changes_nothing(answer) -> None:
    assert decided(answer).action is Action.BLOCK
    assert decide(answer, measure(Submission(answer))).action is Action.WARN


def test_code_is_not_checked_and_says_so() -> None:
    answer = f"{RIGHT}.\n\n```\nfor x in range(20): print(x)\n```"
    decision = decided(answer, SOURCE)
    assert decision.action is Action.WARN
    assert [item.reason for item in decision.not_checked if item.signal == "claims"] == [
        "1 line of code was not checked"
    ]
