"""Padding under the model that comes along: the verdict on a claim stays as it is on its source."""

from pathlib import Path

import pytest

from analysis.engine import decide, measure
from analysis.engine.types import Source, Submission
from inference.nli.loading import load
from inference.nli.types import EntailmentModel
from tests.padding import CASES, Case, noise, padded

SEEDS = (1, 2, 3)


@pytest.fixture(scope="module")
def model() -> EntailmentModel:
    return load("embedded", Path(), threads=1, build=False)


def told(case: Case, text: str, model: EntailmentModel) -> tuple[object, ...]:
    """The status of each claim, and what becomes of the answer."""
    answer = " ".join(case.claims)
    measurement = measure(Submission(answer, "", (Source("s", text),)), model)
    decision = decide(answer, measurement)
    return *(claim.status for claim in decision.claims), decision.action


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["noise", "related"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdicts_and_action_stay(case: Case, kind: str, seed: int, model: EntailmentModel) -> None:
    text = padded(case.source, noise if kind == "noise" else case.more, seed)
    assert told(case, text, model) == told(case, case.source, model)
