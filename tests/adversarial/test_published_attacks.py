"""Attacks that once turned a BLOCK into an ALLOW, each with the action that it must end in."""

import pytest

from analysis.engine import Action, Submission, decide, measure
from tests.answers import decided
from tests.tables import tables

SOURCE = (
    "Workers on a scaffold need fall protection at 10 feet. The employer must provide a guardrail "
    "or a personal fall arrest system. Inspections take place every 7 days."
)
RIGHT = "Workers on a scaffold need fall protection at 10 feet"
WRONG = "Workers on a scaffold need fall protection at 20 feet"
TABLES = tables(__file__)


def written(text: str) -> str:
    """Return the text with the statements in place of `{W}` and `{R}`, the source of `{S}`."""
    return text.replace("{W}", WRONG).replace("{R}", RIGHT).replace("{S}", SOURCE)


@pytest.mark.parametrize("kind", ["disguised", "reworded", "afterwards"])
def test_a_wrong_answer_is_not_allowed_however_it_is_put(kind) -> None:
    answers = [written(answer) for answer in TABLES[kind]]
    assert [a for a in answers if decided(a, SOURCE).action is Action.ALLOW] == []


@pytest.mark.parametrize(("source", "answer"), TABLES["said alike"])
def test_what_the_source_says_in_the_same_frame_is_allowed(source, answer) -> None:
    assert decided(written(answer), written(source)).action is Action.ALLOW


def test_a_second_source_that_says_the_wrong_thing_is_a_conflict_of_sources() -> None:
    assert decided(f"{WRONG}.", SOURCE, f"{WRONG}.").action is Action.WARN


@pytest.mark.parametrize("error", TABLES["errors in sources"])
def test_an_error_that_a_source_only_quotes_is_no_support(error) -> None:
    assert decided(f"{WRONG}.", f"{SOURCE} {written(error)}").action is not Action.ALLOW


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
