"""Every language has every string of the pages, compiled as it is written."""

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib import admin

from accounts.apps import own_apps
from analysis.engine.safety.model import RejectionReason
from analysis.trends.metrics import BY_NAME
from audit.models import Event, event_words
from desk.verdict_page.engine_texts import WORDS
from tests.unit.watchdog_site.catalogues import (
    PACKAGES,
    TRANSLATE,
    compiled,
    in_code,
    in_templates,
    written,
)

LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]
SAME = ("id", "salt")
"""Fields whose name is written alike in every language."""
SHOWN = ("actions", "not_checked", "worker_time", "total_time")
pytestmark = pytest.mark.parametrize("language", LANGUAGES)


def missing(strings: list[tuple[Path, str]], language: str) -> list[str]:
    translations = compiled(language)
    return [
        f"{path}: {text}" for path, text in strings if text.strip() and not translations.get(text)
    ]


def test_every_string_of_the_templates_is_translated(language) -> None:
    strings = list(in_templates())
    assert len(strings) > 300
    assert missing(strings, language) == [], TRANSLATE


def test_every_package_that_is_read_exists(language) -> None:
    assert [name for name in PACKAGES if not (settings.BASE_DIR / name).is_dir()] == []


def test_every_string_of_the_code_is_translated(language) -> None:
    strings = list(in_code())
    assert len(strings) > 300
    assert missing(strings, language) == [], TRANSLATE


def test_the_catalogue_is_compiled_as_it_is_written(language) -> None:
    assert written(language) == compiled(language), TRANSLATE
    assert all(written(language).values())


def test_names_of_models_fields_and_events_are_translated(language) -> None:
    translations = compiled(language)
    events = [event_words(label) for label in Event.labels]
    names = [name for name in [*_shown_names(), *events] if name not in translations]
    assert names == [], TRANSLATE


def _shown_names() -> set[str]:
    """Return names that Django takes from the code, of all that the admin shows."""
    own = [config.label for config in own_apps()]
    shown = [model for model in admin.site._registry if model._meta.app_label in own]
    assert len(shown) > 10
    options = [model._meta for model in shown]
    fields = {field for of in options for field in (*of.local_fields, *of.local_many_to_many)}
    apps = {str(of.app_config.verbose_name) for of in options}
    models = {str(name) for of in options for name in (of.verbose_name, of.verbose_name_plural)}
    return apps | models | {str(field.verbose_name) for field in fields if field.name not in SAME}


def test_what_is_looked_up_by_name_is_translated(language) -> None:
    translations = compiled(language)
    labels = WORDS["rejection"]
    assert labels.keys() == set(RejectionReason)
    assert [text for text in labels.values() if text not in translations] == [], TRANSLATE
    meanings = [BY_NAME[name].meaning for name in SHOWN]
    assert [meaning for meaning in meanings if meaning not in translations] == [], TRANSLATE
