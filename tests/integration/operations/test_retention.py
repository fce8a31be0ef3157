"""Terms of retention and erasing by a query, carried out on stored checks and files."""

from datetime import timedelta

import pytest
from django.core.management import CommandError
from django.urls import reverse
from django.utils import timezone

from accounts.models import Application
from analysis.models import Check, Claim, Job, JobState, LegalHold
from analysis.services.checking import run_check
from analysis.services.erasure import place_hold
from analysis.services.jobs import run_job
from audit.models import Event, TrailEntry
from documents.models import Document
from documents.services.collections import create_collection
from documents.services.uploads import upload
from operations import retention
from operations.tasks import apply_retention
from tests.commands import run
from tests.integration.people import unlocked

pytestmark = pytest.mark.usefixtures("empty_redis")


def aged(check: Check, days: int) -> Check:
    """Return the check as if submitted so many days ago, with the id of that time."""
    run_check(check.pk)
    moved = "UPDATE analysis_check SET created_at = now() - make_interval(days => %s) WHERE id = %s"
    unlocked(moved, days, check.pk)
    return check


@pytest.fixture(autouse=True)
def all_ids_are_old(monkeypatch) -> None:
    """Let every id count as old, so that all are walked and `created_at` decides."""
    monkeypatch.setattr(retention, "CLOCKS_APART", timedelta(days=10_000))


def parts_left(check: Check) -> tuple[bool, bool, bool]:
    row = Check.objects.get(pk=check.pk)
    erased = (row.input_erased_at, row.result_erased_at, row.reviews_erased_at)
    return tuple(item is None for item in erased)


def test_each_part_goes_after_its_own_term(make_check) -> None:
    old, middle, new = (aged(make_check(f"It is {n}."), n) for n in (40, 20, 5))
    Application.objects.update(keep_inputs_days=30, keep_results_days=10)
    output = run("retention", "--dry-run")
    assert output == (
        "demo: would erase input of 1 checks, result of 2 checks, reviews of 1 checks, 0 turns, "
        "0 files; "
        "0 checks are on hold.\n"
    )
    assert Claim.objects.count() == 3
    assert run("retention") == "demo: erased files 0, input 1, result 2, reviews 1, turns 0.\n"
    assert [parts_left(c) for c in (old, middle, new)] == [
        (False, False, False), (True, False, True), (True, True, True),
    ]  # fmt: skip
    trail_entries = TrailEntry.objects.filter(event=Event.CHECK_ERASED).order_by("id")
    assert {e.data["reason"] for e in trail_entries} == {
        "past the application's term (input 30 days, result 10 days)",
        "past the application's term (result 10 days)",
    }
    assert run("retention") == "demo: erased files 0, turns 0.\n"


def test_more_checks_than_a_step_takes(make_check, monkeypatch) -> None:
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    checks = [aged(make_check(f"It is {n}."), 9) for n in range(5)]
    Application.objects.update(keep_inputs_days=7)
    apply_retention()
    apply_retention()
    job = Job.objects.get()
    while not job.is_finished:
        assert run_job(job.pk)
        job.refresh_from_db()
    assert job.result == {
        "erased": {"input": 5, "result": 5, "reviews": 5, "files": 0, "turns": 0},
        "named": {"held": 0, "unfinished": 0},
    }
    assert not any(any(parts_left(check)) for check in checks)


def test_holds_and_open_checks_are_left_and_counted(application, make_check, desk) -> None:
    on_hold, other = aged(make_check("It is held."), 9), make_check("It waits.")
    place_hold(application=application, check=on_hold, reason="lawsuit", by="legal")
    unlocked("UPDATE analysis_check SET created_at = now() - interval '9 days'")
    Application.objects.update(keep_inputs_days=7)
    assert "1 checks are on hold" in run("retention", "--dry-run")
    assert "Left as they are: 1 held, 1 unfinished." in run("retention")
    assert all(all(parts_left(check)) for check in (on_hold, other))
    page = desk.get(reverse("admin:analysis_job_change", args=[Job.objects.get().pk]))
    assert "1 check is on legal hold" in page.content.decode()


def test_files_go_with_their_passages(application) -> None:
    collection = create_collection(application=application, name="books", by="t")
    old = upload(collection=collection, name="a.txt", data=b"Old words.", by="t").document
    new = upload(collection=collection, name="b.txt", data=b"New words.", by="t").document
    Document.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=9))
    Application.objects.update(keep_files_days=7)
    hold = place_hold(application=application, reason="lawsuit", by="legal")
    assert "0 files" in run("retention", "--dry-run")
    LegalHold.objects.filter(pk=hold.pk).update(lifted_at=timezone.now(), lifted_by="legal")
    assert "1 files" in run("retention", "--dry-run")
    assert run("retention") == "demo: erased files 1, turns 0.\n"
    assert list(Document.objects.values_list("pk", flat=True)) == [new.pk]
    assert TrailEntry.objects.filter(event=Event.DOCUMENT_DELETED, actor="watchdog").count() == 1


def test_without_terms_nothing_is_started(make_check) -> None:
    aged(make_check("It is."), 4_000)
    assert run("retention") == "No application has a term: everything is kept for ever.\n"
    assert "demo: keeps everything for ever." in run("retention", "--dry-run")
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": "Ottilie “Otti” Brandt built it."},
        {"answer": "It.", "query": "Who is OTTILIE “OTTI” BRANDT?"},
        {"answer": "It.", "sources": ['He met "Ottilie “Otti” Brandt" there.']},
        {"answer": "It.", "samples": ["Ottilie “Otti” Brandt."]},
        {"answer": "It.", "metadata": {"user": ["Ottilie “Otti” Brandt"]}},
    ],
)
def test_a_query_finds_the_person_wherever_they_are_named(make_check, fields) -> None:
    match, other = make_check(**fields), make_check("Otto Brandt built it.")
    for check in (match, other):
        assert run_check(check.pk)
    arguments = (
        "--application", "demo", "--text", "ottilie “otti” brandt", "--reason", "r", "--by", "p",
    )  # fmt: skip
    assert run("erase", *arguments) == (
        f"checks {match.pk}\n1 checks would be erased. --execute erases them.\n"
    )
    assert all(parts_left(match))
    assert run("erase", *arguments, "--execute").endswith("1 checks were erased.\n")
    assert not any(parts_left(match))
    assert all(parts_left(other))
    assert run("erase", *arguments) == "0 rows would be erased. --execute erases them.\n"


def test_metadata_names_the_person_too(make_check) -> None:
    check = make_check("One.", metadata={"user": "u-7", "site": "north"})
    make_check("Two.", metadata={"user": "u-77", "site": "north"})
    arguments = ("--application", "demo", "--reason", "r", "--by", "p")
    pairs = ("--metadata", "user=u-7", "--metadata", "site=north")
    assert run("erase", *arguments, *pairs).startswith(f"checks {check.pk}\n1 checks")
    with pytest.raises(CommandError, match=f"{check.pk}: still worked on"):
        run("erase", *arguments, *pairs, "--execute")
    with pytest.raises(CommandError, match="everything is erased by no command"):
        run("erase", *arguments)
    with pytest.raises(CommandError, match="Not NAME=VALUE: user"):
        run("erase", *arguments, "--metadata", "user")


def test_the_job_is_given_up_visibly_where_it_fails(make_check, monkeypatch) -> None:
    aged(make_check("It is."), 9)
    Application.objects.update(keep_inputs_days=7)
    [job] = retention.start_retention()
    Job.objects.filter(pk=job.pk).update(
        state=JobState.FAILED, due_at=None, finished_at=timezone.now()
    )
    monkeypatch.setattr(
        "operations.management.commands.retention.start_retention",
        lambda **_: [Job.objects.get(pk=job.pk)],
    )
    with pytest.raises(CommandError, match="1 jobs failed"):
        run("retention")
