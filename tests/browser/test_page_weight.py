"""The cost of the main pages to a browser with an empty cache: bytes, layout shift, paint.

Bytes and shift are held; the time is only told (`-s`), since it is the machine's.
"""

import pytest

from analysis.services.trends import count_waiting
from tests.browser.test_review_desk import submit_blocked
from tools.evaluation.bench.paint import HEADINGS, measure
from tools.evaluation.rendering import markdown_head, markdown_row

MOST_BYTES = 400_000
"""Uncompressed, as the test's server sends them; WhiteNoise compresses them in production. 48,000
are the font, which is fetched once."""
MOST_SHIFT = 0.01
"""A tenth of what Chromium calls good: nothing that one reads may move."""


@pytest.mark.timeout(300)
def test_the_main_pages_are_light_and_do_not_shift(chromium, logged_in, submit) -> None:
    check = submit_blocked(submit)
    count_waiting(wait=True)
    logged_in.goto("/admin/analysis/review/workbench/")
    logged_in.locator("#decide").wait_for()
    item = logged_in.url.split("/admin")[1]
    pages = {
        "Home": "/",
        "Check": f"/admin/analysis/check/{check}/change/",
        "Workbench": f"/admin{item}",
        "Insights": "/admin/dashboard/",
        "Reviews": "/admin/analysis/review/",
        "Checks": "/admin/analysis/check/",
    }
    site, state = logged_in.url.split("/admin")[0], logged_in.context.storage_state()
    weights = [measure(chromium, name, site + path, state) for name, path in pages.items()]
    rows = (markdown_row(weight.cells) for weight in weights)
    print("", markdown_head(HEADINGS), *rows, sep="\n")
    assert [weight.name for weight in weights if not 0 < weight.bytes < MOST_BYTES] == []
    assert [weight.name for weight in weights if weight.shift > MOST_SHIFT] == []
