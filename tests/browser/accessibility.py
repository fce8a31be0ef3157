"""axe-core in the browser: what it calls serious or critical is a fault of the page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = frozenset({"serious", "critical"})
_AXE = Axe()


def grave_violations(page: Page) -> list[str]:
    """Each serious or critical violation of the page as it stands, with where it is found."""
    found = _AXE.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: {node['target']} {node['html'][:200]}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


def assert_accessible(page: Page, *, schemes: tuple[str, ...] = ("light", "dark")) -> None:
    """Fail with the list of what axe-core finds, in each colour scheme."""
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = "\n".join(grave_violations(page))
        assert not found, f"{page.url} ({scheme}):\n{found}"
    page.emulate_media(color_scheme="light")
