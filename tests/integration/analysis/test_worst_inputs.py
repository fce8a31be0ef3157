"""No legal input takes longer than ten seconds of one core, or returns more than 2 MB.

The suite tries a few, with less processor time; `WORST_INPUTS=all` tries each,
`WORST_INPUTS=word` those with that word in their name, and `WORST_LOG=FILE` writes what each took.
`NLI_MODEL=base` has the base judge read.
The work is that of the check's own thread; the models' threads (`NLI_THREADS`) work beside it.
"""

import json
import os
import time
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import ApiKey
from analysis.models import Check, CheckState
from analysis.services.checking import run_check
from tests.integration.analysis.worst_inputs import INPUTS

WANTED = os.environ.get("WORST_INPUTS", "")
LOG = Path(os.environ.get("WORST_LOG", os.devnull))
IN_SUITE = ("claims by 1,000 sources", "a huge record", "answer and source of digits and commas")
NAMES = [name for name in INPUTS if WANTED in ("all", name) or (WANTED and WANTED in name)]
CPU_SECONDS, SECONDS_AFTER = (9.0, 1.0) if WANTED else (2.0, 4.0)
"""A check's own thread ends its work after the first (the setting is 9), and what comes then takes
the second: a core that is shared with other tests does less in a second. Without the limit these
inputs took 6.5 s and more on such a core."""
MOST_SECONDS = 10.0
MOST_BYTES = 2_000_000
URL = "/api/v1/checks"

pytestmark = pytest.mark.timeout(900)


@pytest.mark.parametrize("name", NAMES or IN_SUITE)
def test_it_ends_in_time_with_an_answer_of_legal_size(
    name: str, client: Client, api_key: tuple[ApiKey, str], empty_redis: None, settings: Settings
) -> None:
    # The clock is the machine's: what counts here is the work.
    settings.CHECK_TIME_LIMIT_SECONDS, settings.CHECK_SOFT_LIMIT_SECONDS = 600, 500.0
    settings.CHECK_CPU_SECONDS = CPU_SECONDS
    headers = {"Authorization": f"Bearer {api_key[1]}", "Prefer": "respond-async"}
    body = json.dumps(INPUTS[name](), ensure_ascii=False)
    began = time.thread_time()
    accepted = client.post(URL, body, content_type="application/json", headers=headers)
    assert accepted.status_code == 202, accepted.content[:500]
    submitted = time.thread_time() - began
    check = Check.objects.get()
    began = time.thread_time()
    assert run_check(check.pk)
    worked = time.thread_time() - began
    check.refresh_from_db()
    began = time.thread_time()
    answer = client.get(f"{URL}/{check.pk}", headers=headers)
    shown = time.thread_time() - began
    with LOG.open("a") as log:
        print(
            f"{submitted:6.2f} {worked:6.2f} {shown:6.2f} s {len(answer.content):9,} B "
            f"{check.action} {name}",
            file=log,
        )
    assert check.state == CheckState.DONE
    assert len(answer.content) <= MOST_BYTES
    assert worked <= CPU_SECONDS + SECONDS_AFTER
    assert submitted + shown <= MOST_SECONDS
