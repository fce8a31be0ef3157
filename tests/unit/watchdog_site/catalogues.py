"""Catalogues and the strings that pages mark, read without the tools of gettext."""

import ast
import re
from collections.abc import Iterator
from gettext import GNUTranslations
from pathlib import Path

from django.conf import settings
from django.utils.translation.template import templatize

PACKAGES = (
    "accounts", "analysis", "api", "assistant", "audit", "desk", "documents", "memory",
    "notifications", "operations", "watchdog_site",
)  # fmt: skip
TRANSLATE = "Append to django.po and compile it: CONTRIBUTING.md, Add a string"
_CALLS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext"}
_IN_TEMPLATE = re.compile(r"""\bn?gettext\((u?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))""")


def compiled(language: str) -> dict[str, str]:
    """Return the compiled catalogue: English (the singular, if there are two) to the language."""
    path = settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / "django.mo"
    with path.open("rb") as file:
        catalogue = GNUTranslations(file)
    texts: dict[str | tuple[str, int], str] = catalogue._catalog
    firsts = ((key if isinstance(key, tuple) else (key, 0), text) for key, text in texts.items())
    return {english: text for (english, number), text in firsts if english and number == 0}


def written(language: str) -> dict[str, str]:
    """Return the catalogue as people write it: each `msgid` with its first `msgstr`."""
    path = settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / "django.po"
    text = path.read_text()
    assert "\n#~ " not in text, "makemessages commented strings out: CONTRIBUTING.md, Add a string"
    entries = text.split("\n\n")[1:]
    return dict(_entry(entry) for entry in entries if "msgid" in entry)


def in_templates() -> Iterator[tuple[Path, str]]:
    """Yield every marked string of the templates."""
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.html")):
        for literal in _IN_TEMPLATE.findall(templatize(path.read_text())):
            yield path, ast.literal_eval(literal)


def in_code() -> Iterator[tuple[Path, str]]:
    """Yield every marked string of the code."""
    for package in PACKAGES:
        for path in sorted((settings.BASE_DIR / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and _marks(node.func) and node.args:
                    first = node.args[0]
                    if isinstance(first, ast.Constant) and isinstance(first.value, str):
                        yield path, first.value


def _marks(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id in _CALLS


def _entry(entry: str) -> tuple[str, str]:
    fields: dict[str, str] = {}
    for line in entry.splitlines():
        name, _, text = line.partition(" ")
        if name in ("msgid", "msgstr", "msgstr[0]"):
            fields[name] = ast.literal_eval(text)
    return fields["msgid"], fields.get("msgstr") or fields["msgstr[0]"]
