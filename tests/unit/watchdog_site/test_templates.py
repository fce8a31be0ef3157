"""Templates compile, and titles that the admin fills can be read."""

import re
from pathlib import Path

import django.contrib.admin
import pytest
from django.conf import settings
from django.template.loader import get_template

TEMPLATES = settings.BASE_DIR / "templates"
NAMES = sorted(str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html"))


@pytest.mark.parametrize("name", NAMES)
def test_a_template_compiles(name) -> None:
    assert get_template(name).template.name == name


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("admin/")])
def test_home_leads_to_the_home_page(name) -> None:
    """Django's first page lists all records, which the settings offer to superusers alone."""
    assert "admin:index" not in (TEMPLATES / name).read_text()


THEIRS = Path(django.contrib.admin.__file__).parent / "static" / "admin" / "css"
OURS = settings.BASE_DIR / "static" / "watchdog" / "frame.css"
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_FILLED = re.compile(r"background(?:-color)?: *var\(--(?:primary|secondary)\)")


def test_every_filled_title_has_a_colour_of_ours() -> None:
    rules = [rule for path in THEIRS.glob("*.css") for rule in _RULE.findall(path.read_text())]
    filled = {
        selector.strip().split()[-1]
        for selector, body in rules
        if _FILLED.search(body) and "var(--header-link-color)" in body
    }
    mended = " ".join(
        selector for selector, body in _RULE.findall(OURS.read_text()) if "--button-fg" in body
    )
    assert filled
    assert {name for name in filled if name not in mended} == set()
