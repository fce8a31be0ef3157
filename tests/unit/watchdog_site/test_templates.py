"""Every template compiles: its tags, filters and the libraries that it loads exist."""

import pytest
from django.conf import settings
from django.template.loader import get_template

TEMPLATES = settings.BASE_DIR / "templates"
NAMES = sorted(str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html"))


@pytest.mark.parametrize("name", NAMES)
def test_a_template_compiles(name: str) -> None:
    assert get_template(name).template.name == name
