"""Judges that an operator names: small random models of the real architectures."""

import json
import os
from typing import Any

import pytest

from inference.errors import ModelError
from inference.judge.calibration import (
    CalibratedJudge,
    Calibration,
    file_of,
    read_calibration,
    write_calibration,
)
from inference.judge.named_judges import name_of, named_judge
from inference.judge.types import ClaimJudgement
from tests.commands import python
from tests.integration.inference.tiny_named import CLAIMS, EVIDENCE, MAKERS

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def judgements(tmp_path_factory) -> dict[str, Any]:
    """Return the judgements of each model; torch runs in a child only."""
    folder = tmp_path_factory.mktemp("named")
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    module = "tests.integration.inference.tiny_named"
    printed = python("-m", module, folder, environment=environment, timeout=600)
    return json.loads(printed.splitlines()[-1])


@pytest.mark.parametrize("kind", MAKERS)
def test_it_says_what_transformers_says(judgements, kind) -> None:
    ours = [claim["entail"] for claim in judgements[kind]["claims"]]
    assert ours == pytest.approx(judgements[kind]["reference"], abs=1e-4)
    assert judgements[kind]["id"] == f"named:{kind.removesuffix('-t5')}:{kind}"


@pytest.mark.parametrize("kind", MAKERS)
def test_only_a_model_of_entailment_tells_contradiction_and_words_lie_in_the_claim(
    judgements, kind
) -> None:
    for text, claim in zip(CLAIMS, judgements[kind]["claims"], strict=True):
        assert (claim["contradict"] > 0) == (kind == "entailment")
        assert claim["entail"] + claim["neutral"] + claim["contradict"] == pytest.approx(1)
        assert claim["words"]
        assert all(0 <= start < end <= len(text) for start, end, _ in claim["words"])
        assert [window[0] for window in claim["windows"]] == [0, 1]


def test_the_words_of_a_claim_are_its_own(judgements) -> None:
    words = [[CLAIMS[at][a:b] for a, b, _ in claim["words"]]
             for at, claim in enumerate(judgements["lettucedetect"]["claims"])]  # fmt: skip
    assert words == [["the", "bank", "closed"], ["the", "river", "is", "blue"]]


@pytest.mark.parametrize("setting", ["", "minicheck", "minicheck:", "other:/models/x"])
def test_another_name_is_an_error(setting) -> None:
    with pytest.raises(ModelError, match="JUDGE_MODEL"):
        name_of(setting)


def test_a_folder_without_a_model_is_an_error(tmp_path) -> None:
    with pytest.raises(ModelError, match="transformers cannot"):
        named_judge(f"minicheck:{tmp_path}", tmp_path).predict("", EVIDENCE, CLAIMS)


class Same:
    model_id = "named:hhem:x"

    def predict(self, question, evidence, claims, *, before=(), seconds=None):
        return (ClaimJudgement(0.8, 0.15, 0.05, (), (), 1.0), None)


def test_a_calibration_moves_what_is_entailed_and_keeps_the_rest_in_proportion() -> None:
    judge = CalibratedJudge(Same(), Calibration(-2.0, 1.0, 50), "named:hhem:x")
    first, second = judge.predict("", EVIDENCE, CLAIMS)
    assert first.entail == pytest.approx(0.351, abs=0.001)
    assert first.neutral / first.contradict == pytest.approx(3)
    assert first.entail + first.neutral + first.contradict == pytest.approx(1)
    assert second is None
    assert judge.model_id == "named:hhem:x+fitted--2.000-1.000"


def test_a_calibration_leaves_what_another_judge_decided() -> None:
    judge = CalibratedJudge(Same(), Calibration(-2.0, 1.0, 50), "llm:x")
    assert judge.predict("", EVIDENCE, CLAIMS) == Same().predict("", EVIDENCE, CLAIMS)


def test_a_calibration_is_kept_by_name(tmp_path) -> None:
    fitted = Calibration(0.5, 1.5, 99)
    assert read_calibration(tmp_path, "named:hhem:x") is None
    write_calibration(tmp_path, "named:hhem:x", fitted)
    assert read_calibration(tmp_path, "named:hhem:x") == fitted
    file_of(tmp_path, "named:hhem:x").write_text("{")
    with pytest.raises(ModelError, match="damaged"):
        read_calibration(tmp_path, "named:hhem:x")
