"""No text of a page is English alone because nobody marked it."""

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Model
from django.utils.translation import gettext, override

from accounts.models import Application, Membership
from analysis.models import LegalHold, Policy, Review
from memory.models import MemoryEntry
from notifications.models import Subscription
from tests.unit.watchdog_site.catalogues import TRANSLATE, compiled
from tests.unit.watchdog_site.unmarked import (
    attributes_in_code,
    names_of_columns,
    shown_models,
    texts_of,
    words_of_template,
)

LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]
TEMPLATES = settings.BASE_DIR / "templates"
ALIKE = {
    "WATCHDOG", "· WATCHDOG", "CSV", "JSON", "PDF", "SHA-256", "ms", "manage.py evaluate",
    "Ctrl", "Enter", "Esc",
}  # fmt: skip
"""Names of the product, of formats, units, commands and keys: alike in every language."""
_DESK = Application(name="Desk")
NAMED: dict[type[Model], dict[str, object]] = {
    Membership: {"user": User(username="ada"), "application": _DESK},
    Policy: {"application": _DESK, "version": 1},
}
"""What the name of a row reads from other rows."""
FRAGMENTS = {"analysis/verdict/hx.html"}
"""Templates that hold attributes alone, for another one to include in a tag."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_models_tell_people_is_translated(language: str) -> None:
    catalogue = compiled(language)
    texts = {text for model in shown_models() for text in texts_of(model) if text}
    assert len(texts) > 50
    with override(language):
        of_django = {text for text in texts if text not in catalogue and gettext(text) != text}
    assert sorted(texts - catalogue.keys() - of_django - ALIKE) == [], TRANSLATE


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_of_models_follow_the_reader(language: str) -> None:
    """Marked as well as translated: a plain string would stay English."""
    english = {text for model in shown_models() for text in texts_of(model) if text}
    with override(language):
        shown = {text for model in shown_models() for text in texts_of(model) if text}
    assert sorted(english & shown - ALIKE) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_of_the_admin_follow_the_reader(language: str) -> None:
    english = set(names_of_columns())
    assert len(english) > 20
    with override(language):
        shown = set(names_of_columns())
    assert sorted(english & shown - ALIKE) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "model", [Membership, MemoryEntry, Subscription, Review, LegalHold, Policy]
)
def test_names_of_rows_follow_the_reader(model: type[Model], language: str) -> None:
    row = model(**NAMED.get(model, {}))
    english = str(row)
    with override(language):
        assert str(row) != english


def test_every_word_of_a_template_is_marked() -> None:
    paths = [p for p in sorted(TEMPLATES.rglob("*.html")) if _name(p) not in FRAGMENTS]
    assert len(paths) > 50
    found = {_name(path): set(words_of_template(path)) - ALIKE for path in paths}
    assert {name: words for name, words in found.items() if words} == {}


def test_every_word_in_an_attribute_is_marked() -> None:
    assert [f"{path}: {text}" for path, text in attributes_in_code()] == []


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("<p>Left {{ out }}</p>", ["Left"]),
        ('<p title="Left out">{% translate "Kept" %}</p>', ["Left out"]),
        ("{% if a > b %}<b>Lost</b>{% endif %}{# Said #}<script>let it</script>", ["Lost"]),
        ("{% blocktranslate %}Kept {{ n }}{% plural %}Kept{% endblocktranslate %}", []),
    ],
)
def test_words_of_a_template_are_seen(template: str, words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(template)
    assert words_of_template(path) == words


def _name(path: Path) -> str:
    return str(path.relative_to(TEMPLATES))
