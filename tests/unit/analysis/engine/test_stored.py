"""What earlier versions of the engine stored can still be read and decided again."""

import json
from pathlib import Path

import pytest

from analysis.engine import Measurement, PolicyRules, decide
from analysis.engine.codec import CodecError

STORED = sorted((Path(__file__).parent / "stored").glob("engine_*.json"))


@pytest.fixture(params=STORED, ids=lambda path: path.stem)
def stored(request):
    return json.loads(request.param.read_text())


def test_there_is_something_to_read():
    assert STORED


def test_a_stored_result_decides_the_same_verdicts(stored):
    measurement = Measurement.from_json(stored["measurement"])
    decision = decide(stored["answer"], measurement, PolicyRules.from_json(stored["rules"]))
    then, now = stored["decision"], decision.to_json()
    assert [c["status"] for c in now["claims"]] == [c["status"] for c in then["claims"]]
    assert [c["reason"] for c in now["claims"]] == [c["reason"] for c in then["claims"]]
    for name in ("action", "risk", "not_checked"):
        assert now[name] == then[name]


def test_what_it_lacks_and_has_no_default_is_named(stored):
    del stored["measurement"]["claims"][0]["text"]
    with pytest.raises(
        CodecError, match=r"Measurement.claims\[0\]: Object missing required field `text`"
    ):
        Measurement.from_json(stored["measurement"])
