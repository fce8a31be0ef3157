"""`manage.py verify_trail` finds what somebody with the database's own rights has changed."""

import json
from functools import partial

import pytest
from django.core.management import CommandError
from django.db import IntegrityError, connection, transaction

from analysis.models import Check
from analysis.services.checking import run_check
from analysis.services.policies import create_policy
from audit.models import Event, TrailEntry, TrailSeal
from audit.seals import seal_trail
from tests.commands import run
from tests.database import sql
from tests.integration.people import unguarded, unlocked

pytestmark = pytest.mark.usefixtures("empty_redis")


@pytest.fixture
def sealed(application, make_check) -> Check:
    """Make a decided check and a policy, sealed in batches of three entries; another is open."""
    create_policy(application_id=application.pk, rules={}, by="test", activate=True)
    check = make_check("The bridge was built in 1840.", query="When?")
    assert run_check(check.pk)
    for number in range(4):
        make_check(f"It has {number} arches.")
    assert seal_trail(at_once=3) == TrailEntry.objects.count() > 8
    return check


@pytest.mark.parametrize("table", ["audit_trailentry", "audit_trailseal"])
def test_the_trail_is_not_emptied_at_one_go(sealed, table) -> None:
    with pytest.raises(IntegrityError, match="TRUNCATE on"), transaction.atomic():
        sql(f"TRUNCATE {table} CASCADE")
    assert TrailEntry.objects.exists()
    assert TrailSeal.objects.exists()


def test_a_trail_that_was_emptied_is_told_by_the_checks_without_one(sealed) -> None:
    with unguarded() as cursor:
        cursor.execute("TRUNCATE audit_trailentry, audit_trailseal CASCADE")
    assert f"check {sealed.pk} is older than every entry" in failure_of()


verify = partial(run, "verify_trail")


def failure_of(*arguments: str) -> str:
    with pytest.raises(CommandError) as error:
        verify(*arguments)
    return str(error.value)


def entry_of(check: Check, event: str) -> TrailEntry:
    return TrailEntry.objects.get(subject_id=str(check.pk), event=event)


def test_an_untouched_trail_is_whole(sealed) -> None:
    assert f"{TrailEntry.objects.count()} sealed entries in 1 chains" in verify()
    assert "sealed entries in 1 chains" in verify("--application", "demo")
    assert TrailSeal.objects.count() > 2


def test_the_database_refuses_to_change_a_seal(sealed) -> None:
    for change in ("UPDATE audit_trailseal SET entries = 2", "DELETE FROM audit_trailseal"):
        with pytest.raises(IntegrityError, match="evidence"), transaction.atomic():
            connection.cursor().execute(change)


@pytest.mark.parametrize(
    "change",
    [
        "actor = 'somebody else'", "event = 'check.failed'", "data = '{\"input_sha256\": \"0\"}'",
        "occurred_at = occurred_at + interval '1 microsecond'", "subject_type = 'batch'",
    ],
)  # fmt: skip
def test_an_altered_entry_is_named(sealed, change) -> None:
    entry = entry_of(sealed, "check.submitted")
    unlocked(f"UPDATE audit_trailentry SET {change} WHERE id = %s", entry.pk)
    report = failure_of()
    assert f"demo: altered: entry {entry.pk} " in report
    assert report.count("\n") == 1


def test_a_removed_entry_is_named(sealed) -> None:
    entry = entry_of(sealed, "check.decided")
    unlocked("DELETE FROM audit_trailentry WHERE id = %s", entry.pk)
    assert f"demo: removed: entry {entry.pk} of seal" in failure_of()


def test_an_inserted_entry_is_named(sealed) -> None:
    gap = TrailEntry.objects.earliest("id").pk - 1
    unlocked(
        "INSERT INTO audit_trailentry (id, application_id, event, subject_type, subject_id, actor,"
        " data) VALUES (%s, %s, 'check.failed', 'check', 'x', 'me', '{}')",
        gap,
        sealed.application_id,
    )
    assert f"demo: inserted: entry {gap} (check.failed)" in failure_of()


def test_an_entry_moved_to_another_application_is_gone_here_and_new_there(
    sealed, other_application
) -> None:
    seal_trail()
    entry = entry_of(sealed, "check.decided")
    unlocked(
        "UPDATE audit_trailentry SET application_id = %s WHERE id = %s",
        other_application.pk,
        entry.pk,
    )
    report = failure_of()
    assert f"demo: removed: entry {entry.pk} " in report
    assert f"other: inserted: entry {entry.pk} " in report


def test_two_entries_that_changed_places_are_named(sealed) -> None:
    first, second = entry_of(sealed, "check.submitted"), entry_of(sealed, "check.decided")
    for pk, put in ((first.pk, -1), (second.pk, first.pk), (-1, second.pk)):
        unlocked("UPDATE audit_trailentry SET id = %s WHERE id = %s", put, pk)
    report = failure_of()
    assert f"altered: entry {first.pk} " in report
    assert f"altered: entry {second.pk} " in report


def test_leaves_in_another_order_break_their_seal(sealed) -> None:
    seal = TrailSeal.objects.get(number=1)
    leaves = bytes(seal.leaves)
    swapped = leaves[72:144] + leaves[:72] + leaves[144:]
    unlocked("UPDATE audit_trailseal SET leaves = %s WHERE id = %s", swapped, seal.pk)
    assert "demo: seal broken: seal 1: its hash is not that of its entries" in failure_of()


def test_an_entry_altered_together_with_its_seal_breaks_the_chain(sealed) -> None:
    """Whoever recomputes a leaf must recompute every hash behind it, and has no key to sign."""
    from audit.sealing import Leaf, digest, entry_document, linked, pack, unpack

    unlocked("UPDATE audit_trailentry SET actor = 'me' WHERE id = %s", first_id())
    seal = TrailSeal.objects.get(number=1)
    leaves = list(unpack(bytes(seal.leaves)))
    forged = Leaf(leaves[0].entry_id, digest(entry_document(TrailEntry.objects.get(pk=first_id()))),
                  leaves[0].content)  # fmt: skip
    leaves[0] = forged
    unlocked(
        "UPDATE audit_trailseal SET leaves = %s, hash = %s WHERE id = %s",
        pack(leaves),
        linked(bytes(seal.previous_hash), leaves),
        seal.pk,
    )
    report = failure_of()
    assert "seal 1: not signed by a trusted key" in report
    assert "seal 2: it does not follow the seal before it" in report


def first_id() -> int:
    return int(TrailEntry.objects.earliest("id").pk)


def test_a_removed_seal_is_found(sealed) -> None:
    unlocked("DELETE FROM audit_trailseal WHERE number = 2")
    assert "seal 3: the seal before it is number 1: seals were removed" in failure_of()


@pytest.mark.parametrize(
    ("change", "event"),
    [
        ("analysis_check SET answer = answer || '!' WHERE id = %s", "check.submitted"),
        ("analysis_check SET action = 'BLOCK', risk_score = 99 WHERE id = %s", "check.decided"),
        (
            "analysis_annotatedanswer SET measurement = measurement || '{\"x\": 1}'"
            " WHERE check_record_id = %s",
            "check.decided",
        ),
        ("analysis_claim SET text = 'else' WHERE annotated_answer_id = %s", "check.decided"),
    ],
)
def test_what_an_entry_tells_of_is_sealed_too(sealed, change, event) -> None:
    unlocked(f"UPDATE {change}", sealed.pk)
    entry = entry_of(sealed, event)
    assert f"demo: content altered: what entry {entry.pk} ({event} of check" in failure_of()


def test_altered_rules_of_a_policy_are_found(sealed) -> None:
    unlocked("UPDATE analysis_policy SET rules = '{}' WHERE version = 1")
    assert "(policy.created of policy" in failure_of()


def test_a_cut_off_end_is_found_with_the_heads(sealed, tmp_path) -> None:
    heads = tmp_path / "heads.json"
    run("export_heads", "--out", heads)
    assert "sealed entries in 2 chains" in verify("--heads", str(heads))
    assert TrailEntry.objects.get(event=Event.HEADS_EXPORTED).actor == "manage.py export_heads"
    last = TrailSeal.objects.filter(chain=sealed.application_id).latest("number")
    before = TrailSeal.objects.get(chain=sealed.application_id, number=last.number - 1)
    unlocked("DELETE FROM audit_trailseal WHERE id = %s", last.pk)
    unlocked(
        "DELETE FROM audit_trailentry WHERE id > %s AND application_id = %s",
        before.up_to_id,
        sealed.application_id,
    )
    assert "sealed entries" in verify(), "without the heads the chain merely ends earlier"
    report = failure_of("--heads", str(heads))
    assert f"cut off: the chain ends at seal {before.number}, exported heads reach seal" in report


def test_an_end_that_was_sealed_anew_is_found_with_the_heads(sealed, tmp_path) -> None:
    heads = tmp_path / "heads.json"
    run("export_heads", "--out", heads)
    unlocked("UPDATE audit_trailentry SET actor = 'me' WHERE id = %s", first_id())
    unlocked("DELETE FROM audit_trailseal")
    seal_trail(at_once=3)
    assert "sealed entries" in verify()
    assert "rewritten: seal" in failure_of("--heads", str(heads))


def test_forged_heads_are_refused(sealed, tmp_path) -> None:
    heads = tmp_path / "heads.json"
    run("export_heads", "--out", heads)
    document = json.loads(heads.read_text())
    document["heads"][0]["number"] -= 1
    heads.write_text(json.dumps(document))
    assert "not signed by a key that is trusted here" in failure_of("--heads", str(heads))
    heads.write_text("[]")
    assert "not a file of heads" in failure_of("--heads", str(heads))


def test_another_key_is_not_trusted(sealed, settings) -> None:
    settings.SECRET_KEY = "another"
    assert "not signed by a trusted key" in failure_of()


def test_an_unknown_application_is_told(sealed) -> None:
    assert "There is no application 'nowhere'" in failure_of("--application", "nowhere")


@pytest.mark.parametrize("event", ["check.submitted", "check.decided", "policy.created"])
def test_a_forged_entry_about_nothing_stops_no_sealing(sealed, event) -> None:
    TrailEntry.objects.create(event=event, subject_type="x", subject_id="no id", actor="me")
    assert seal_trail() == 1
    assert "sealed entries in 2 chains" in verify()
