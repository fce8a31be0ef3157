"""No text of a page is English alone because nobody marked it, or because it was made at import."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Field, Model
from django.template.base import Lexer, Token, TokenType
from django.utils.translation import gettext, override

from accounts.apps import own_apps
from accounts.models import Application, Membership
from analysis.models import LegalHold, Policy, Review
from memory.models import MemoryEntry
from notifications.models import Subscription
from tests.unit.watchdog_site.catalogues import PACKAGES, TRANSLATE, compiled

TRANSLATED_LATER = ("event",)
"""Fields whose choices are put into words where they are shown: `audit.models.event_words`."""
_WORD = re.compile(r"[^\W\d_]{2}")
_READ_ALOUD = ("alt", "aria-label", "placeholder", "title")
_UNSHOWN_BLOCKS = ("bodyclass", "referrer")
"""Blocks that fill an attribute."""
_ATTRIBUTE_IN_CODE = re.compile(rf'\b(?:{"|".join(_READ_ALOUD)})="([^"]*)')
_PLACE = re.compile(r"\{[^}]*\}")


def shown_models() -> list[type[Model]]:
    """Return the product's own models that the admin shows."""
    own = {config.label for config in own_apps()}
    return [model for model in admin.site._registry if model._meta.app_label in own]


def texts_of(model: type[Model]) -> Iterator[str]:
    """Yield help, choices and refusals of a model."""
    for field in (*model._meta.local_fields, *model._meta.local_many_to_many):
        yield from _texts_of_field(field)
    for constraint in model._meta.constraints:
        message = str(constraint.violation_error_message)
        if message != str(constraint.default_violation_error_message):
            yield message


def names_of_columns() -> Iterator[str]:
    """Yield the names of the admin's own columns (`admin.display`)."""
    for model in shown_models():
        for name, member in vars(type(admin.site._registry[model])).items():
            text = str(getattr(member, "short_description", ""))
            if not name.startswith("_") and _WORD.search(text) and "<" not in text:
                yield text


def words_of_template(path: Path) -> list[str]:
    """Return text between the tags of a template that stands in none of Django's."""
    reader = _Reader()
    reader.feed("".join(_bare(Lexer(path.read_text()).tokenize())))
    reader.close()
    return [text for text in reader.texts if _WORD.search(text)]


def attributes_in_code() -> Iterator[tuple[Path, str]]:
    """Yield words that code writes into an attribute that is shown or read aloud."""
    for package in PACKAGES:
        for path in sorted((settings.BASE_DIR / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found = _ATTRIBUTE_IN_CODE.findall(node.value)
                    yield from (
                        (path, text) for text in found if _WORD.search(_PLACE.sub("", text))
                    )


def _texts_of_field(field: "Field[object, object]") -> Iterator[str]:
    yield str(field.help_text)
    if field.name not in TRANSLATED_LATER:
        yield from (str(label) for value, label in field.flatchoices if str(label) != str(value))
    yield from (str(getattr(validator, "message", "")) for validator in field._validators)


def _bare(tokens: list[Token]) -> Iterator[str]:
    """Yield the template without Django's tags, and without what they translate or hide."""
    hidden = ""
    for token in tokens:
        words = token.contents.split() if token.token_type is TokenType.BLOCK else []
        if hidden:
            hidden = "" if words[:1] == [hidden] else hidden
        elif words[:1] in (["blocktranslate"], ["comment"]):
            hidden = f"end{words[0]}"
        elif words[:1] == ["block"] and words[1] in _UNSHOWN_BLOCKS:
            hidden = "endblock"
        else:
            yield token.contents if token.token_type is TokenType.TEXT else " "


class _Reader(HTMLParser):
    """Collects texts, and attributes that are shown or read aloud."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.texts: list[str] = []
        self._raw = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._raw = tag in ("script", "style")
        self.texts += [value.strip() for name, value in attrs if name in _READ_ALOUD and value]

    def handle_endtag(self, tag: str) -> None:
        self._raw = False

    def handle_data(self, data: str) -> None:
        if not self._raw:
            self.texts.append(data.strip())


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
"""Related rows that the name of a row needs."""
FRAGMENTS = {"analysis/verdict/hx.html"}
"""Templates that hold attributes alone, for another one to include in a tag."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_models_tell_people_is_translated(language) -> None:
    catalogue = compiled(language)
    texts = {text for model in shown_models() for text in texts_of(model) if text}
    assert len(texts) > 50
    with override(language):
        of_django = {text for text in texts if text not in catalogue and gettext(text) != text}
    assert sorted(texts - catalogue.keys() - of_django - ALIKE) == [], TRANSLATE


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_of_models_follow_the_reader(language) -> None:
    """Marked as well as translated: a plain string would stay English."""
    english = {text for model in shown_models() for text in texts_of(model) if text}
    with override(language):
        shown = {text for model in shown_models() for text in texts_of(model) if text}
    assert sorted(english & shown - ALIKE) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_of_the_admin_follow_the_reader(language) -> None:
    english = set(names_of_columns())
    assert len(english) > 20
    with override(language):
        shown = set(names_of_columns())
    assert sorted(english & shown - ALIKE) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "model", [Membership, MemoryEntry, Subscription, Review, LegalHold, Policy]
)
def test_names_of_rows_follow_the_reader(model, language) -> None:
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
def test_words_of_a_template_are_seen(template, words, tmp_path) -> None:
    path = tmp_path / "page.html"
    path.write_text(template)
    assert words_of_template(path) == words


def _name(path: Path) -> str:
    return str(path.relative_to(TEMPLATES))


AT_ONCE = {"gettext", "ngettext", "pgettext"}
Code = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def names_of(tree: ast.Module) -> set[str]:
    """Return the module's names for the functions that translate at once."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("utils.translation")
        for alias in node.names
        if alias.name in AT_ONCE
    }


def at_import(node: ast.AST, names: set[str]) -> Iterator[int]:
    """Yield lines that translate outside a function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Code):
            continue
        if isinstance(child, ast.Call) and getattr(child.func, "id", "") in names:
            yield child.lineno
        yield from at_import(child, names)


def found(source: str) -> list[int]:
    tree = ast.parse(source)
    return list(at_import(tree, names_of(tree)))


def test_no_text_is_translated_at_import() -> None:
    files = [path for app in own_apps() for path in Path(app.path).rglob("*.py")]
    assert len(files) > 100
    assert [f"{path}:{line}" for path in files for line in found(path.read_text())] == []


def test_such_a_text_is_found() -> None:
    first = "from django.utils.translation import gettext as _\n"
    assert found(first + "class Form:\n    label = _('To')\n") == [3]
    assert found(first + "def label():\n    return _('To')\n") == []
