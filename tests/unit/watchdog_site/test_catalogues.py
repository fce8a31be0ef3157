"""Every language has every string of the pages, compiled as it is written."""

from pathlib import Path

import pytest
from django.conf import settings

from analysis.engine.safety.checks import RejectionReason
from analysis.trends.metrics import BY_NAME
from tests.unit.watchdog_site.catalogues import compiled, in_code, in_templates, written

LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]
SHOWN = ("actions", "not_checked", "worker_time", "total_time")
pytestmark = pytest.mark.parametrize("language", LANGUAGES)


def missing(found: list[tuple[Path, str]], language: str) -> list[str]:
    known = compiled(language)
    return [f"{path}: {text}" for path, text in found if text.strip() and not known.get(text)]


def test_every_string_of_the_templates_is_translated(language: str) -> None:
    found = list(in_templates())
    assert len(found) > 300
    assert missing(found, language) == []


def test_every_string_of_the_code_is_translated(language: str) -> None:
    found = list(in_code())
    assert len(found) > 300
    assert missing(found, language) == []


def test_the_catalogue_is_compiled_as_it_is_written(language: str) -> None:
    assert written(language) == compiled(language)
    assert all(written(language).values())


def test_what_is_looked_up_by_name_is_translated(language: str) -> None:
    known = compiled(language)
    reasons = [reason.replace("_", " ").capitalize() for reason in RejectionReason]
    assert [text for text in reasons if text not in known] == []
    assert [name for name in SHOWN if BY_NAME[name].meaning not in known] == []
