"""Only versions whose decisions come out of this build bit for bit are said to have its rules."""

import json
from pathlib import Path

import pytest

from analysis.engine import ENGINE_VERSION, Measurement, PolicyRules, decide
from analysis.engine.replay.versions import SAME_RULES, has_rules_of

FOLDER = Path(__file__).parent.parent / "stored"


def test_this_build_has_its_own_rules() -> None:
    assert has_rules_of(ENGINE_VERSION)
    assert not has_rules_of("1.0.0")


@pytest.mark.parametrize("version", SAME_RULES)
def test_what_the_version_stored_is_decided_again_bit_for_bit(version: str) -> None:
    """For a new version run `python -m tests.unit.analysis.engine.store_decided`.

    Where this fails, the rules are no longer those of that version: take it off the list, raise
    ENGINE_VERSION, and its stored decisions are told apart.
    """
    stored = json.loads((FOLDER / f"decided_{version.replace('.', '_')}.json").read_text())
    assert len(stored) >= 20
    for case in stored:
        measurement = Measurement.from_json(case["measurement"])
        assert measurement.engine_version == version
        again = decide(case["answer"], measurement, PolicyRules.from_json(case["rules"])).to_json()
        known = {name: value for name, value in again.items() if name in case["decision"]}
        assert json.loads(json.dumps(known)) == case["decision"]
        # What was added since says nothing of a decision of before.
        assert not any(again[name] for name in again.keys() - known.keys())
