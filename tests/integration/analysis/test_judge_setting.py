"""NLI_MODEL=base: the base judge where it is prepared, otherwise the embedded model, named."""

import pytest

from analysis.judge import describe_judge, judge
from analysis.nli import nli
from inference.judge import BASE
from inference.nli import EMBEDDED
from inference.store import MANIFEST, Manifest


@pytest.fixture
def base(settings, tmp_path):
    settings.NLI_MODEL = BASE
    settings.MODEL_DIR = tmp_path
    return tmp_path


def prepare(folder):
    """The manifest of a judge, whose files nobody opens here."""
    import json
    from dataclasses import asdict

    manifest = Manifest(
        name="j", model_id="j@1+int8", runtime="onnx", quantisation="", dimensions=0,
        max_tokens=600, pad_id=1, source="", source_sha256="", package="", opset=17,
    )  # fmt: skip
    (folder / "judge").mkdir()
    (folder / "judge" / MANIFEST).write_text(json.dumps(asdict(manifest)))


def test_without_the_judge_the_embedded_model_stands_in_and_readyz_says_so(base, client, db):
    assert judge() is None
    assert nli().model_id.startswith("watchdog-nli")
    judge_words = client.get("/readyz").json()["judge"]
    assert judge_words.startswith(
        "embedded, since the base judge is not prepared: No model is prepared"
    )


def test_a_prepared_judge_is_named_and_not_opened(base, client, db):
    prepare(base)
    assert judge() is not None
    assert client.get("/readyz").json()["judge"] == "j@1+int8"


def test_another_model_is_named_as_it_is_set(settings):
    settings.NLI_MODEL = EMBEDDED
    assert judge() is None
    assert describe_judge() == EMBEDDED
