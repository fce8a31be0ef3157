"""The judge that NLI_MODEL names, what stands in for it, and how processes open it at once."""

import operator
import os
import sys
from pathlib import Path

import psutil
import pytest

from analysis.engine import decide, measure
from analysis.engine.signal_types import SignalName
from analysis.engine.types import Action, Source, Submission
from analysis.judge import describe_judge, judge, missing_judge, own_judge, sample_judge
from analysis.services import measuring
from analysis.services.measuring import warm_up
from inference.judge import BASE, FOLDERS, LEXICAL, SMALL, get_judge
from inference.judge.types import Judge
from inference.prepare import ensure_model
from inference.sources import DEFAULT_MODEL
from inference.store import MANIFEST, Manifest
from tests.adversarial.corpus import read_blocks
from tests.commands import python
from tests.fake_llm import serving, silence
from tests.sockets import wait_until
from tests.stack import Stack


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


SAY = "from django.conf import settings; print(settings.NLI_MODEL)"
SOURCE = (
    "The bridge at Kvalsund was opened for traffic in 1977 after three years of work. Its main "
    "span is 525 metres long, and it was drawn by Eva Holm."
)


def test_the_base_judge_is_the_default() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NLI_MODEL"}
    environment["DJANGO_SETTINGS_MODULE"] = "watchdog_site.settings"
    assert python("-c", SAY, environment=environment).strip() == "base"


@pytest.mark.timeout(600)
def test_a_worker_judges_by_the_model_it_is_told(stack, api_key) -> None:
    with stack.client(api_key[1]) as client:
        response = client.post(
            "/api/v1/checks",
            json={
                "query": "What is known of the bridge?",
                "answer": "Eva Holm never drew the bridge. Traffic began to use it in 1977.",
                "sources": [{"text": SOURCE}],
            },
        )
    assert response.status_code == 200, response.text
    state = response.json()["signal_states"]["judge"]
    assert state["status"] == "ok"
    assert state["model"].startswith("watchdog-judge-small-")


def test_a_missing_model_is_told_and_the_worker_goes_on(settings, tmp_path, caplog) -> None:
    settings.MODEL_DIR = tmp_path
    settings.JUDGE_MODEL = f"entailment:{tmp_path / 'none'}"
    warm_up()
    assert caplog.text.count("model_not_opened") == 2
    assert "python -m inference.export" in caplog.text


def test_the_client_of_a_language_model_is_loaded_and_nothing_is_asked(
    settings, tmp_path, caplog
) -> None:
    settings.MODEL_DIR, settings.NLI_MODEL = tmp_path, "lexical"
    with serving([silence()]) as fake:
        settings.JUDGE_LLM_URL, settings.JUDGE_LLM_MODEL = fake.url, "m"
        with caplog.at_level("INFO"):
            warm_up()
        assert not fake.requests
    assert "language_model" in caplog.text
    assert "openai" in sys.modules


@pytest.mark.timeout(600)
def test_a_worker_opens_its_models_before_the_first_check(
    transactional_db, empty_redis, settings
) -> None:
    ensure_model(DEFAULT_MODEL, settings.MODEL_DIR)
    stack = Stack.start("worker")
    try:
        worker = psutil.Process(stack.processes["worker"].pid)
        opened = lambda: sum(map(has_opened_a_model, worker.children()))  # noqa: E731
        wait_until(lambda: opened() >= 2, stack.logs, seconds=400)
        assert not has_opened_a_model(worker), "the parent serves no check"
    finally:
        stack.stop()


def has_opened_a_model(process: psutil.Process) -> bool:
    try:
        return "onnxruntime" in Path(f"/proc/{process.pid}/maps").read_text()
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return False


BLOCKS = tuple(read_blocks(Path("tests/adversarial/everyday_cases.txt")))
WRONG = [(block.source, text) for block in BLOCKS for text in block.wrong]
RIGHT = [(block.source, text) for block in BLOCKS for text in block.right]


def action(source: str, answer: str, judge: Judge) -> Action:
    submission = Submission(answer, "", (Source("s", source),))
    return decide(answer, measure(submission, judge=judge)).action


@pytest.mark.parametrize(("name", "least"), [(BASE, 28), (SMALL, 29)])
def test_judges_decide_most_cases_rightly(name, least, settings) -> None:
    """Not case by case: int8 arithmetic differs a little between processors."""
    settings.NLI_MODEL = name
    if missing := missing_judge():
        pytest.skip(missing)
    judge = own_judge()
    assert judge is not None
    flagged = [action(*case, judge) is not Action.ALLOW for case in (*WRONG, *RIGHT)]
    expected = [True] * len(WRONG) + [False] * len(RIGHT)
    assert sum(map(operator.eq, flagged, expected)) >= least
