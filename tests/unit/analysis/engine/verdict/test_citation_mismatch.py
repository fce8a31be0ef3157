"""Citations that name a source which does not support their claim."""

import pytest

from analysis.engine import Action, PolicyRules, Source, Submission, verify
from analysis.engine.policy.rules import DEFAULT_RULES
from analysis.engine.signals import citation_integrity

SOURCES = (
    Source("a", "Refunds take 14 days."),
    Source("b", "The shop is in Oslo."),
    Source("c", "Refunds take 30 days."),
)
TOWER = ("The tower is 300 m high.", "The tower is painted brown.")


def checked(answer: str, sources: tuple[Source, ...] = SOURCES[:2], rules=DEFAULT_RULES):
    measurement, decision = verify(Submission(answer, sources=sources), rules)
    wrong = {
        mismatch.claim_id: mismatch.citations for mismatch in decision.citations.notes.mismatches
    }
    return measurement, decision, wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Refunds take 14 days [2].", {"c_0001": (2,)}),
        ("Refunds take 14 days [1][2].", {"c_0001": (2,)}),
        ("Refunds take 14 days [1]. The shop is in Oslo [1].", {"c_0002": (1,)}),
    ],
)
def test_a_cited_source_that_says_something_else_warns(answer, wrong):
    _, decision, mismatches = checked(answer)
    assert mismatches == wrong
    assert decision.action is Action.WARN
    assert "citation_mismatch" in [reason.code for reason in decision.reasons if reason.decided]


@pytest.mark.parametrize(
    "answer",
    [
        "Refunds take 14 days [1].",
        "Refunds take 14 days [1]. The shop is in Oslo [2].",
        "Refunds take 14 days in the shop in Oslo [1, 2].",
        "Refunds take 14 days.",
    ],
)
def test_cited_sources_that_support_their_claims_do_not(answer):
    _, decision, mismatches = checked(answer)
    assert mismatches == {}
    assert decision.action is Action.ALLOW


def test_of_sources_that_disagree_the_one_that_contradicts_is_a_mismatch():
    assert checked("Refunds take 14 days [3].", SOURCES)[2] == {"c_0001": (3,)}
    assert checked("Refunds take 14 days [1].", SOURCES)[2] == {}


def test_an_unsupported_claim_is_not_supported_by_what_it_cites():
    _, decision, mismatches = checked("Bananas are blue [1].")
    assert mismatches == {"c_0001": (1,)}
    assert decision.action is Action.BLOCK


def test_a_citation_to_nothing_is_no_mismatch():
    assert checked("Refunds take 14 days [7].")[2] == {}


def test_the_policy_says_what_follows():
    rules = PolicyRules.from_json({"verdicts": {"citation_mismatch": "BLOCK"}})
    assert checked("Refunds take 14 days [2].", rules=rules)[1].action is Action.BLOCK


def test_what_was_not_compared_is_told(monkeypatch):

    monkeypatch.setattr(citation_integrity, "_MOST_CHARACTERS", 10)
    _, decision, mismatches = checked("Refunds take 14 days [2].")
    assert mismatches == {}
    assert [item.signal for item in decision.not_checked if "compared" in item.reason] == [
        "citations"
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "The tower is 300 m high. It is painted brown.",
        "The tower is 300 m high and it is painted brown.",
    ],
)
@pytest.mark.parametrize(
    "texts",
    [TOWER, TOWER[::-1], (" ".join(TOWER),), ("The tower is 300 m high. It is painted brown.",)],
)
def test_an_attached_citation_points_to_the_passage_of_its_own_claim(answer, texts):
    sources = tuple(Source(f"s{at}", text) for at, text in enumerate(texts))
    citations = checked(answer, sources)[1].citations
    passages = {
        claim: [citations.passages[number - 1].text for number in numbers]
        for claim, numbers in citations.citation_map.items()
    }
    assert ["300 m" in text for text in passages["c_0001"]] == [True]
    assert ["brown" in text for text in passages["c_0002"]] == [True]
    assert not any("brown" in text for text in passages["c_0001"])


def test_a_neighbour_of_a_supported_claim_gets_no_citation():
    answer = "The tower is 300 m high and it is painted brown."
    sources = (Source("a", TOWER[0]), Source("b", "Bananas are yellow."))
    assert checked(answer, sources)[1].citations.citation_map == {"c_0001": (1,)}
