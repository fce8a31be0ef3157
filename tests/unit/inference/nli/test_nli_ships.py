"""The model that comes along is whole, small, and tells support from its opposite."""

import json
from pathlib import Path

import pytest

from analysis.engine.verdict.fusion_model import EMBEDDED_NAME
from inference.nli.embedded import FOLDER
from inference.nli.loading import load

CARD = Path("docs/research/model-card.md")
WINDOW = "The bridge was opened in 1932 and links Sydney's two shores."


@pytest.fixture(scope="module")
def model():
    return load("embedded", Path(), threads=1, build=False)


def test_it_is_at_most_35_megabytes():
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 35e6


def test_its_name_is_the_one_that_the_weights_were_fitted_for(model):
    assert model.model_id.partition("@")[0] == EMBEDDED_NAME


def test_its_card_names_the_files_by_their_hashes():
    text = CARD.read_text(encoding="utf-8")
    for name, digest in json.loads((FOLDER / "config.json").read_text())["files"].items():
        assert f"`{name}` | `{digest}`" in text


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The bridge has been open since 1932.", True),
        ("The bridge links two shores in Sydney.", True),
        ("The bridge was opened in 1957.", False),
        ("The bridge was painted green by volunteers.", False),
    ],
)
def test_it_tells_support_from_its_opposite(model, claim, supported):
    [score] = model.score([(WINDOW, claim)])
    assert (score.entail > 0.5) is supported
    assert score.entail + score.neutral + score.contradict == pytest.approx(1, abs=1e-3)
