"""A document stays below its bound, and says what it leaves out."""

import json
from typing import Any

from analysis.selectors.result_size import bounded


def document(claims: int) -> dict[str, Any]:
    one = {"text": "Ünïcode 😀", "signal": {"nli": "x" * 300}}
    return {"answer": "a", "claims": [{"claim_id": f"c_{n}", **one} for n in range(claims)]}


def test_a_small_document_is_whole() -> None:
    whole = document(3)
    assert bounded(whole) == {**whole, "left_out": {"signals": 0, "claims": 0}}


def test_signals_go_first_and_from_the_end() -> None:
    found = bounded(document(10), most=2_500)
    assert found["left_out"]["claims"] == 0
    kept = [claim["signal"] is not None for claim in found["claims"]]
    assert kept == sorted(kept, reverse=True)
    assert kept.count(False) == found["left_out"]["signals"] > 0
    assert any(kept)


def test_then_claims_and_the_bound_holds_whatever_it_is() -> None:
    for most in range(200, 5_000, 97):
        found = bounded(document(10), most=most)
        assert len(json.dumps(found["claims"], ensure_ascii=False).encode()) <= most
        assert len(found["claims"]) + found["left_out"]["claims"] == 10
    assert bounded(document(10), most=200)["left_out"]["claims"] > 0
