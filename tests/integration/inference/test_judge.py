"""The judge: a small random one of the real architecture, written, quantised and served."""

import json
from pathlib import Path

import numpy as np
import pytest

from inference.errors import ModelError
from inference.judge import build as building
from inference.judge import get_judge, graph, judge_folder, judge_status
from inference.judge.bases import FOLDER
from inference.judge.onnx_judge import READ, Files, OnnxJudge
from inference.judge.parameters import read_parameters
from inference.judge.preparing import ensure_judge
from tests.commands import python
from tests.integration.inference.conftest import call
from tests.integration.inference.tiny_judge import ANSWERS, BUDGET

# The child loads torch, which takes a minute on a busy machine.
pytestmark = pytest.mark.timeout(600)

SERVE = """
import sys
from pathlib import Path
from inference.judge import get_judge
get_judge(Path(sys.argv[1])).predict("", ["the bank"], ["the river"])
heavy = {"torch", "transformers", "onnx", "safetensors"} & set(sys.modules)
assert not heavy, heavy
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tiny_judge")
    call(folder, module="tiny_judge")
    return folder


@pytest.fixture(scope="module")
def exact(tiny) -> OnnxJudge:
    """Return the graph in float32."""
    parameters = read_parameters(tiny / "base", tiny / "differences.npz")
    graph.write(parameters, tiny / "float.onnx")
    np.save(tiny / "table.npy", parameters["enc.embeddings.word_embeddings.weight"])
    files = Files(tiny / "float.onnx", tiny / "table.npy", tiny / "base" / "tokenizer.json", "tiny")
    return OnnxJudge(files, threads=1, evidence_tokens=BUDGET)


@pytest.fixture(scope="module")
def root(tiny, tmp_path_factory) -> Path:
    """Return a folder of models in which the tiny judge is prepared."""
    root = tmp_path_factory.mktemp("models")
    folder = judge_folder(root)
    folder.mkdir()
    (folder / FOLDER).symlink_to(tiny / "base")
    building.build(str(tiny / "differences.npz"), folder, lambda _step: None)
    return root


def labels(judgements) -> np.ndarray:
    return np.array([(each.entail, each.neutral, each.contradict) for each in judgements])


def test_the_graph_computes_what_torch_does(tiny, exact):
    for answer, judged in zip(ANSWERS, json.loads((tiny / "judged.json").read_text()), strict=True):
        judgements = exact.predict(*answer)
        assert np.abs(labels(judgements) - judged["labels"]).max() < 5e-4
        words = [word[2] for each in judgements for word in each.words]
        # Each word of this vocabulary is one token.
        assert np.abs(np.array(words) - judged["words"]).max() < 5e-4
    assert labels(exact.predict(*ANSWERS[0])).std(axis=0).max() > 0.003


def test_words_and_windows_are_spans_of_the_texts(exact):
    question, evidence, claims = ANSWERS[1]
    first, second = exact.predict(question, evidence, claims)
    assert [claims[0][start:end] for start, end, _ in first.words] == claims[0].split()
    assert not first.truncated
    assert second.truncated
    assert len(second.words) == 120
    assert {window.source for window in first.windows} == {0, 1}
    school = next(window for window in first.windows if window.source == 1)
    assert evidence[1][school.start : school.end] == evidence[1]
    assert sum(window.weight for window in first.windows) == pytest.approx(1)
    assert 0 < first.coverage < 1
    assert exact.predict(*ANSWERS[0])[0].coverage == 1


def test_tokens_are_counted_and_those_of_remembered_passages_are_not(exact):
    counts = []
    for _ in range(2):
        before = READ.value
        exact.predict("", ["the bank of the river at noon"], ["the river"])
        counts.append(READ.value - before)
    first, second = counts
    assert first > second > 0


def test_a_claim_is_judged_alike_beside_other_claims_and_from_the_cache(exact):
    question, evidence, claims = ANSWERS[0]
    together = labels(exact.predict(question, evidence, claims * 7))
    alone = labels([exact.predict(question, evidence, [claim])[0] for claim in claims])
    assert np.abs(together - np.tile(alone, (7, 1))).max() < 1e-4
    uncached = OnnxJudge(exact._files, threads=1, evidence_tokens=BUDGET, cache_bytes=0)
    assert np.abs(labels(uncached.predict(question, evidence, claims)) - alone).max() < 1e-4


def test_evidence_and_question_change_the_judgement(exact):
    question, evidence, claims = ANSWERS[0]
    reference = labels(exact.predict(question, evidence, claims))
    assert np.abs(labels(exact.predict("", evidence, claims)) - reference).max() > 1e-3
    assert np.abs(labels(exact.predict(question, evidence[:1], claims)) - reference).max() > 1e-3


def test_what_is_not_read_in_time_is_none(exact):
    question, evidence, claims = ANSWERS[0]
    assert exact.predict(question, evidence, claims, seconds=0) == (None, None, None)
    assert None not in exact.predict(question, evidence, claims, seconds=600)
    assert exact.predict(question, evidence, []) == ()


def test_the_prepared_judge_is_int8_and_close(exact, root):
    judge = get_judge(root, evidence_tokens=BUDGET)
    assert judge.model_id.startswith("tiny@")
    assert judge.model_id.endswith("+int8-per-token-2-even-1")
    assert judge_status(root).model_id == judge.model_id
    for answer in ANSWERS:
        assert np.abs(labels(judge.predict(*answer)) - labels(exact.predict(*answer))).max() < 0.1


def test_serving_loads_no_training_library(root):
    python("-c", SERVE, root)


def test_a_judge_that_int8_changes_too_much_is_refused(tiny, tmp_path, monkeypatch):
    (tmp_path / FOLDER).symlink_to(tiny / "base")
    monkeypatch.setattr(building, "MOST_CHANGE", 1e-9)
    with pytest.raises(ModelError, match="int8"):
        building.build(str(tiny / "differences.npz"), tmp_path, lambda _step: None)
    assert not list(tmp_path.glob("*.onnx"))


def test_a_damaged_or_missing_judge_says_how_to_repair_it(root, tmp_path):
    status = judge_status(tmp_path)
    assert not status.is_ready
    assert "No model is prepared" in status.reason
    with pytest.raises(ModelError, match=r"inference\.export --judge"):
        get_judge(tmp_path).predict("", [], ["a"])


def test_without_trained_weights_nothing_is_downloaded(tmp_path):
    with pytest.raises(ModelError, match="trained weights are missing"):
        ensure_judge(tmp_path, differences=tmp_path / "none.npz")
