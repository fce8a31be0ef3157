"""Decision records: their content, who may take them, and that no changed byte goes unseen."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.urls import reverse
from pypdf import PdfReader

from accounts.models import Role
from analysis.models import Check, Review, ReviewDecision
from analysis.records import document, envelope
from analysis.services.checking import run_check
from analysis.services.records import Format
from analysis.services.records import export_record as export_for
from audit.models import Event, TrailEntry
from audit.seals import seal_trail
from desk.reviews.services.reviews import decide_review
from tests.commands import run
from tests.integration.people import person, unlocked
from tests.shapes import problem

pytestmark = pytest.mark.usefixtures("empty_redis")
QUESTION = "Когда построили мост? 橋はいつ？ 😀"
ANSWER = "The bridge was built in 1850.\nIt is of <stone> & steel.\u202e"
SOURCES = ["The bridge was built in 1840. It is of stone."]


@pytest.fixture
def check(application, checked, superuser) -> Check:
    """Make a decided, reviewed and sealed check."""
    check = checked(ANSWER, query=QUESTION, sources=SOURCES, metadata={"ratio": 1e22})
    review = Review.objects.get(check_record=check)
    decide_review(review=review, decision=ReviewDecision.CONFIRMED, by=superuser, note="seen")
    seal_trail()
    return Check.objects.get(pk=check.pk)


def export_record(*, check: Check, as_: Format, by: str) -> bytes:
    return export_for(check=check, as_=as_, by=by, reviews=Review.objects.all())


def record_of(check: Check) -> dict[str, Any]:
    return json.loads(export_record(check=check, as_="json", by="test"))


def verify(data: bytes, folder: Path, *options: str) -> str:
    path = folder / "record"
    path.write_bytes(data)
    return run("verify_record", path, *options)


def refused(data: bytes, folder: Path, *options: str) -> str:
    with pytest.raises(CommandError) as error:
        verify(data, folder, *options)
    return str(error.value)


def test_a_record_holds_everything_a_decision_rests_on(check) -> None:
    record = record_of(check)
    assert record["input"]["query"] == QUESTION
    assert record["input"]["answer"] == ANSWER
    assert record["result"]["action"] == "BLOCK"
    assert record["result"]["engine_version"]
    assert record["result"]["measurement"]["states"]["grounding"]["model"]
    assert [reason["code"] for reason in record["result"]["decision"]["reasons"]]
    assert record["policy"]["rules"]["warn_at"] == 35
    assert [(r["decision"], r["decided_by"]) for r in record["reviews"]] == [("confirmed", "root")]
    assert record["sha256"]["answer"] == document.text_hash(ANSWER)
    assert record["sha256"]["evidence"].keys() == {"source_1#0", "source_1#1"}
    events = {item["entry"]["event"] for item in record["trail"]}
    assert events == {
        "check.submitted", "check.decided", "review.decided", "policy.created", "policy.activated",
    }  # fmt: skip
    assert all(item["seal"]["number"] == 1 for item in record["trail"])
    sealed = {i["entry"]["event"]: i["seal"]["content_sha256"] for i in record["trail"]}
    assert sealed["check.decided"] == record["sha256"]["parts"]["result"]
    assert sealed["check.submitted"] == record["sha256"]["parts"]["input"]
    assert sealed["policy.created"] == record["sha256"]["parts"]["policy"]


def test_what_a_blind_second_review_hides_is_withheld_and_counted(check) -> None:
    data = export_for(check=check, as_="json", by="test", reviews=Review.objects.none())
    record = json.loads(data)
    assert record["reviews"] == []
    assert record["check"]["reviews_withheld"] == 1
    assert "review.decided" not in {item["entry"]["event"] for item in record["trail"]}
    data = export_for(check=check, as_="pdf", by="test", reviews=Review.objects.none())
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(data)).pages)
    assert "1 more are withheld" in text


@pytest.mark.parametrize("as_", ["json", "pdf"])
def test_an_untouched_record_holds(check, tmp_path, as_) -> None:
    output = verify(export_record(check=check, as_=as_, by="test"), tmp_path)
    assert "FAIL" not in output
    for what in ("signature", "stored input", "stored result", "stored policy", "decided again"):
        assert f"ok   {what}" in output
    assert "Not compared" not in output


def test_a_check_that_waits_has_a_record_too(make_check, tmp_path) -> None:
    queued = make_check("Not yet checked.")
    for as_ in ("json", "pdf"):
        data = export_record(check=queued, as_=as_, by="test")
        assert "FAIL" not in verify(data, tmp_path)
    before = export_record(check=queued, as_="json", by="test")
    assert run_check(queued.pk)
    assert "ok   stored result (decided since)" in verify(before, tmp_path)


PATHS = [
    ("application", "name"), ("check", "state"), ("input", "query"), ("input", "answer"),
    ("input", "sources", 0), ("result", "action"), ("result", "engine_version"),
    ("result", "claims", 0, "text"), ("result", "measurement", "evidence", 0, "text"),
    ("result", "measurement", "states", "grounding", "model"),
    ("result", "decision", "reasons", 0, "text"), ("policy", "note"), ("reviews", 0, "note"),
    ("reviews", 0, "decided_by"), ("trail", 0, "entry", "actor"), ("trail", 0, "seal", "hash"),
    ("made_at",), ("sha256", "answer"), ("sha256", "evidence", "source_1#0"),
    ("sha256", "parts", "result"), ("public_key",), ("signature",), ("format",),
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS, ids=lambda path: ".".join(map(str, path)))
def test_a_changed_character_of_each_part_is_found(check, tmp_path, path) -> None:
    record = record_of(check)
    parent: Any = record
    for step in path[:-1]:
        parent = parent[step]
    text = parent[path[-1]]
    parent[path[-1]] = ("B" if text[0] == "A" else "A") + text[1:]
    output = refused(document.to_bytes(record), tmp_path)
    if path == ("format",):
        assert "is not a decision record" in output
    else:
        assert "signature" in output
    if path[0] in document.PARTS:
        assert f"is not valid: {path[0]}" in output


def test_who_changes_a_part_with_its_digests_lacks_the_key(check, tmp_path) -> None:
    record = record_of(check)
    record["input"]["answer"] = "Forged."
    parts = {name: record[name] for name in document.PARTS}
    forged = document.make(parts, record["made_at"])
    output = refused(document.to_bytes({**forged, "signature": record["signature"]}), tmp_path)
    assert output.endswith("is not valid: agreement, signature.")


def test_a_record_signed_with_another_key_is_refused(check, tmp_path, settings) -> None:
    data = export_record(check=check, as_="json", by="test")
    key = json.loads(data)["public_key"]
    settings.SECRET_KEY = "another"
    assert "is not valid: signature" in refused(data, tmp_path)
    assert "FAIL" not in verify(data, tmp_path, "--public-key", key)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'\n "check": {', b'\n  "check": {'),
        (b'"answer": "The', b'"answer": "Forged.", "answer": "The'),
        (b"\n}\n", b"\n}\n\n"),
    ],
)
def test_another_spelling_of_the_same_document_is_found(check, tmp_path, before, after) -> None:
    data = export_record(check=check, as_="json", by="test")
    assert before in data
    assert "is not valid: spelling." in refused(data.replace(before, after, 1), tmp_path)


def test_every_changed_byte_of_a_pdf_is_found(check, tmp_path) -> None:
    data = export_record(check=check, as_="pdf", by="test")
    keys = [json.loads(envelope.unwrap(data))["public_key"]]
    assert envelope.is_signed(data, keys)
    for at in {*range(0, len(data), 97), *range(len(data) - 120, len(data))}:
        damaged = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        assert not envelope.is_signed(damaged, keys), at
    assert not envelope.is_signed(data + b"%", keys)
    assert "PDF" in refused(data[:-4] + b"AAAA", tmp_path)


def test_the_pdf_prints_every_script_and_names_what_no_font_has(check) -> None:
    pages = PdfReader(BytesIO(export_record(check=check, as_="pdf", by="test"))).pages
    text = "\n".join(page.extract_text() for page in pages)
    assert "Когда построили мост?" in text
    assert "橋はいつ" in text
    assert "⟨U+1F600⟩" in text
    assert "It is of <stone> & steel.⟨U+202E⟩" in text
    assert "BLOCK" in text
    assert document.text_hash(ANSWER) in text


def test_the_first_page_defends_the_decision_and_the_second_shows_its_evidence(check) -> None:
    pages = PdfReader(BytesIO(export_record(check=check, as_="pdf", by="test"))).pages
    first, second, third = (" ".join(page.extract_text().split()) for page in pages[:3])
    for words in (
        "Когда построили мост?", "The bridge was built in 1850.", "What the user was shown",
        "BLOCK,", "UTC: ", "Policy version 1, made by", "Activated by", "Confirmed by root,",
        "(first review): seen.", "entries of the audit trail about this decision are sealed",
        f"page 1 of {len(pages)}",
    ):  # fmt: skip
        assert words in first
    for code in ("c_0001", "_claim", "SHA-256", "T0"):
        assert code not in first
    assert "Contradicted" in second
    assert "The bridge was built in 1840." in second
    assert "Technical annex" in third


@pytest.mark.parametrize("junk", [b"", b"{}", b"[1]", b"\xff", b"%PDF-1.4 no", b"[" * 100_000])
def test_what_is_no_record_is_told(db, tmp_path, junk) -> None:
    assert "record: " in refused(junk, tmp_path)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("analysis_check SET answer = 'else' WHERE id = %s", "stored input"),
        ("analysis_check SET action = 'WARN' WHERE id = %s", "stored result"),
        ("analysis_claim SET text = 'else' WHERE annotated_answer_id = %s", "stored result"),
        ("analysis_policy SET rules = rules || '{\"warn_at\": 1}' WHERE id = (SELECT policy_id"
         " FROM analysis_annotatedanswer WHERE check_record_id = %s)", "stored policy"),
        ("analysis_review SET note = 'else' WHERE check_record_id = %s", "stored review"),
        ("audit_trailentry SET actor = 'else' WHERE subject_id = %s::text", "trail entry"),
    ],
)  # fmt: skip
def test_what_was_changed_in_the_database_since_is_found(check, tmp_path, change, what) -> None:
    data = export_record(check=check, as_="json", by="test")
    unlocked(f"UPDATE {change}", check.pk)
    assert f"is not valid: {what}" in refused(data, tmp_path)
    assert "nothing was compared with a database" in verify(data, tmp_path, "--offline")


@pytest.mark.parametrize(
    "change",
    [
        "analysis_check SET action = 'ALLOW' WHERE id = %s",
        "analysis_check SET answer = 'else' WHERE id = %s",
        "analysis_annotatedanswer SET milliseconds = 0 WHERE check_record_id = %s",
    ],
)
def test_what_was_changed_is_never_signed(check, api, desk, change) -> None:
    unlocked(f"UPDATE {change}", check.pk)
    response = api.get(f"/api/v1/checks/{check.pk}/record")
    assert problem(response) == (409, "record_altered")
    address = reverse("admin:analysis_check_record", args=[check.pk, "json"])
    assert desk.get(address).status_code == 409
    assert not TrailEntry.objects.filter(event=Event.RECORD_EXPORTED).exists()


def test_the_api_gives_both_forms_and_tells_the_trail(check, api) -> None:
    address = f"/api/v1/checks/{check.pk}/record"
    requests = [
        ({}, {}, "application/json"),
        ({"format": "pdf"}, {}, "application/pdf"),
        ({"format": "json"}, {}, "application/json"),
        ({}, {"HTTP_ACCEPT": "application/pdf"}, "application/pdf"),
    ]
    for query, headers, media_type in requests:
        response = api.get(address, query, **headers)
        assert (response.status_code, response["Content-Type"]) == (200, media_type)
        assert response["Content-Disposition"].startswith('attachment; filename="decision-')
    trail_entries = TrailEntry.objects.filter(event=Event.RECORD_EXPORTED, subject_id=str(check.pk))
    assert [entry.data["format"] for entry in trail_entries.order_by("id")] == [
        "json", "pdf", "json", "pdf",
    ]  # fmt: skip
    assert all(entry.actor.startswith("api_key:") for entry in trail_entries)


def test_the_desk_gives_records_to_members_only(check, other_application, client) -> None:
    address = reverse("admin:analysis_check_record", args=[check.pk, "pdf"])
    people = {}
    for name, application in (("auditor", check.application), ("stranger", other_application)):
        people[name] = person(name, Role.AUDITOR, application)
    client.force_login(people["stranger"])
    assert client.get(address).status_code == 404
    client.force_login(people["auditor"])
    page = client.get(reverse("admin:analysis_check_change", args=[check.pk])).content.decode()
    assert address in page
    assert client.get(address).content.startswith(b"%PDF-")
    assert client.get(address.replace(".pdf", ".exe")).status_code == 404
    assert client.post(address).status_code == 404
    trail_entry = TrailEntry.objects.get(event=Event.RECORD_EXPORTED)
    assert (trail_entry.actor, trail_entry.data["format"]) == ("auditor", "pdf")
