"""Pages in the midst of work, each judged by axe-core in light and dark."""

from tests.browser.accessibility import grave_violations


def test_what_axe_finds_is_told(page) -> None:
    page.goto("/login")
    page.evaluate("document.documentElement.removeAttribute('lang')")
    page.evaluate("document.querySelectorAll('label').forEach(found => found.remove())")
    violations = grave_violations(page)
    assert {line.split()[0] for line in violations} >= {"html-has-lang", "label"}
