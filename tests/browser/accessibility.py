"""axe-core in the browser: what it calls serious or critical is a fault of the page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = frozenset({"serious", "critical"})
_AXE = Axe()
# axe-core would also read the style sheets again, for one experimental rule that is off. It copies
# what a sheet imports into a <style>, and the admin's forms.css imports widgets.css: the
# Content-Security-Policy stops that, and says so in the console of a page that did nothing.
_PRELOAD = {"assets": ["media"]}


def grave_violations(page: Page, *rules: str) -> list[str]:
    """Each serious or critical violation of the page, once nothing moves, with where it is.

    Of these rules of axe-core only, or of all.
    """
    page.evaluate("Promise.all(document.getAnimations().map(found => found.finished))")
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": _PRELOAD}
    if rules:
        options["runOnly"] = list(rules)
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: {node['target']} {node['html'][:200]}"
        for one in _AXE.run(page, options=options).response["violations"]
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


def assert_accessible(page: Page) -> None:
    """Fail with the list of what axe-core finds: all in light, and the contrasts in dark."""
    for scheme, rules in (("light", ()), ("dark", ("color-contrast", "link-in-text-block"))):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = "\n".join(grave_violations(page, *rules))
        assert not found, f"{page.url} ({scheme}):\n{found}"
    page.emulate_media(color_scheme="light")
