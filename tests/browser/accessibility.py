"""axe-core in the browser: what it calls serious or critical is a fault of the page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# An animation that never ends is not waited for.
_SETTLED = """() => Promise.race([
  Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
  new Promise((resolve) => setTimeout(resolve, 1000)),
])"""
GRAVE = frozenset({"serious", "critical"})
_AXE = Axe()
# axe-core would also read the style sheets again, for one experimental rule that is off. It copies
# what a sheet imports into a <style>, and the admin's forms.css imports widgets.css: the
# Content-Security-Policy stops that, and says so in the console of a page that did nothing.
_PRELOAD = {"assets": ["media"]}
_VIOLATIONS = "options => axe.run(options).then((results) => results.violations)"


def grave_violations(page: Page, *rules: str) -> list[str]:
    """Return each serious or critical violation of the page and its place, once nothing moves.

    Of these rules of axe-core only, or of all.
    """
    page.evaluate(_SETTLED)
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": _PRELOAD}
    if rules:
        options["runOnly"] = list(rules)
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.axe_script)
    return [
        f"{item['id']} ({item['impact']}): {item['help']}: {node['target']} {node['html'][:200]}"
        for item in page.evaluate(_VIOLATIONS, options)
        if item["impact"] in GRAVE
        for node in item["nodes"]
    ]


def assert_accessible(page: Page) -> None:
    """Fail with the list of what axe-core finds: all rules in light, the contrasts in dark."""
    for scheme, rules in (("light", ()), ("dark", ("color-contrast", "link-in-text-block"))):
        page.emulate_media(color_scheme=scheme)
        text = "\n".join(grave_violations(page, *rules))
        assert not text, f"{page.url} ({scheme}):\n{text}"
    page.emulate_media(color_scheme="light")
