"""A document stays below its bound; cautions are taken from a check's metadata."""

import json
from typing import Any

import pytest

from analysis.selectors.results import limit_size
from analysis.selectors.submissions import cautions_of


def document(claims: int) -> dict[str, Any]:
    claim = {"text": "Ünïcode 😀", "signal": {"nli": "x" * 300}}
    return {"answer": "a", "claims": [{"claim_id": f"c_{n}", **claim} for n in range(claims)]}


def test_a_small_document_is_whole() -> None:
    whole = document(3)
    assert limit_size(whole) == {**whole, "left_out": {"signals": 0, "claims": 0}}


def test_signals_go_first_and_from_the_end() -> None:
    limited = limit_size(document(10), most=2_500)
    assert limited["left_out"]["claims"] == 0
    has_signal = [claim["signal"] is not None for claim in limited["claims"]]
    assert has_signal == sorted(has_signal, reverse=True)
    assert has_signal.count(False) == limited["left_out"]["signals"] > 0
    assert any(has_signal)


def test_then_claims_and_the_bound_holds_whatever_it_is() -> None:
    for most in range(200, 5_000, 97):
        limited = limit_size(document(10), most=most)
        assert len(json.dumps(limited["claims"], ensure_ascii=False).encode()) <= most
        assert len(limited["claims"]) + limited["left_out"]["claims"] == 10
    assert limit_size(document(10), most=200)["left_out"]["claims"] > 0


@pytest.mark.parametrize(
    ("stated", "cautions"),
    [
        (["Limits disagree.", " ", 7, "  Twice.  "], ("Limits disagree.", "Twice.")),
        (["x" * 300], ("x" * 200,)),
        ([f"{n}." for n in range(9)], ("0.", "1.", "2.", "3.", "4.")),
        ("Limits disagree.", ()),
        ({"text": "Limits disagree."}, ()),
        (None, ()),
    ],
)
def test_a_few_short_sentences_are_taken(stated, cautions) -> None:
    assert cautions_of({"cautions": stated, "ticket": 7}) == cautions
    assert cautions_of({}) == ()
