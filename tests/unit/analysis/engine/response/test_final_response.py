"""Texts for end users follow the policy's language."""

from dataclasses import replace

import pytest

from analysis.engine.pipeline import verify
from analysis.engine.policy.rules import DEFAULT_RULES, PolicyRules
from analysis.engine.policy.settings import Language
from analysis.engine.response.final_response import in_language, texts_of
from analysis.engine.response.partial_answer import LEFT_OUT
from analysis.engine.types import Source, Submission

GERMAN = replace(DEFAULT_RULES, language=Language.GERMAN)
SOURCE = "Scaffolds. Workers on a scaffold need fall protection at 10 feet."


def shown(answer: str, rules: PolicyRules) -> str:
    submission = Submission(answer, "", (Source("osha", SOURCE),))
    return verify(submission, rules)[1].final_response


def test_english_rules_stay_as_they_are() -> None:
    assert in_language(DEFAULT_RULES) == DEFAULT_RULES


def test_a_blocked_answer_is_refused_in_the_policys_language() -> None:
    wrong = "Elephants eat bananas happily every morning."
    assert shown(wrong, DEFAULT_RULES) == "I don't know based on the available sources."
    assert shown(wrong, GERMAN) == "Das weiß ich nicht, gestützt auf die vorhandenen Quellen."


def test_a_partial_answer_says_in_the_policys_language_what_is_missing() -> None:
    half = f"{SOURCE.partition('. ')[2]} Workers on a scaffold need fall protection at 20 feet."
    text = shown(half, GERMAN)
    assert text.endswith(
        "Dies ist nur der durch die vorhandenen Quellen gestützte Teil der Antwort. "
        "Ausgelassen: 1 von den Quellen widersprochen."
    )


def test_a_text_that_the_policy_words_itself_stays() -> None:
    own = in_language(replace(GERMAN, refusal_text="Fragen Sie den Bauleiter."))
    assert own.refusal_text == "Fragen Sie den Bauleiter."
    assert own.low_confidence_flag == "[Nicht bestätigt]"


@pytest.mark.parametrize("reason", LEFT_OUT)
def test_every_reason_has_its_german_words(reason: str) -> None:
    texts = texts_of(Language.GERMAN)
    assert texts.left_out[reason]


def test_the_language_survives_its_document() -> None:
    assert PolicyRules.from_json(GERMAN.to_json()) == GERMAN
