"""Decisions by what `manage.py calibrate` fits: small random models of the real architectures."""

import json
import os
from typing import Any

import pytest

from analysis.engine import DEFAULT_RULES
from analysis.engine.verdict.probability import LIKELY
from desk.scoring.split import split_of
from tests.commands import python
from tests.integration.desk.scoring.tiny_fit import KINDS

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def fits(tmp_path_factory) -> dict[str, Any]:
    """Return the result of each model; torch runs in a child only."""
    folder = tmp_path_factory.mktemp("fits")
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "NLI_MODEL": "lexical", "NLI_THREADS": "1"}
    module = "tests.integration.desk.scoring.tiny_fit"
    printed = python("-m", module, folder, environment=environment, timeout=600)
    return json.loads(printed.splitlines()[-1])


def is_flagged(line: dict[str, Any]) -> bool:
    return line["action"] != "ALLOW"


@pytest.mark.parametrize("kind", KINDS)
def test_flags_follow_the_fitted_thresholds(fits, kind) -> None:
    policy, lines = fits[kind]["policy"], fits[kind]["lines"]
    at, limit = policy["unsupported_at"], policy["score"]["warn_above"]
    doubted = [line["claims"][0]["score"] >= at for line in lines]
    assert [line["claims"][0]["verdict"] != "Supported" for line in lines] == [
        line["claims"][0]["score"] >= LIKELY for line in lines
    ]
    above = [line["hallucination_score"] > limit for line in lines]
    assert [is_flagged(line) for line in lines] == [
        doubt or high for doubt, high in zip(doubted, above, strict=True)
    ]
    sure = policy["unsupported_sure_at"]
    for line in lines:
        if line["claims"][0]["verdict"] == "Low Confidence":
            assert (line["action"] == "BLOCK") == (line["claims"][0]["score"] >= sure)


@pytest.mark.parametrize("kind", KINDS)
def test_the_printed_rates_are_those_of_the_held_out_half(fits, kind) -> None:
    output = fits[kind]["output"]
    for label, name in enumerate(("right", "wrong")):
        flags = [
            is_flagged(line)
            for row, line in zip(fits[kind]["rows"], fits[kind]["lines"], strict=True)
            if row["label"] == label and split_of(row) == "report"
        ]
        (shown,) = [line for line in output.splitlines() if f"{name} answers flagged" in line]
        assert f"({sum(flags)} of {len(flags)})" in shown.split("│")[3]


@pytest.mark.parametrize("kind", KINDS)
def test_the_fit_keeps_to_the_rate_and_is_no_other_policy(fits, kind) -> None:
    of_right = [
        is_flagged(line)
        for row, line in zip(fits[kind]["rows"], fits[kind]["lines"], strict=True)
        if row["label"] == 0 and split_of(row) == "tune"
    ]
    assert sum(of_right) / len(of_right) <= 0.1
    changed = {"unsupported_at", "by_kind", "unsupported_sure_at", "score"}
    before, after = DEFAULT_RULES.to_json(), fits[kind]["policy"]
    assert {name: after[name] for name in after if name not in changed} == {
        name: before[name] for name in before if name not in changed
    }
    assert after["unsupported_at"] != before["unsupported_at"]
