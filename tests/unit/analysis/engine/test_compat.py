"""The risk API's own examples, word for word."""

import pytest

from analysis.engine import (
    RISK_WEIGHTS,
    analyze,
    analyze_batch,
    calculate_risk_score,
    compat,
    generate_explanation,
    get_risk_level,
)
from analysis.engine.compat import BlockResponseException, RiskCheckMiddleware

PROMPT = "When did SSN College close?"
ANSWER = "SSN College definitely closed in 2026 and merged with SNU."


def test_data_flow_example():
    assert analyze(prompt=PROMPT, llm_response=ANSWER, rag_results=None) == {
        "risk_score": 35,
        "signals": {
            "rag_contradiction": False,
            "rag_unverified": True,
            "internal_contradiction": False,
            "overconfidence": True,
        },
        "explanation": (
            "MEDIUM RISK: Response contains unverified factual claims; "
            "Overconfidence detected: High confidence language detected"
        ),
        "claims": [
            {
                "text": "SSN College definitely closed in 2026",
                "status": "UNVERIFIED",
                "start": 0,
                "end": 37,
                "evidence": None,
            },
            {
                "text": "merged with SNU",
                "status": "UNVERIFIED",
                "start": 42,
                "end": 57,
                "evidence": None,
            },
        ],
    }


@pytest.mark.parametrize("answer", ["", "   \n", None])
def test_empty_response(answer):
    result = analyze(PROMPT, answer)
    assert (result["risk_score"], result["explanation"]) == (0, "Empty response")
    assert result["claims"] == []


def test_greeting_has_nothing_unverified():
    result = analyze("Hi", "Hello! How can I help you today?")
    assert result["risk_score"] == 0
    assert result["explanation"] == "LOW RISK: No issues detected"


@pytest.mark.parametrize("answer", [5, ["text"], {"a": 1}, b"bytes", 1.5, True])
def test_wrong_typed_answer_is_a_stated_outcome(answer):
    result = analyze(PROMPT, answer)
    assert result["risk_score"] >= 35
    assert set(result["signals"].values()) == {None}
    assert result["explanation"].startswith("MEDIUM RISK: Not checked: ")


@pytest.mark.parametrize("sources", [5, {"text": "SSN"}, 1.5, True, object()])
def test_wrong_typed_sources_are_none_and_reported(sources):
    result = analyze(PROMPT, ANSWER, sources)
    warnings = result.pop("warnings")
    assert result == analyze(PROMPT, ANSWER)
    assert type(sources).__name__ in warnings[0]


def test_weights_and_levels():
    assert RISK_WEIGHTS == {
        "internal_contradiction": 40,
        "rag_contradiction": 35,
        "rag_unverified": 15,
        "overconfidence": 20,
    }
    assert calculate_risk_score(dict.fromkeys(RISK_WEIGHTS, True)) == 100
    assert calculate_risk_score({}) == 0
    levels = [get_risk_level(score) for score in (0, 34, 35, 69, 70, 100)]
    assert levels == ["LOW", "LOW", "MEDIUM", "MEDIUM", "HIGH", "HIGH"]


def test_explanation_in_the_order_of_priority():
    signals = dict.fromkeys(RISK_WEIGHTS, True)
    assert generate_explanation(signals, 100) == (
        "HIGH RISK: Response contains internal contradictions; "
        "Contradicts retrieved information; "
        "Response contains unverified factual claims; "
        "High confidence without evidence"
    )
    assert generate_explanation({}, 0) == "LOW RISK: No issues detected"


def test_batch_gives_each_item_its_own_result():
    results = analyze_batch([(PROMPT, ANSWER), 5, {"prompt": PROMPT, "llm_response": ANSWER}, {}])
    assert results[0] == results[2] == analyze(PROMPT, ANSWER)
    assert results[1]["risk_score"] >= 35
    assert results[3]["explanation"] == "Empty response"


def test_batch_of_a_wrong_type():
    with pytest.raises(TypeError, match="requests must be a list, not str"):
        analyze_batch("text")


SOURCES = ["The tower is 330 metres tall."]


def test_a_supported_answer_is_returned_unchanged() -> None:
    answer = "The tower is 330 metres tall."
    assert RiskCheckMiddleware().process_llm_response("How tall?", answer, SOURCES) == answer


def test_a_contradicted_answer_raises_with_its_assessment() -> None:
    with pytest.raises(BlockResponseException, match="Contradicts retrieved information") as raised:
        RiskCheckMiddleware().process_llm_response(
            "How tall?", "The tower is 500 metres tall.", SOURCES
        )
    assert raised.value.assessment["risk_score"] == 35


def test_what_could_not_be_checked_raises() -> None:
    with pytest.raises(BlockResponseException, match="Not checked"):
        RiskCheckMiddleware().process_llm_response("q", 5)


@pytest.mark.parametrize(("score", "blocked"), [(69, False), (70, True)])
def test_a_score_of_70_blocks(score: int, blocked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assessment = {"risk_score": score, "signals": {}, "explanation": "why"}
    monkeypatch.setattr(compat, "analyze", lambda *_: assessment)
    call = RiskCheckMiddleware().process_llm_response
    if blocked:
        with pytest.raises(BlockResponseException, match="why"):
            call("q", "It rained.")
    else:
        assert call("q", "It rained.") == "It rained."
