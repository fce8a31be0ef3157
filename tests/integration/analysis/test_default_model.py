"""The product as it is installed: a worker without a named model uses the included one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from accounts.models import ApiKey
from tests.stack import Stack

CHECKOUT = Path(__file__).resolve().parents[3]
SAY = "from django.conf import settings; print(settings.NLI_MODEL)"
SOURCE = (
    "The bridge at Kvalsund was opened for traffic in 1977 after three years of work. Its main "
    "span is 525 metres long, and it was drawn by Eva Holm."
)


def test_the_base_judge_is_the_default() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NLI_MODEL"}
    environment["DJANGO_SETTINGS_MODULE"] = "watchdog_site.settings"
    process = subprocess.run(
        [sys.executable, "-c", SAY],
        check=True, cwd=CHECKOUT, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert process.stdout.strip() == "base"


@pytest.mark.timeout(600)
def test_a_worker_judges_by_the_model_it_is_told(stack: Stack, api_key: tuple[ApiKey, str]) -> None:
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
