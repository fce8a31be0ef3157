"""Collections and their files: made, filled by dropping files, and read while one looks on."""

import pytest
from playwright.sync_api import expect

from accounts.models import Role
from audit.models import Event, TrailEntry
from documents.models import Collection, Document
from tests.browser.accessibility import assert_accessible
from tests.browser.test_workbench import log_in, member

READ_MS = 120_000
DROP = """([names, texts]) => {
  const files = new DataTransfer();
  names.forEach((name, at) => files.items.add(new File([texts[at]], name, {type: "text/plain"})));
  const drop = document.getElementById("drop");
  for (const kind of ["dragenter", "dragover", "drop"]) {
    drop.dispatchEvent(new DragEvent(kind, {dataTransfer: files, bubbles: true, cancelable: true}));
  }
}"""


@pytest.mark.timeout(420)
def test_a_lead_makes_a_collection_and_drops_files_into_it(page, token, tmp_path) -> None:
    member("lea", Role.LEAD)
    log_in(page, "lea")
    page.get_by_role("link", name="Settings", exact=True).click()
    page.get_by_role("link", name="Collections", exact=True).click()
    page.get_by_text("New collection").click()
    assert_accessible(page)
    page.get_by_label("Name", exact=True).fill("handbook")
    page.get_by_role("textbox", name="Title").fill("Site handbook")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="Site handbook")).to_be_visible()
    assert_accessible(page)

    page.evaluate(
        DROP,
        [["wind.txt", "empty.txt"], ["The crane stops at a wind speed of 72 km/h.", "\0\1\2" * 50]],
    )
    sent = page.get_by_role("status").get_by_role("listitem")
    expect(sent).to_have_count(2)
    expect(sent.nth(0)).to_contain_text("wind.txt Uploaded; it is being indexed.")
    rows = page.locator("#result_list tbody tr")
    expect(rows).to_have_count(2)
    good = rows.filter(has_text="wind.txt")
    # Nobody loads the page again: the cells change where they stand.
    page.evaluate("window.isSame = true")
    expect(good.locator(".field-progress")).to_have_text("indexed", timeout=READ_MS)
    expect(good.locator(".field-passages")).to_have_text("1", timeout=READ_MS)
    expect(rows.filter(has_text="empty.txt")).to_contain_text("failed: ", timeout=READ_MS)
    assert page.evaluate("window.isSame") is True
    assert_accessible(page)

    ladders = tmp_path / "ladders.md"
    ladders.write_text("# Ladders\n\nA ladder extends 3 feet above the landing.\n")
    page.get_by_text("Metadata of these files").click()
    page.get_by_label("As JSON").fill("{not JSON")
    page.locator("#id_file").set_input_files(ladders)
    expect(sent.nth(2)).to_contain_text("valid JSON")
    page.get_by_label("As JSON").fill('{"branch": "north"}')
    page.locator("#id_file").set_input_files(ladders)
    expect(rows).to_have_count(3)
    assert Document.objects.get(name="ladders.md").metadata == {"branch": "north"}

    rows.filter(has_text="empty.txt").get_by_role("checkbox").check()
    page.get_by_role("button", name="Delete selected documents").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".messagelist .success")).to_be_visible()
    page.get_by_text("About this collection").click()
    page.get_by_label("Subject").fill("cranes")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Collections", exact=True).click()
    expect(page.locator("#result_list tbody tr")).to_contain_text("Site handbook, cranes")
    assert Collection.objects.get().documents.count() == 2
    events = TrailEntry.objects.filter(actor="lea").values_list("event", flat=True)
    assert {Event.COLLECTION_CREATED, Event.DOCUMENT_DELETED, Event.COLLECTION_CHANGED} <= {*events}


def test_on_a_phone_and_to_an_auditor(page, token) -> None:
    member("ada", Role.AUDITOR)
    page.set_viewport_size({"width": 390, "height": 844})
    log_in(page, "ada")
    page.goto("/admin/documents/collection/")
    expect(page.get_by_text("There is nothing here yet.")).to_be_visible()
    expect(page.get_by_text("New collection")).to_have_count(0)
    member("lea", Role.LEAD)
    log_in(page, "lea")
    page.goto("/admin/documents/collection/")
    page.get_by_text("New collection").click()
    create = page.get_by_role("button", name="Create")
    expect(create).to_be_in_viewport()
    create.click(trial=True)  # nothing lies over it, and it is not cut off
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
