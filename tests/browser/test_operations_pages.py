"""Probes and evidence packs as a lead sees them: with content, light, dark and on a phone."""

from uuid import UUID

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import Application, Role
from analysis.models import ProbeResult
from analysis.services.probing import record_results
from audit.models import Event, TrailEntry
from tests.browser.test_gallery import faults
from tests.browser.test_workbench import log_in, member

pytestmark = pytest.mark.timeout(420)  # each page is looked over three times


@pytest.fixture
def lea(page, token) -> Page:
    """A lead of the application, logged in through the form."""
    member("lea", Role.LEAD)
    log_in(page, "lea")
    return page


def probe_results() -> list[ProbeResult]:
    """Two probes by three ways, of which one was missed, and one put to a judge."""
    application = Application.objects.get(slug="help-desk")
    results = [
        ProbeResult(
            application=application, probe=probe, way=way, verdict="flagged", action="BLOCK",
            outcome="missed" if (probe, way) == ("negation", "stream") else "passed",
            detail="It was blocked, and the answer was passed on nevertheless.", milliseconds=9,
        )
        for probe in ("negation", "wrong-figure")
        for way in ("api", "proxy", "stream")
    ]  # fmt: skip
    judge = ProbeResult(
        probe="negation", way="judge", judge="watchdog-judge-small-1.3", verdict="flagged",
        action="BLOCK", outcome="passed", milliseconds=9,
    )  # fmt: skip
    return [*results, judge]


def test_probes(lea) -> None:
    record_results(UUID(int=1), probe_results())
    assert faults(lea, "probes", "/admin/probes/") == []
    expect(lea.get_by_role("cell", name="missed: a bad answer got through")).to_have_count(2)
    lea.get_by_role("link", name="Your own probes").click()
    assert faults(lea, "probe-form", "/admin/analysis/probe/add/") == []
    expect(lea.get_by_label("Sources")).to_be_visible()


def test_an_evidence_pack(lea) -> None:
    record_results(UUID(int=1), probe_results())
    lea.goto("/admin/evidence/")
    today = f"{timezone.now():%Y-%m-%d}"
    for label in ("First day (UTC)", "Last day (UTC)"):
        lea.get_by_label(label).fill(today)
    lea.get_by_role("button", name="Show").click()
    expect(lea.get_by_role("heading", name="Who reviewed what")).to_be_visible()
    assert faults(lea, "evidence", lea.url) == []
    with lea.expect_download() as download:
        lea.get_by_role("link", name="Download as PDF").click()
    assert download.value.suggested_filename == f"evidence-help-desk-{today}-{today}.pdf"
    assert TrailEntry.objects.get(event=Event.EVIDENCE_EXPORTED).actor == "lea"
