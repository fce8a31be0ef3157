"""Texts that pages show although nothing marks them: of models, and words in templates."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from django.conf import settings
from django.contrib import admin
from django.db.models import Field, Model
from django.template.base import Lexer, Token, TokenType

from accounts.model_names import own_apps
from tests.unit.watchdog_site.catalogues import PACKAGES

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
