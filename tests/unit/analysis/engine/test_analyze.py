"""`analyze` takes anything and states what it could not do; hostile inputs stay linear."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.engine import analyze, extract_all_signals, measure
from analysis.engine.claims.extraction import MOST_CLAIMS
from analysis.engine.evidence.sources import normalise
from analysis.engine.types import Source, Submission
from tests.commands import python

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "content", "id", "title", "x"]), inner)
    ),
    max_leaves=8,
)
CLOSED = "SSN College closed in 2026."


@settings(deadline=None)
@given(JSON, JSON, JSON)
def test_any_json_has_a_stated_outcome(prompt, answer, rag_results):
    result = analyze(prompt, answer, rag_results)
    assert 0 <= result["risk_score"] <= 100
    assert isinstance(result["explanation"], str)
    assert set(result) - {"warnings"} == {"risk_score", "signals", "explanation", "claims"}
    if None in result["signals"].values():
        assert result["risk_score"] >= 35
    if answer is not None and not isinstance(answer, str):
        assert "Not checked" in result["explanation"]


@settings(deadline=None)
@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_reproduces_its_claims(answer, rag_results):
    result = analyze("", answer, rag_results)
    assert None not in result["signals"].values()
    for claim in result["claims"]:
        assert answer[claim["start"] : claim["end"]] == claim["text"]
        assert claim["status"] in ("SUPPORTED", "CONTRADICTED", "UNVERIFIED")


@pytest.mark.parametrize(
    "rag_results",
    [
        CLOSED,
        [CLOSED],
        (CLOSED,),
        [{"text": CLOSED}],
        [{"content": CLOSED, "title": "News", "id": 7}],
        [{"page_content": CLOSED, "metadata": {"page": 3}}],
        [{"document": CLOSED}],
        [5, {"text": CLOSED}, None],
    ],
)
def test_every_shape_of_sources(rag_results):
    result = analyze("", CLOSED, rag_results)
    assert result["claims"][0]["status"] == "SUPPORTED"
    assert result["claims"][0]["evidence"] == CLOSED
    assert result["risk_score"] == 0


def test_records_are_sources_and_unusable_items_are_reported():
    record = {"record": {"a": 1}, "id": 3}
    sources, warnings = normalise([5, {"text": CLOSED, "id": "a"}, {"x": 1}, "", record])
    assert sources == (Source("a", CLOSED), Source("3", '{"a": 1}'))
    assert warnings == [
        "rag_results[0] has no text (int); left out",
        "rag_results[2] has no text (dict); left out",
    ]


def test_an_internal_error_is_never_a_pass(monkeypatch, caplog):
    def fail(*args, **kwargs):
        raise RuntimeError(CLOSED)

    monkeypatch.setattr("analysis.engine.pipeline.assess", fail)
    result = analyze("", CLOSED)
    assert result["risk_score"] == 35
    assert set(result["signals"].values()) == {None}
    assert result["explanation"].startswith("MEDIUM RISK: Not checked: the analysis failed")
    assert CLOSED not in caplog.text


def test_a_failing_signal_is_unknown_and_told(monkeypatch):
    def fail(*args):
        raise RuntimeError

    monkeypatch.setattr("analysis.engine.signals.contradiction.findings", fail)
    result = analyze("", CLOSED, CLOSED)
    assert result["signals"]["internal_contradiction"] is None
    assert result["signals"]["rag_contradiction"] is False
    assert result["explanation"].startswith("MEDIUM RISK: Not checked: internal_contradiction")
    assert "internal_contradiction: error" in result["warnings"][0]


def test_all_signals():
    signals = extract_all_signals("", "SSN College definitely closed in 2026 and merged with SNU.")
    assert signals["overconfidence_reason"] == "High confidence language detected"
    assert signals["claim_verification"]["merged with SNU"] == "UNVERIFIED"
    assert signals["rag_unverified"] is True


SIZE = 200_000
HOSTILE = {
    "dots": ".",
    "parentheses": "(",
    "short sentences": "a. ",
    "list numbers": "1.",
    "commas": ",",
    "newlines": "\n",
    "quotes": '"',
    "opening quotes": "“",
    "one word": "x",
    "statements": "It is. ",
    "tiny sentences": "Hi. ",
    "joints": "was and ",
    "numbers": "5 to ",
    "number words": "twenty ",
    "names": "Aa of ",
    "negators": "not ",
    "ideographs": "公司。",
    "surrogates": "\ud800",
    "rows": "| a | 1 |\n",
    "bold": "**a** ",
    "contradictions": "The cat is open. The cat is closed. ",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_answers_come_to_an_end(piece):
    """Quadratic work on 200,000 characters would run into the suite's time-out."""
    answer = (piece * (SIZE // len(piece) + 1))[:SIZE]
    result = analyze("Is it?", answer)
    for claim in result["claims"][:100]:
        assert answer[claim["start"] : claim["end"]] == claim["text"]


def test_large_sources_come_to_an_end():
    sentences = [
        f"Plant {at} opened in {1900 + at % 100} near town {at % 977}. " for at in range(45_000)
    ]
    source = Source("s", "".join(sentences)[:2_000_000])
    answer = "".join(sentences[:3_800])[:SIZE]
    measurement = measure(Submission(answer, "", (source,)))
    assert len(measurement.claims) == MOST_CLAIMS
    assert measurement.states["grounding"].status in ("ok", "truncated")


def test_the_engine_needs_neither_django_nor_a_model():
    code = (
        "import sys, analysis.engine as e; e.analyze('', 'SSN closed in 2026.');"
        "heavy = {'django', 'redis', 'celery', 'numpy', 'torch', 'onnxruntime'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    python("-c", code)


CODE = """
from analysis.engine import measure
from analysis.engine.codec import encode
from analysis.engine.types import Source, Submission
from inference.judge.types import ClaimJudgement, EvidenceWindow

class Judge:
    model_id = "same@1"

    def predict(self, question, evidence, claims, **limits):
        windows = tuple(EvidenceWindow(at, 0, len(text), 1.0) for at, text in enumerate(evidence))
        return (ClaimJudgement(0.8, 0.1, 0.1, (), windows, 1.0),) * len(claims)

for lamps in ("Nova and Luma", "Silver and Gold", "Alta and Brio", "Corvo and Delph"):
    one, two = lamps.split(" and ")
    source = f"The {one} lamp uses 7 watts. The {two} lamp uses 18 watts."
    answer = f"{lamps} use 18 watts and 7 watts in that order."
    measured = measure(Submission(answer, "", (Source("s1", source),)), judge=Judge())
    print([signal.supported_by or signal.contradicted_by for signal in measured.signals])
"""


def test_the_passage_shown_does_not_depend_on_the_order_of_sets() -> None:
    seen = {
        python("-c", CODE, environment=os.environ | {"PYTHONHASHSEED": str(seed)})
        for seed in range(5)
    }
    assert len(seen) == 1
