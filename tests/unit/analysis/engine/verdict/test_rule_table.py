"""The verdict for a claim, rule by rule, and citations that do not support their claims."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import Action, PolicyRules, decide, verify
from analysis.engine.policy import DEFAULT_RULES, KindLimits
from analysis.engine.signal_types import (
    Conflict,
    Consistency,
    Coverage,
    Judgement,
    NliScores,
    Uncertainty,
    VerifierSignal,
)
from analysis.engine.signals import citation_integrity
from analysis.engine.types import (
    AnswerKind,
    Band,
    Claim,
    ClaimStatus,
    ConflictKind,
    LowConfidenceReason,
    Source,
    Submission,
)
from analysis.engine.verdict.probability import unsupported
from analysis.engine.verdict.rule_table import JUDGED, NOTHING_TO_GO_BY, RULES, decide_claim
from tests import answers
from tests.answers import sources_of

PAGE = Path("docs/concepts/verdicts.md")
CLAIM = Claim("c_0001", "The mill closed in 2010", 5, 28, "", "clause_v1")
CONFLICT = Conflict(ConflictKind.NUMBER, "“2010” against “2012”")
UNKNOWN = Coverage(1, 1, 1.0, unknown_names=("A-9999",))
FULL, HALF, NONE = Coverage(1, 1, 1.0), Coverage(1, 0.5, 0.6), Coverage(None, None, 0.1)
NOTHING = NliScores(0, 0, 1)


def scores(entail, contradict=0.0):
    return NliScores(entail, contradict, round(1 - entail - contradict, 4))


def signal(nli=NOTHING, coverage=FULL, **rest):
    verifier_signal = VerifierSignal(
        signal_id="sig_c_0001_3", claim_id="c_0001", doc_id="d", sent_id=3, nli=nli,
        coverage=coverage, uncertainty=None, consistency=None, citation_span_match=None,
        numeric_check=None, supported_by="d#3", contradicted_by="d#4", conflicts=(),
        overconfidence=(), contradictions=(), checkable=True, checked=True, lexical=nli,
    )  # fmt: skip
    return replace(verifier_signal, **rest)


def decided(claim_signal, rules=DEFAULT_RULES):
    return decide_claim(CLAIM, claim_signal, rules)


CASES = [
    ("not_checked", signal(None, None, checked=False)),
    ("not_checked", signal(None, None, checked=False, checkable=False)),
    ("not_checkable", signal(checkable=False)),
    ("conflicting_sources", signal(scores(0.9), disputed=True)),
    ("contradicted", signal(scores(0.2, 0.7))),
    ("unknown_names", signal(scores(0.9), UNKNOWN)),
    ("unsteady", signal(scores(0.6), consistency=Consistency(disagreement=0.8))),
    ("unsteady", signal(scores(0.6), uncertainty=Uncertainty(2.5))),
    ("supported", signal(scores(0.9), consistency=Consistency(disagreement=0.8))),
    ("supported", signal(scores(0.6), uncertainty=Uncertainty(1.9))),
    ("supported", signal(scores(0.6), Coverage(None, None, 0.6))),
    ("nothing_found", signal(NOTHING, NONE)),
    ("nothing_found", signal(NOTHING, None)),
    ("not_supported", signal(scores(0.9), HALF)),
    ("not_supported", signal(scores(0.4, 0.3))),
]


@pytest.mark.parametrize(("name", "claim_signal"), CASES)
def test_the_first_rule_that_holds_names_the_decision(name, claim_signal):
    decision = decided(claim_signal)
    assert decision.rationale.startswith(f"{name}: ")
    assert decision.signals_ref == ("sig_c_0001_3",)


def test_every_rule_has_a_case():
    assert {name for name, _ in CASES} == {rule.name for rule in RULES}


def test_the_page_tells_the_rules_in_their_order():
    rows = re.findall(r"^\| `(\w+)` \|.*\| (.+) \|$", PAGE.read_text(), re.MULTILINE)
    own = len(NOTHING_TO_GO_BY)
    table = [*NOTHING_TO_GO_BY, *JUDGED[own:], *RULES[own:]]
    statuses = [
        f"{rule.status}, `{rule.reason}`" if rule.reason else str(rule.status) for rule in table
    ]
    assert rows == list(zip([rule.name for rule in table], statuses, strict=True))


def test_the_thresholds_on_the_page_are_the_default_ones():
    matches = re.findall(r"`(\w+_at|band_\w+)` \(([\d.]+)", PAGE.read_text())
    rules = DEFAULT_RULES.to_json()
    for name, value in matches:
        assert rules[name] == float(value), name
    assert len(matches) >= 8


def test_a_conflict_in_words_is_told():
    claim_signal = decided(signal(scores(0.2, 0.7), conflicts=(CONFLICT,)))
    assert claim_signal.rationale == "contradicted: number: “2010” against “2012”"
    assert (claim_signal.primary_evidence, claim_signal.confidence.band) == ("d#4", Band.HIGH)


def test_the_confidence_of_the_seeds_example():
    claim_signal = signal(
        NliScores(0.81, 0.03, 0.16),
        Coverage(1.0, 1.0, 0.74),
        uncertainty=Uncertainty(1.12),
        consistency=Consistency(None),
    )
    decision = decided(claim_signal)
    assert decision.status is ClaimStatus.SUPPORTED
    assert decision.primary_evidence == "d#3"
    block = decision.confidence
    assert (block.support_prob, block.contradict_prob, block.band) == (0.81, 0.03, Band.HIGH)
    assert round(block.overall_confidence, 2) == 0.74


def test_without_scores_there_is_no_confidence():
    block = decided(signal(None, None, checked=False)).confidence
    assert (block.support_prob, block.contradict_prob, block.overall_confidence) == (None,) * 3
    assert block.band is Band.LOW


SHARES = st.floats(0, 1, allow_nan=False)
MAYBE = st.none() | SHARES


@given(SHARES, SHARES, MAYBE, st.none() | st.floats(0, 20))
def test_any_signals_have_a_decision_within_bounds(entail, contradict, vary, entropy):
    claim_signal = signal(
        NliScores(entail, contradict, 0),
        consistency=Consistency(disagreement=vary),
        uncertainty=Uncertainty(entropy),
    )
    block = decided(claim_signal).confidence
    assert 0 <= block.overall_confidence <= block.support_prob + 1e-4


def test_the_rationale_names_what_differs_and_not_that_nothing_else_does() -> None:
    text = "Workers on a scaffold need fall protection at {} feet."
    decision = answers.decided(text.format(20), text.format(10))
    assert decision.claims[0].rationale == "contradicted: number: the source says “10 feet”"


NUMBER = Conflict(ConflictKind.NUMBER, "the source says “10 feet”")
SHARES = st.floats(0, 1)


def judged(
    entail=0.9, contradict=0.02, coverage=FULL, kind=AnswerKind.SHORT, **rest
) -> VerifierSignal:
    neutral = round(max(0.0, 1 - entail - contradict), 4)
    judgement = Judgement(entail, neutral, contradict, 0.1, 1.0, kind, "judge")
    nli = NliScores(entail, contradict, neutral)
    return replace(
        signal(coverage=coverage), nli=nli, judgement=judgement, **{"lexical": scores(0.6)} | rest
    )


@pytest.mark.parametrize(
    ("rule", "status", "read"),
    [
        ("supported", ClaimStatus.SUPPORTED, judged()),
        ("not_checkable", ClaimStatus.LOW_CONFIDENCE, judged(checkable=False)),
        ("unknown_names", ClaimStatus.LOW_CONFIDENCE, judged(coverage=UNKNOWN)),
        ("contradicted_by_judge", ClaimStatus.CONTRADICTORY, judged(0.02, 0.9)),
        ("not_supported", ClaimStatus.LOW_CONFIDENCE, judged(0.02, 0.1)),
        ("nothing_found", ClaimStatus.LOW_CONFIDENCE, judged(0.02, 0.1, NONE)),
        (
            "contradicted",
            ClaimStatus.CONTRADICTORY,
            judged(0.3, 0.3, conflicts=(replace(NUMBER, certain=True),)),
        ),
        (
            "unsteady",
            ClaimStatus.LOW_CONFIDENCE,
            judged(0.5, 0.1, HALF, consistency=Consistency(disagreement=0.9)),
        ),
    ],
)
def test_the_first_rule_that_holds_decides(rule, status, read):
    decision = decide_claim(CLAIM, read, DEFAULT_RULES)
    assert (decision.rationale.partition(":")[0], decision.status) == (rule, status)


@given(SHARES, st.sampled_from(list(AnswerKind)))
def test_supported_means_more_likely_than_not(entail, kind):
    read = judged(entail, 0.0, kind=kind)
    decision = decide_claim(CLAIM, read, DEFAULT_RULES)
    assert (decision.status is ClaimStatus.SUPPORTED) == (unsupported(read) < 0.5)


@given(SHARES)
def test_between_the_limits_a_claim_is_not_confirmed(entail):
    read = judged(entail, 0.0)
    decision = decide_claim(CLAIM, read, DEFAULT_RULES)
    between = 0.5 <= unsupported(read) < DEFAULT_RULES.unsupported_at
    assert (decision.reason is LowConfidenceReason.NOT_CONFIRMED) == between


def test_a_kind_of_answer_may_have_a_limit_of_its_own():
    read, other = judged(0.5, 0.0), judged(0.5, 0.0, kind=AnswerKind.LONG)
    strict = replace(DEFAULT_RULES, by_kind=KindLimits(short=0.5))
    assert 0.5 <= unsupported(read) < DEFAULT_RULES.unsupported_at
    before, after = (decide_claim(CLAIM, read, rules) for rules in (DEFAULT_RULES, strict))
    assert before.reason is LowConfidenceReason.NOT_CONFIRMED
    assert after.reason is LowConfidenceReason.NOT_SUPPORTED
    assert decide_claim(CLAIM, other, strict) == decide_claim(CLAIM, other, DEFAULT_RULES)
    assert strict.limit_of(None) == strict.limit_of(AnswerKind.LONG) == DEFAULT_RULES.unsupported_at


ONE, OTHER = "The wind limit for the crane is 38 km/h.", "The wind limit for the crane is 50 km/h."


def test_both_sources_are_shown_and_the_action_is_a_warning() -> None:
    measurement = answers.measured(OTHER, ONE, OTHER)
    decision = decide(OTHER, measurement)
    (claim,), (signal,) = decision.claims, measurement.signals
    assert decision.action is Action.WARN
    assert "conflicting_sources" in [reason.code for reason in decision.reasons if reason.decided]
    assert claim.status is ClaimStatus.LOW_CONFIDENCE
    assert claim.reason is LowConfidenceReason.CONFLICTING_SOURCES
    assert (signal.supported_by, signal.contradicted_by) == ("s2#0", "s1#0")


def test_sources_about_two_things_do_not_disagree() -> None:
    roof = "The wind limit for the roof is 38 km/h."
    assert answers.decided(OTHER, OTHER, roof).action is Action.ALLOW


def test_a_denial_of_a_part_is_no_disagreement() -> None:
    measurement = answers.measured(
        "Not all sauces are gravy.",
        "The special thing about gravy is that not all sauces are gravy.",
        "A gravy is the juice of a roast, and sauces are served hot.",
    )
    assert not measurement.signals[0].disputed


SOURCES = sources_of("Refunds take 14 days.", "The shop is in Oslo.", "Refunds take 30 days.")
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
    citations = checked(answer, sources_of(*texts))[1].citations
    passages = {
        claim: [citations.passages[number - 1].text for number in numbers]
        for claim, numbers in citations.citation_map.items()
    }
    assert ["300 m" in text for text in passages["c_0001"]] == [True]
    assert ["brown" in text for text in passages["c_0002"]] == [True]
    assert not any("brown" in text for text in passages["c_0001"])


def test_a_neighbour_of_a_supported_claim_gets_no_citation():
    answer = "The tower is 300 m high and it is painted brown."
    sources = sources_of(TOWER[0], "Bananas are yellow.")
    assert checked(answer, sources)[1].citations.citation_map == {"c_0001": (1,)}
