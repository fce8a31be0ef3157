"""All that tells of a person is found in every column that can hold it, and goes."""

import json
from datetime import timedelta
from functools import partial
from io import StringIO

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.db import DatabaseError, models, transaction
from django.utils import timezone

from accounts.models import Application
from analysis.models import Check, Review, ReviewDecision, ReviewDraft, ReviewSkip
from analysis.services.checking import run_check
from analysis.services.erasure import lift_hold, place_hold
from analysis.services.feedback import give_feedback
from assistant.models import Conversation, Turn, TurnEvidence, TurnState
from assistant.services import start_conversation
from assistant.services.erasing import erase_turns
from assistant.services.lifecycle import accept
from audit.models import Event, TrailEntry
from audit.seals import seal_trail
from desk.reviews.services.reviews import decide_review
from documents.models import Document, DocumentFile
from documents.services.collections import create_collection
from documents.services.uploads import upload
from memory.models import Manager, MemoryEntry
from memory.services import remember
from memory.services.managers import create_manager
from operations.person import Query, find
from tests.commands import run
from tests.database import sql
from tests.integration.people import unguarded, unlocked

NAME = "Ottilie Brandt"
ASKED = ("--application", "demo", "--by", "data protection", "--reason", "request 7")
pytestmark = pytest.mark.usefixtures("empty_redis")


erase = partial(run, "erase")


def answered(manager: Manager, question: str, *, check: Check | None = None) -> Turn:
    """Make a question with an answer and evidence, as a worker leaves it."""
    turn = accept(start_conversation(manager, title=question), question, by="kim", enqueue=False)
    Turn.objects.filter(pk=turn.pk).update(
        state=TurnState.DONE, step="done", due_at=None, lease_until=None, answer="It is.",
        writing={"notes": []}, finished_at=timezone.now(), check_record=check,
    )  # fmt: skip
    TurnEvidence.objects.create(turn=turn, contents={"items": [question]}, sha256="0" * 64)
    return turn


@pytest.fixture
def manager(application) -> Manager:
    user = User.objects.create_user("kim")
    return create_manager(application=application, name="Kim", by="test", user=user)


@pytest.fixture
def everywhere(application, manager, make_check) -> Check:
    """Name somebody in a check, a question, the memory and a file, and others beside them."""
    check = make_check(f"{NAME} built it.", sources=["It was built."])
    other = make_check("It was built in 1840.")
    for item in (check, other):
        assert run_check(item.pk)
    answered(manager, f"Where is {NAME}?")
    answered(manager, "How long is the trench?", check=check)
    answered(manager, "How deep is the trench?")
    books = create_collection(application=application, name="books", by="test")
    upload(collection=books, name=f"{NAME}.txt", data=b"A file.", by="api")
    upload(collection=books, name="other.txt", data=b"Another.", by="api")
    seal_trail()
    return check


def test_it_is_shown_first_and_then_erased(everywhere, tmp_path) -> None:
    preview = erase(*ASKED, "--text", NAME.lower())
    assert "1 checks, 2 turns, 1 documents would be erased." in preview
    assert f"{NAME}.txt" in preview
    assert Turn.objects.count() == 3
    report = tmp_path / "report.json"
    output = erase(*ASKED, "--text", NAME.lower(), "--execute", "--report", str(report))
    assert output.endswith("1 checks, 2 turns, 1 documents were erased.\n")
    assert "documents 1 of 1" in output
    (turn,) = Turn.objects.all()
    assert turn.question == "How deep is the trench?"
    assert Conversation.objects.count() == TurnEvidence.objects.count() == 1
    assert [document.name for document in Document.objects.all()] == ["other.txt"]
    assert DocumentFile.objects.count() == 1
    everywhere.refresh_from_db()
    assert everywhere.input_erased_at is not None
    assert Check.objects.filter(input_erased_at=None).count() == 1
    payload = json.loads(report.read_text())
    assert payload["executed"] is True
    assert len(payload["found"]["turns"]) == payload["erased"]["turns"] == 2
    assert erase(*ASKED, "--text", NAME) == "0 rows would be erased. --execute erases them.\n"


def test_the_trail_tells_of_it_without_a_name_and_verifies(everywhere) -> None:
    erase(*ASKED, "--text", NAME, "--execute")
    trail_entry = TrailEntry.objects.get(event=Event.PERSON_ERASED)
    assert trail_entry.data["erased"] == {
        "checks": 1, "turns": 2, "memories": 0, "documents": 1, "managers": 0,
    }  # fmt: skip
    assert (trail_entry.actor, trail_entry.data["reason"]) == ("data protection", "request 7")
    conversations = TrailEntry.objects.filter(event=Event.CONVERSATION_ERASED)
    assert sum(len(entry.data["turns"]) for entry in conversations) == 2
    deletion = TrailEntry.objects.get(event=Event.DOCUMENT_DELETED)
    assert deletion.data["reason"] == "request 7"
    assert NAME not in str(list(TrailEntry.objects.values()))
    seal_trail()
    assert "of them refer to content erased since" in run("verify_trail")


def test_a_person_goes_with_conversations_and_memory(application, manager, everywhere) -> None:
    remember(manager, "I never work on Fridays.", source="test", by="kim")
    before = MemoryEntry.objects.count()
    assert before > 0
    other = create_manager(application=application, name="Lee", by="test")
    other_turn = answered(other, "Who is there?")
    Document.objects.filter(name="other.txt").update(uploaded_by="kim")
    output = erase(*ASKED, "--person", "kim", "--execute")
    assert output.endswith(
        f"1 checks, 3 turns, {before} memories, 1 documents, 1 managers were erased.\n"
    )
    assert list(Turn.objects.values_list("pk", flat=True)) == [other_turn.pk]
    assert list(Manager.objects.all()) == [other]
    assert not MemoryEntry.objects.exists()
    assert User.objects.filter(username="kim").exists()


def test_kinds_can_be_chosen(everywhere) -> None:
    output = erase(*ASKED, "--text", NAME, "--only", "turns", "--execute")
    assert output.endswith("\n2 turns were erased.\n")
    assert Document.objects.count() == 2
    everywhere.refresh_from_db()
    assert everywhere.input_erased_at is None


def test_a_hold_stops_it_in_services_and_database(application, everywhere) -> None:
    hold = place_hold(application=application, reason="lawsuit", by="legal")
    with pytest.raises(CommandError, match="turns: on legal hold"):
        erase(*ASKED, "--text", NAME, "--execute")
    assert Turn.objects.count() == 3
    assert Document.objects.count() == 2
    ids = list(Turn.objects.values_list("pk", flat=True))
    assert erase_turns(turn_ids=ids, by="p", reason="r").on_hold == ids
    lift_hold(hold, by="legal")
    on_check = place_hold(application=application, check=everywhere, reason="x", by="legal")
    with pytest.raises(CommandError, match=f"check {everywhere.pk}: on legal hold"):
        erase(*ASKED, "--text", NAME, "--execute")
    assert Turn.objects.filter(check_record=everywhere).exists()
    assert not Turn.objects.filter(question__contains=NAME).exists()
    lift_hold(on_check, by="legal")


def test_an_open_question_is_left_and_named(manager, everywhere) -> None:
    conversation = start_conversation(manager, title="x")
    turn = accept(conversation, f"Is {NAME} there?", by="kim", enqueue=False)
    with pytest.raises(CommandError, match=f"turn {turn.pk}: still worked on"):
        erase(*ASKED, "--text", NAME, "--execute")
    assert list(Turn.objects.filter(question__contains=NAME)) == [turn]


@pytest.mark.parametrize("erasing", [False, True])
def test_the_database_lets_no_turn_go_that_the_trail_does_not_tell_of(everywhere, erasing) -> None:
    turn = Turn.objects.order_by("pk")[0]
    for statement in (
        "DELETE FROM assistant_turnevidence WHERE turn_id = %s",
        "DELETE FROM assistant_turn WHERE id = %s",
        "UPDATE assistant_turn SET question = 'x' WHERE id = %s",
        "UPDATE assistant_turnevidence SET contents = '{}' WHERE turn_id = %s",
    ):
        opening = "SET LOCAL watchdog.erasure = 'on';" if erasing else ""
        with pytest.raises(DatabaseError, match="is refused"), transaction.atomic():
            sql(opening + statement, turn.pk)


def test_conversations_go_after_their_term(application, everywhere) -> None:
    unlocked(
        "UPDATE assistant_turn SET created_at = now() - interval '9 days'"
        " WHERE question LIKE 'How%'"
    )
    Application.objects.update(keep_conversations_days=7)
    hold = place_hold(application=application, reason="lawsuit", by="legal")
    assert "0 turns" in run("retention", "--dry-run")
    lift_hold(hold, by="legal")
    place_hold(application=application, check=everywhere, reason="x", by="legal")
    assert "would erase 2 turns, 0 files" in run("retention", "--dry-run")
    output = run("retention")
    assert "erased files 0, turns 1" in output
    assert "Left as they are: 1 held" in output
    assert set(Turn.objects.values_list("question", flat=True)) == {
        f"Where is {NAME}?", "How long is the trench?",
    }  # fmt: skip
    entry = TrailEntry.objects.get(event=Event.CONVERSATION_ERASED)
    assert entry.data["reason"] == "past the application's term (conversations 7 days)"


def test_nothing_named_erases_nothing(everywhere) -> None:
    with pytest.raises(CommandError, match="everything is erased by no command"):
        erase(*ASKED, "--execute")
    assert erase(*ASKED, "--metadata", "user=nobody").startswith("0 rows")
    assert erase(*ASKED, "--person", "nobody").startswith("0 rows")
    assert Check.objects.exclude(input_erased_at=None).count() == 0
    assert timezone.now() - everywhere.created_at < timedelta(hours=1)


@pytest.mark.django_db
def test_a_name_that_nobody_bears_is_told(manager) -> None:
    errors = StringIO()
    names = ("--person", "kim", "--person", "Kim", "--person", "otilie")
    erase(*ASKED, *names, stderr=errors)
    assert errors.getvalue() == "otilie: no log-in, manager or uploader here has this name.\n"


@pytest.mark.django_db
def test_nothing_is_erased_where_the_report_cannot_be_written(checked, tmp_path) -> None:
    check = checked(f"{NAME} works in Graz.")
    report = str(tmp_path / "none" / "request-7.json")
    with pytest.raises(CommandError, match="cannot be written: No such file"):
        erase(*ASKED, "--text", NAME, "--execute", "--report", report)
    assert Check.objects.get(pk=check.pk).answer


QUOTED_NAME = 'Jörg "Jo" Ängström'
"""JSON writes a quotation mark otherwise than text does."""
SEARCHED = {
    "analysis.Check": {
        "query", "answer", "last_error", "sources", "samples", "messages", "scope", "metadata",
    },
    "analysis.AnnotatedAnswer": {"measurement", "decision", "suggestions"},
    "analysis.Review": {"note", "corrected_text"},
    "analysis.ReviewDraft": {"fields"},
    "analysis.ReviewSkip": {"reason"},
    "analysis.Feedback": {"comment"},
    "assistant.Turn": {
        "question", "answer", "last_error", "arrived", "writing", "memory", "documents",
    },
    "assistant.TurnEvidence": {"contents"},
    "memory.MemoryEntry": {"text", "slot", "value", "source"},
    "documents.Document": {"name", "title", "text", "hidden_text", "metadata"},
}  # fmt: skip
ERASED_WITH_ITS_OWNER = {
    "analysis.Check": {"token_logprobs"},  # the answer's own tokens
    "analysis.Claim": {"claim_id", "text", "subject", "signal", "decision"},  # of the measurement
    "analysis.CheckEmbedding": {"reason"},
    "analysis.Topic": {"example"},  # a question of a check
    "assistant.Conversation": {"title"},  # begins its first question
    "documents.DocumentFile": {"data"},
    "documents.Chunk": {"text", "injection", "head"},  # parts of the document
    "documents.Document": {"warnings", "error", "last_error"},
    "documents.TermStatistic": {"term"},
}
"""Columns that repeat one above, and are erased with it."""
NAMES_BY_WHICH_PEOPLE_WORK = {
    "accounts", "audit", "auth", "admin", "axes", "contenttypes", "otp_static", "otp_totp",
    "sessions", "notifications",
}  # fmt: skip
"""Log-ins, addresses of notifications and the trail: docs/operations/retention.md says who
changes them."""
NO_WORDS_OF_A_PERSON = {
    "analysis.AnnotatedAnswer": {"engine_version"},
    "analysis.Case": {"name", "added_by"},  # named by a lead
    "analysis.Batch": {"errors"},  # which field of which item was wrong
    "analysis.Check": {"submitted_by", "collections", "source_model", "input_sha256"},
    "analysis.CheckEmbedding": {"model"},
    "analysis.Claim": {"extraction_method"},
    "analysis.CountedCheck": {"source_model", "policy"},
    "analysis.DecidedDay": {"reason", "decision"},
    "analysis.Feedback": {"giver", "given_by"},
    "analysis.IdempotencyKey": {"key", "request_sha256"},
    "analysis.Job": {"last_error", "created_by", "input", "progress", "result"},  # ids and counts
    "analysis.JudgeDay": {"judge"},
    "analysis.LegalHold": {"reason", "placed_by", "lifted_by"},
    "analysis.ModelUse": {"signal", "model"},
    "analysis.Policy": {"rules", "note", "created_by"},
    "analysis.Probe": {"name", "query", "answer", "sources"},  # written to be sent, by a lead
    "analysis.ProbeResult": {"probe", "judge", "detail", "action"},
    "analysis.QueueInstructions": {"text"},  # written by a lead, to reviewers
    "analysis.ReasonCode": {"code", "label"},
    "analysis.Review": {"reason_codes"},
    "analysis.TrendCell": {"value"},
    "analysis.Trial": {"judge", "started_by", "ended_by"},
    "analysis.TrialCheck": {"outcome"},
    "assistant.BriefingMail": {"email", "last_error"},  # go with their manager
    "assistant.BriefingSchedule": {"email", "timezone", "weekdays"},
    "assistant.TurnEvidence": {"sha256"},
    "assistant.Turn": {"asked_by", "collections", "milliseconds"},
    "documents.Collection": {"name", "title", "subject", "embedding_model"},
    "documents.DenseVector": {"model"},
    "documents.Document": {"sha256", "uploaded_by", "error_code", "file_type", "injection_rules"},
    "documents.NextVector": {"model"},
    "documents.UploadKey": {"key", "request_sha256"},
    "memory.Manager": {"name"},  # found by --person
    "memory.MemoryEntry": {"judge", "embedding_model"},
}
_TEXTUAL = (models.CharField, models.TextField, models.JSONField, models.BinaryField)


def textual(model: type[models.Model]) -> set[str]:
    """Return the columns in which anything can be written."""
    fields = model._meta.concrete_fields
    return {f.name for f in fields if isinstance(f, _TEXTUAL) and not f.choices}


def test_every_column_is_accounted_for() -> None:
    for model in apps.get_models():
        if model._meta.app_label in NAMES_BY_WHICH_PEOPLE_WORK:
            continue
        label = model._meta.label
        known = [
            table.get(label, set())
            for table in (SEARCHED, ERASED_WITH_ITS_OWNER, NO_WORDS_OF_A_PERSON)
        ]
        assert textual(model) == set().union(*known), label
        assert sum(map(len, known)) == len(set().union(*known)), f"{label}: named twice"


@pytest.fixture
def filled(application, empty_redis, checked, anna) -> dict[str, set[object]]:
    """Make a row in every table that is searched; return the ids of each kind."""
    check = checked("It was built in 1840.", sources=["It was built."])
    give_feedback(check=check, helpful=True, comment="good", by="test")
    review = Review.objects.get(check_record=check)
    decide_review(review=review, decision=ReviewDecision.OVERTURNED, by=anna, note="no")
    ReviewDraft.objects.create(review=review, written_by=anna, fields={"note": "x"})
    ReviewSkip.objects.create(review=review, skipped_by=anna, reason="x")
    manager = create_manager(application=application, name="Kim", by="test")
    turn = accept(start_conversation(manager, title="?"), "Where?", by="kim", enqueue=False)
    TurnEvidence.objects.create(turn=turn, contents={}, sha256="0" * 64)
    remember(manager, "I never work on Fridays.", source="test", by="kim")
    books = create_collection(application=application, name="books", by="test")
    document = upload(collection=books, name="a.txt", data=b"A file.", by="api").document
    return {"checks": {check.pk}, "turns": {turn.pk}, "documents": {document.pk}}


BESIDE = {"slot": {"value": "x"}, "value": {"slot": "x"}}
"""Columns that must be set together."""
KINDS = {"assistant": "turns", "documents": "documents"}


def test_a_person_is_found_in_each_column(filled, application) -> None:
    query = Query(texts=[QUOTED_NAME.upper()])
    assert not any(find(application, query).counts().values())
    for label, names in SEARCHED.items():
        for name in sorted(names):
            with transaction.atomic():
                write_name(label, name)
                found = find(application, query)
                transaction.set_rollback(True)
            if label == "memory.MemoryEntry":
                assert found.memories, name
            else:
                kind = KINDS.get(label.partition(".")[0], "checks")
                assert set(getattr(found, kind)) == filled[kind], (label, name)
    assert Turn.objects.exists()


def write_name(label: str, name: str) -> None:
    """Put the name into one column of every row of a model."""
    model = apps.get_model(label)
    is_json = isinstance(model._meta.get_field(name), models.JSONField)
    value = {"within": [f"said {QUOTED_NAME}."]} if is_json else f"so {QUOTED_NAME}"
    with unguarded():  # what was submitted is not changed otherwise
        assert model._default_manager.update(**BESIDE.get(name, {}) | {name: value}), label
