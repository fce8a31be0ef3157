"""A claim has one of three states, in the same words everywhere."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from analysis.engine.types import Band, ClaimStatus, LowConfidenceReason
from analysis.engine.verdict.wording import LABELS
from desk.verdict_page import words
from desk.verdict_page.answer import most_severe_first, weakest_support
from desk.verdict_page.page import SignalRow, View, _counts
from desk.verdict_page.reasons import KINDS, reasons
from desk.verdict_page.selectors import ClaimLine


def test_a_claim_has_one_of_three_states_on_pages_in_records_and_in_the_api() -> None:
    for status in ClaimStatus:
        label, icon = words.claim_words(status)
        assert label == LABELS[status]
        assert icon in {"supported", "contradictory", "low-confidence"}
    assert len({words.claim_words(status) for status in ClaimStatus}) == 3


def test_the_least_sure_support_is_listed_first() -> None:
    bands = (Band.HIGH, Band.LOW, Band.MEDIUM, Band.LOW)
    lines = [
        ClaimLine(n, f"c_{n}", 0, 1, ClaimStatus.SUPPORTED, band) for n, band in enumerate(bands)
    ]
    assert [line.number for line in most_severe_first(lines)] == [1, 3, 2, 0]
    labels = [(label, count) for label, _, count in _counts(lines)]
    assert labels == [("Supported", 4)]


@pytest.mark.parametrize("reason", LowConfidenceReason)
def test_every_reason_is_a_sentence(reason) -> None:
    assert words.sentence(words.reason_words(reason))[0].isupper()


def test_a_reason_has_its_figures_without_the_ids_of_claims() -> None:
    reason_document = {
        "code": "contradicted_claim", "action": "WARN", "decided": True,
        "text": "2 of 3 claims contradict the sources (c_0001, c_0003)",
    }  # fmt: skip
    (reason,) = reasons([reason_document])
    assert reason.sentence == "A source seems to contradict the answer."
    assert reason.figures == "2 of 3 claims contradict the sources"
    with override("de"):
        figures = "Widerspruch zu den Quellen bei 2 von 3 Aussagen"
        assert reasons([reason_document])[0].figures == figures


@pytest.mark.parametrize(
    ("band", "words_said"),
    [(Band.HIGH, "support every claim."), (Band.MEDIUM, "probably"), (Band.LOW, "uncertain")],
)
def test_the_reason_says_no_more_than_the_least_sure_badge(band, words_said) -> None:
    bands = (Band.HIGH, band)
    lines = [
        ClaimLine(n, f"c_{n}", 0, 1, ClaimStatus.SUPPORTED, each) for n, each in enumerate(bands)
    ]
    document = {
        "code": "all_supported", "action": "ALLOW", "decided": True,
        "text": "Every claim is supported by the sources",
    }  # fmt: skip
    (reason,) = reasons([document], weakest_support(lines))
    assert words_said in reason.sentence
    assert reason.figures == ""


def test_what_is_clean_has_its_sentence() -> None:
    assert {"all_supported", "nothing_to_check"} <= KINDS.keys()


def test_an_answer_that_a_quotation_replaces_was_not_refused() -> None:
    assert words.mitigations(["refused_answer", "added_corrections"]) == [
        "Replaced the answer by what the sources say"
    ]
    assert words.mitigations(["refused_answer"]) == ["Refused the answer"]
    assert words.mitigations(["partial_answer", "added_corrections"]) == [
        "Showed the supported part", "Quoted what the sources say",
    ]  # fmt: skip


ASKED = {"judge": "llm:m", "decided": 3, "unavailable": 1200, "calls": 1, "tokens": 8120}
ALONE = {"judge": "small", "decided": 9, "unavailable": 0, "calls": 0, "tokens": 0}


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "llm:m: claims decided: 3, not available for: 1,200, calls: 1, tokens: 8,120"),
        (
            "de",
            "llm:m: entschiedene Aussagen: 3, nicht verfügbar für: 1.200, Aufrufe: 1, "
            "Tokens: 8.120",
        ),
    ],
)
def test_the_page_says_what_a_language_model_cost(language, line) -> None:
    row = SignalRow("Judge", "completed", "m", 1.0, ())
    with override(language):
        assert words.costs([ALONE]) == []
        row = replace(row, costs=words.costs([ALONE, ASKED]))
        html = render_to_string("analysis/verdict/states.html", {"page": {"states": [row]}})
    assert f"<br>{line}</td>" in html


@pytest.mark.parametrize(
    ("done", "heading"),
    [
        ([], "What the user sees</h2>"),
        (["added_citations"], "What the user sees</h2>"),
        (["flagged_low_confidence_claims", "added_citations"], "What the user sees</h2>"),
        (["removed_contradicted_claims", "added_citations"], "What the user sees instead</h2>"),
        (["refused_answer"], "What the user sees instead</h2>"),
    ],
)
def test_instead_is_said_only_of_another_text(done, heading) -> None:
    document = {"action": "WARN", "final_response": "Text.", "mitigation_actions": done}
    is_replaced = View.is_replaced.fget(SimpleNamespace(doc=document))
    page = {"doc": document, "is_replaced": is_replaced}
    html = render_to_string("analysis/verdict/safe.html", {"page": page, "at_desk": True})
    assert heading in html
    for_users = heading.replace("What the user sees", "What you see")
    assert for_users in render_to_string("analysis/verdict/safe.html", {"page": page})
