"""The time of a language model that judges ends before the signals do."""

import runpy

import pytest
from django.core.exceptions import ImproperlyConfigured

from watchdog_site.settings import checks

SETTINGS = "watchdog_site/settings/models.py"


def test_its_time_is_below_the_soft_limit(monkeypatch):
    monkeypatch.delenv("JUDGE_LLM_SECONDS", raising=False)
    default = runpy.run_path(SETTINGS)["JUDGE_LLM_SECONDS"]
    assert 0 < default < checks.CHECK_SOFT_LIMIT_SECONDS
    monkeypatch.setenv("JUDGE_LLM_SECONDS", f"{checks.CHECK_SOFT_LIMIT_SECONDS - 0.1}")
    runpy.run_path(SETTINGS)
    monkeypatch.setenv("JUDGE_LLM_SECONDS", f"{checks.CHECK_SOFT_LIMIT_SECONDS}")
    with pytest.raises(ImproperlyConfigured, match="below CHECK_SOFT_LIMIT_SECONDS"):
        runpy.run_path(SETTINGS)
