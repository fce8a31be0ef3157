"""Models are opened when a worker's process starts, and a missing one is told there."""

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from pytest_django.fixtures import Settings

from analysis.services.warming import warm_up
from inference.prepare import ensure_model
from inference.sources import DEFAULT_MODEL
from tests.fake_llm import serving, silence
from tests.stack import Stack

CHECKOUT = Path(__file__).resolve().parents[3]
NO_PARENT = """
import os, sys, django
os.environ["DJANGO_SETTINGS_MODULE"] = "watchdog_site.settings"
django.setup()
import watchdog_site.celery, analysis.tasks, analysis.services.warming
heavy = {"onnxruntime", "tokenizers", "torch", "openai"} & set(sys.modules)
assert not heavy, heavy
"""


def test_a_missing_model_is_told_and_the_worker_goes_on(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.MODEL_DIR = tmp_path
    settings.JUDGE_MODEL = f"entailment:{tmp_path / 'none'}"
    warm_up()
    assert caplog.text.count("model_not_opened") == 2
    assert "python -m inference.export" in caplog.text


def test_the_client_of_a_language_model_is_loaded_and_nothing_is_asked(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
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
    transactional_db: None, empty_redis: None, settings: Settings
) -> None:
    ensure_model(DEFAULT_MODEL, settings.MODEL_DIR)
    stack = Stack.start("worker")
    try:
        worker = psutil.Process(stack.processes["worker"].pid)
        deadline = time.monotonic() + 400
        while sum(map(has_opened_a_model, worker.children())) < 2:
            assert time.monotonic() < deadline, stack.logs()
            time.sleep(0.1)
        assert not has_opened_a_model(worker), "the parent serves no check"
    finally:
        stack.stop()


def has_opened_a_model(process: psutil.Process) -> bool:
    try:
        return "onnxruntime" in Path(f"/proc/{process.pid}/maps").read_text()
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return False


def test_importing_tasks_opens_no_model() -> None:
    command = [sys.executable, "-c", NO_PARENT]
    process = subprocess.run(
        command, check=False, cwd=CHECKOUT, capture_output=True, text=True, timeout=120
    )
    assert process.returncode == 0, process.stderr
