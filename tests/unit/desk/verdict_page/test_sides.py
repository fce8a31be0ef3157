"""The side that a passage takes, and the sentence that a claim's panel begins with."""

import pytest

from desk.verdict_page.detail import _likelihood, _side, headline
from tests.tables import tables

TABLES = tables(__file__)


def chunk(doc, text):
    return {"doc_id": doc, "sent_id": 0, "source": doc.title(), "text": text}


CONTRACT = chunk("contract", "The notice period is 3 months.")
HANDBOOK = chunk("handbook", "The notice period is 6 weeks.")


def claim(status, primary, *evidence, reason=None, detail="number: the source says “6 weeks”"):
    return {
        "text": "The notice period is 3 months", "status": status, "reason": reason,
        "primary_evidence": primary, "evidence": list(evidence),
        "confidence": {"band": "High", "support_prob": 0.93, "contradict_prob": 0.95},
        "signal": {
            "supported_by": "contract#0", "contradicted_by": "handbook#0",
            "conflicts": [{"kind": "number", "detail": detail}],
        },
    }  # fmt: skip


DISPUTED = claim(
    "Low Confidence", CONTRACT, CONTRACT, HANDBOOK, reason="conflicting_sources"
)  # fmt: skip


def test_where_the_sources_disagree_each_has_its_side():
    assert _side(DISPUTED, CONTRACT) == ("Supports the claim", "supported")
    assert _side(DISPUTED, HANDBOOK) == ("Contradicts the claim", "contradictory")


def test_where_the_sources_disagree_the_headline_tells_what_each_says():
    assert headline(DISPUTED) == (
        "The sources disagree: “Contract” says so, “Handbook” says “6 weeks”."
    )
    assert _likelihood(DISPUTED) == ""


def test_a_contradiction_of_one_source_tells_of_another_that_has_the_claim():
    contradicted = claim("Contradictory", HANDBOOK, CONTRACT, HANDBOOK)
    assert _side(contradicted, HANDBOOK) == ("Contradicts the claim", "contradictory")
    assert _side(contradicted, CONTRACT) == ("Says what the claim says", "supported")
    assert headline(contradicted) == (
        "Contradicted: the source says “6 weeks”. "
        "But the sources disagree: “Contract” says what the claim says."
    )


@pytest.mark.parametrize(
    "text", ["The notice period is long.", "The notice period is not 3 months."]
)
def test_a_passage_that_says_less_or_the_opposite_is_no_other_voice(text):
    other = chunk("letter", text)
    contradicted = claim("Contradictory", HANDBOOK, other, HANDBOOK)
    assert _side(contradicted, other) == ("Related passage", "none")
    assert headline(contradicted) == "Contradicted: the source says “6 weeks”."


def judged(said, passage, *details):
    """Return a contradicted claim, with the conflicts that rules have found."""
    source = chunk("leaflet", passage)
    document = claim("Contradictory", source, source)
    conflicts = [{"kind": "name", "detail": detail} for detail in details]
    return document | {
        "text": said,
        "signal": document["signal"] | {"conflicts": conflicts},
    }, source


@pytest.mark.parametrize(("said", "passage"), TABLES["the same words"])
def test_the_judge_alone_accuses_nobody_in_the_same_words(said, passage):
    document, source = judged(said, passage)
    assert _side(document, source) == ("Closest passage", "unsure")
    assert headline(document) == "The judge model doubts this; no conflicting word was found."


@pytest.mark.parametrize(
    ("said", "passage", "details", "words"),
    [
        ("The trial lasts two weeks", "The trial lasts ten days.", (),
         "the source says “The trial lasts ten days”"),
        ("In district 18 it is open from 8 to 18", "District 18: open from 8 to 16.", (),
         "the source says “District 18: open from 8 to 16”"),
        ("Three months' notice", "One month's notice.", (),
         "the source says “One month's notice”"),
        ("Leon admires Mira", "Mira admires Leon.", ("the source has it the other way round",),
         "the source has it the other way round"),
    ],
)  # fmt: skip
def test_other_words_of_the_source_are_quoted_else_the_rule_says_what_is_wrong(
    said, passage, details, words
):
    document, source = judged(said, passage, *details)
    assert _side(document, source) == ("Contradicts the claim", "contradictory")
    assert headline(document) == f"Contradicted: {words}."
