"""Cross-encoders that settings may name: exported, compared, served; torch in child processes."""

from pathlib import Path

import numpy as np
import pytest

from inference import export
from inference.errors import ModelError
from inference.rerank import ensure_reranker, get_reranker, reranker_folder
from inference.store import read_manifest
from tests.commands import python
from tests.integration.inference.tiny_rerank import PASSAGES, QUERY

# Children load torch, which takes a minute on a busy machine.
pytestmark = pytest.mark.timeout(900)

SERVE = """
import sys
from pathlib import Path
from inference.rerank import get_reranker
assert len(get_reranker(sys.argv[1], Path(sys.argv[2])).score("the bank", ["the river"])) == 1
heavy = {"torch", "transformers", "sentence_transformers", "onnx"} & set(sys.modules)
assert not heavy, heavy
"""


@pytest.fixture
def root(tiny_rerank):
    """Return the folder in which they are prepared already."""
    return Path(tiny_rerank["bert"]).parent / "models"


@pytest.mark.parametrize("kind", ["bert", "roberta", "decoder"])
def test_a_cross_encoder_is_exported_and_agrees_with_the_original(tiny_rerank, root, kind):
    source = tiny_rerank[kind]
    ensure_reranker(source, root)
    assert read_manifest(reranker_folder(root, source)).files
    reranker = get_reranker(source, root)
    assert reranker.model_id.startswith(f"{kind}@")
    expected = np.load(f"{source}.npy")  # what sentence-transformers gives the passages
    array = np.array(reranker.score(QUERY, PASSAGES))
    assert expected.std() > 0.02
    # int8 is kept only where it keeps 98 % of the scores' variance.
    assert np.abs(array - expected).max() < 0.5 * expected.std()
    # Each pair alone scores as among others.
    alone = [reranker.score(QUERY, [passage])[0] for passage in PASSAGES]
    assert np.allclose(alone, array, atol=1e-3)
    assert reranker.score(QUERY, []) == []


def test_what_cannot_be_exported_is_refused_with_its_reason(tiny_rerank, tmp_path, made_here):
    with pytest.raises(ModelError, match="cannot be exported"):
        ensure_reranker(tiny_rerank["traceless"], tmp_path)


def test_more_than_one_score_is_refused_when_the_model_is_prepared(
    tiny_rerank, root, capsys, made_here
):
    source = tiny_rerank["three"]
    assert export.main(["--reranker", "--model", source, "--to", str(root)]) == 1
    assert "3 scores" in capsys.readouterr().out
    with pytest.raises(ModelError, match="--reranker"):
        get_reranker(source, root).score(QUERY, PASSAGES)


def test_serving_an_exported_model_loads_no_torch(tiny_rerank, root):
    ensure_reranker(tiny_rerank["bert"], root)
    python("-c", SERVE, tiny_rerank["bert"], root)


def test_a_missing_one_is_prepared_when_asked(tiny_rerank, tmp_path):
    reranker = get_reranker(tiny_rerank["bert"], tmp_path, build=True)
    assert len(reranker.score(QUERY, PASSAGES)) == len(PASSAGES)


def test_the_command_prepares_and_shows_the_model(tiny_rerank, root, capsys):
    arguments = ["--reranker", "--model", tiny_rerank["bert"], "--to", str(root)]
    assert export.main(arguments) == 0
    assert "bert@" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        export.main(["--reranker"])
