"""The judge that NLI_MODEL names; where that is not prepared a smaller one, which is named."""

import pytest

from analysis.engine.types import SignalName, Source, Submission
from analysis.judge import describe_judge, judge, sample_judge
from analysis.services import measuring
from inference.judge import BASE, FOLDERS, LEXICAL, SMALL, get_judge
from inference.store import MANIFEST, Manifest


@pytest.fixture
def base(settings, tmp_path):
    settings.NLI_MODEL = BASE
    settings.MODEL_DIR = tmp_path
    return tmp_path


def prepare(folder, kind=BASE):
    """Write the manifest of a judge, whose files nobody opens here."""
    import json
    from dataclasses import asdict

    manifest = Manifest(
        name="j", model_id=f"{kind}@1+int8", runtime="onnx", quantisation="", dimensions=0,
        max_tokens=600, pad_id=1, source="", source_sha256="", package="", opset=17,
    )  # fmt: skip
    (folder / FOLDERS[kind]).mkdir()
    (folder / FOLDERS[kind] / MANIFEST).write_text(json.dumps(asdict(manifest)))


def test_without_a_judge_the_rules_decide_and_readyz_says_so(base, client, db):
    assert judge() is None
    assert sample_judge() is None
    judge_words = client.get("/readyz").json()["judge"]
    assert judge_words.startswith(
        "lexical-1, since the base judge is not prepared: No model is prepared"
    )


def test_prepared_judges_are_named_and_not_opened(base, client, db):
    prepare(base)
    prepare(base, SMALL)
    assert judge() is not None
    assert client.get("/readyz").json()["judge"] == "base@1+int8, small@1+int8"


def test_without_the_base_judge_the_small_one_judges_and_readyz_says_so(base, client, db, settings):
    prepare(base, SMALL)
    assert judge() is get_judge(base, SMALL, threads=settings.NLI_THREADS)
    assert (
        client.get("/readyz")
        .json()["judge"]
        .startswith("small@1+int8, since the base judge is not prepared: No model is prepared")
    )


def test_a_result_says_that_another_judge_read_it(base, monkeypatch):
    prepare(base, SMALL)
    monkeypatch.setattr(measuring, "judge", lambda *_: None)
    submission = Submission("It runs for two years.", "", (Source("s", "It runs for two years."),))
    state = measuring.measure_submission(submission).states[SignalName.JUDGE.value]
    assert state.reason.startswith("Judged by small@1+int8, since the base judge is not prepared")


def test_the_base_judge_never_judges_without_the_small_one(base):
    prepare(base)
    assert judge() is None
    assert describe_judge().startswith("lexical-1, since the small judge is not prepared: No model")


def test_the_small_judge_is_used_where_it_is_set(base, settings):
    settings.NLI_MODEL = SMALL
    prepare(base, BASE)
    assert judge() is None, "the base judge never stands in for it"
    prepare(base, SMALL)
    assert describe_judge() == "small@1+int8"


def test_without_a_judge_the_setting_is_named(settings):
    settings.NLI_MODEL = LEXICAL
    assert judge() is None
    assert describe_judge() == LEXICAL


def test_further_answers_are_compared_by_the_small_judge(base, settings):
    prepare(base)
    prepare(base, SMALL)
    assert sample_judge() is get_judge(base, SMALL, threads=settings.NLI_THREADS)
