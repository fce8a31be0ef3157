"""Attacks that once turned a BLOCK into an ALLOW, each with the action that it must end in."""

import pytest

from analysis.engine import Action, Source, Submission, decide, measure

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
    f"{RIGHT} if they want to.",
    f"{RIGHT} unless they are careful.",
    "The workers must provide a guardrail.",
    "The employer must provide a guardrail and a personal fall arrest system.",
    "The employer must provide a personal fall arrest system.",
    "A guardrail must provide the employer.",
)
ERRORS_IN_SOURCES = (
    f"<!-- {WRONG}. -->",
    f"Is it true that {WRONG}? No.",
    f"A common mistake: {WRONG}.",
    f"Until 1995 {WRONG}.",
    f"Wrong statements: {WRONG}.",
)


def action_of(answer: str, *sources: str) -> Action:
    """The action under the default policy, without a model of entailment."""
    given = tuple(Source(f"s{at}", text) for at, text in enumerate(sources, start=1))
    return decide(answer, measure(Submission(answer, sources=given))).action


@pytest.mark.parametrize("answer", DISGUISED)
def test_a_disguise_is_no_way_around_the_verdict(answer: str) -> None:
    assert action_of(answer, SOURCE) is not Action.ALLOW


@pytest.mark.parametrize("answer", REWORDED)
def test_the_words_of_the_source_are_not_what_it_says(answer: str) -> None:
    assert action_of(answer, SOURCE) is not Action.ALLOW


@pytest.mark.parametrize("error", ERRORS_IN_SOURCES)
def test_an_error_that_a_source_only_quotes_is_no_support(error: str) -> None:
    assert action_of(f"{WRONG}.", f"{SOURCE} {error}") is not Action.ALLOW


def test_the_same_answer_without_a_disguise_is_blocked() -> None:
    assert action_of(f"{WRONG}.", SOURCE) is Action.BLOCK
    assert action_of(f"{RIGHT}.", SOURCE) is Action.ALLOW


@pytest.mark.parametrize("answer", [f"```\n{WRONG}.\n```", f"# {WRONG}", "```\nx = 20\n```"])
def test_without_sources_a_disguise_changes_nothing(answer: str) -> None:
    assert action_of(answer) is Action.BLOCK
    assert decide(answer, measure(Submission(answer))).action is Action.WARN


def test_code_is_not_checked_and_says_so() -> None:
    answer = f"{RIGHT}.\n\n```\nfor x in range(20): print(x)\n```"
    found = decide(answer, measure(Submission(answer, sources=(Source("s1", SOURCE),))))
    assert found.action is Action.WARN
    assert [one.reason for one in found.not_checked if one.signal == "claims"] == [
        "1 line of code was not checked"
    ]
