"""Corrections quote the source, and texts for end users follow the policy's language."""

from dataclasses import replace

import pytest

from analysis.engine import Action, ClaimStatus, decide, measure
from analysis.engine.pipeline import verify
from analysis.engine.policy import DEFAULT_RULES, Language, PolicyRules
from analysis.engine.response.final_response import (
    Correction,
    corrections,
    in_language,
    line_of,
    texts_of,
)
from analysis.engine.response.partial_answer import LEFT_OUT
from analysis.engine.types import Source, Submission
from tests.answers import measured

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


def test_an_earlier_default_text_of_a_stored_policy_is_no_text_of_its_own() -> None:
    stored = in_language(replace(GERMAN, low_confidence_flag="[Unverified]"))
    assert stored.low_confidence_flag == "[Nicht bestätigt]"


@pytest.mark.parametrize("reason", LEFT_OUT)
def test_every_reason_has_its_german_words(reason: str) -> None:
    texts = texts_of(Language.GERMAN)
    assert texts.left_out[reason]


MILL = "The old mill stands in Lyon."
WRONG = "The old mill was built in 1950 of grey stone."
RIGHT = "The old mill was built in 1840 of grey stone."
SAYS = "The sources say: "


def decided(answer, *sources, expected=Action.BLOCK, **rules):
    of_policy = {
        "partial_answers": True, "high_confidence_at": 0.6, "verdicts": {"contradictory": "BLOCK"},
    }  # fmt: skip
    decision = decide(answer, measured(answer, *sources), PolicyRules.from_json(of_policy | rules))
    assert decision.action is expected
    return decision


IT = "It was built in 1840 of grey stone."
LONG = f"The old mill was built in 1840 of grey stone{', and of oak' * 40}."
DOCUMENT = "This policy was written in {} by the board."
REFUSED = "I don't know based on the available sources."


@pytest.mark.parametrize(
    ("answer", "source", "rules", "shown"),
    [
        (WRONG, f"{MILL} {RIGHT}", {}, f"{SAYS}“{RIGHT}” [1]"),
        (WRONG, f"{MILL} {RIGHT}", {"high_confidence_at": 1.0}, f"{SAYS}“{RIGHT}” [1]"),
        (WRONG, f"{MILL} {RIGHT}", {"language": "de"}, f"In den Quellen steht: „{RIGHT}“ [1]"),
        (WRONG, f"{MILL} {RIGHT}", {"partial_answers": False}, REFUSED),
        (WRONG, f"{MILL} {IT}", {}, f"{SAYS}“{MILL} {IT}” [1]"),
        (WRONG, LONG, {}, REFUSED),
        (DOCUMENT.format(1950), f"Floods are rare. {DOCUMENT.format(1840)}", {},
         f"{SAYS}“{DOCUMENT.format(1840)}” [1]"),
    ],
    ids=["replaced", "however sure", "in German", "no partial answers", "with the one before",
         "too long to quote", "a sentence of its document"],
)  # fmt: skip
def test_a_wrong_answer_is_replaced_by_what_the_source_says(answer, source, rules, shown):
    decision = decided(answer, source, **rules)
    assert decision.final_response == shown
    added = ("added_corrections",) if shown != REFUSED else ()
    assert decision.mitigation_actions == ("refused_answer", *added)
    assert decision.partial_answer is None


def test_it_stands_between_the_supported_part_and_its_note():
    decision = decided(f"{MILL} {WRONG}", f"{MILL} {RIGHT}")
    part, correction, note = decision.final_response.split("\n\n")
    assert (part, note) == (f"{MILL} [1]", decision.partial_answer.note)
    assert correction == f"{SAYS}“{RIGHT}” [2]"
    assert decision.citations.passages[1].text == RIGHT
    assert decision.mitigation_actions[-1] == "added_corrections"


def test_what_the_supported_part_says_already_is_not_said_again():
    decision = decided(f"{RIGHT} {WRONG}", f"{MILL} {RIGHT}")
    assert decision.final_response.count(RIGHT) == 1


def corrected(answer, text, title="", **rules):
    """Return the text that is shown for an answer which the source contradicts."""
    of_policy = {"partial_answers": True, "verdicts": {"contradictory": "BLOCK"}, **rules}
    measurement = measure(Submission(answer, "", (Source("s", text, title),)))
    return decide(answer, measurement, PolicyRules.from_json(of_policy)).final_response


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        (f"{MILL} It has a wheel. {IT}", f"“{MILL} It has a wheel. {IT}”"),
        (f"# The old mill\n\n{IT}", f"“{IT}” (under “The old mill”)"),
        (
            f"# The old mill\n\nIt has a wheel. {IT}",
            f"“It has a wheel. {IT}” (under “The old mill”)",
        ),
    ],
)
def test_a_sentence_that_refers_back_comes_with_what_it_refers_to(text, quoted):
    assert corrected(WRONG, text) == f"{SAYS}{quoted} [1]"


def forced(answer, text):
    """Return the corrections where the closest passage is taken to contradict the one claim."""
    measurement = measure(Submission(answer, "", (Source("s", text),)))
    (claim,) = decide(answer, measurement, PolicyRules()).claims
    chunk = measurement.evidence[-1]
    against = replace(claim, status=ClaimStatus.CONTRADICTORY, primary_evidence=chunk.ref)
    return corrections(measurement, (against,), {chunk.ref: 1})


def test_of_a_record_the_fields_are_told_without_quotation_marks():
    record = '{"name": "Lupo", "hours": {"Monday": "closed"}}'
    told = forced("The hours on Monday are 9 to 5.", record)
    assert line_of(told) == f"{SAYS}hours: Monday: closed. [1]"


@pytest.mark.parametrize("says", [f"The owner restored it. {IT}", "However, it was built in 1840."])
def test_the_sentences_before_go_back_to_the_one_that_names_it(says):
    assert forced(WRONG, f"{MILL} {says}") == (Correction(f"{MILL} {says}", 1),)


def test_it_is_quoted_under_the_title_of_its_source_where_that_names_what_the_claim_is_about():
    assert corrected(WRONG, IT, "The old mill") == f"{SAYS}“{IT}” (under “The old mill”) [1]"
    assert (
        corrected(WRONG, IT, "The old mill", language="de")
        == f"In den Quellen steht: „{IT}“ (unter „The old mill“) [1]"
    )


@pytest.mark.parametrize("title", ["", "City guide"])
def test_it_is_not_quoted_where_nothing_says_what_it_is(title):
    assert corrected(WRONG, IT, title) == REFUSED


WARNS = {
    "verdicts": {
        "contradictory": "WARN", "contradictory_high_confidence": "WARN",
        "no_claim_supported": "WARN",
    },
    "safety": {"grounding": "ALLOW"},
}  # fmt: skip


def warned(answer, *sources, **rules):
    return decided(answer, *sources, expected=Action.WARN, **WARNS, **rules)


YES_WRONG = f"Yes, {WRONG[0].lower()}{WRONG[1:]}"
FLAG = {"mitigation": {"contradictory": "flag"}}


@pytest.mark.parametrize(
    ("answer", "source", "rules", "shown"),
    [
        (YES_WRONG, f"{MILL} {RIGHT}", {}, f"{SAYS}“{RIGHT}” [1]"),
        (YES_WRONG, LONG, {}, REFUSED),
        (WRONG, f"{MILL} {RIGHT}", FLAG,
         f"[Warning: The following claim contradicts the source] {WRONG}"),
    ],
    ids=["what the source says", "nothing can be shown", "flagged where the policy flags"],
)  # fmt: skip
def test_an_answer_that_only_warns_and_is_all_wrong_is_not_shown_as_it_is(
    answer, source, rules, shown
):
    assert warned(answer, source, **rules).final_response == shown


def test_an_answer_that_only_warns_shows_no_claim_that_a_source_contradicts():
    decision = warned(f"Yes. {MILL} {WRONG}", f"{MILL} {RIGHT}")
    part, correction, note = decision.final_response.split("\n\n")
    assert part == f"{MILL} [1]"
    assert correction == f"{SAYS}“{RIGHT}” [2]"
    assert note.endswith("Left out: 1 contradicted by the sources.")
