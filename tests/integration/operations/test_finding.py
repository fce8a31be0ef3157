"""Every column that can hold a person's words is read by an erasure, or is known not to be."""

from collections.abc import Callable

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, models

from accounts.models import Application, Role
from accounts.services import grant_role
from analysis.models import Check, Review, ReviewDecision, ReviewDraft, ReviewSkip
from analysis.services.checking import run_check
from analysis.services.feedback import give_feedback
from assistant.models import Turn, TurnEvidence
from assistant.services import start_conversation
from assistant.services.lifecycle import accept
from desk.reviews.services.reviews import decide_review
from documents.services.collections import create_collection
from documents.services.uploads import upload
from memory.services import remember
from memory.services.managers import create_manager
from operations.finding import Query
from operations.person import find

NAME = 'Jörg "Jo" Ängström'
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
    "assistant.Turn": {"question", "answer", "last_error", "arrived", "writing", "memory"},
    "assistant.TurnEvidence": {"contents"},
    "memory.MemoryEntry": {"text", "slot", "value", "source"},
    "documents.Document": {"name", "title", "text", "hidden_text"},
}  # fmt: skip
ERASED_WITH_ITS_OWNER = {
    "analysis.Check": {"token_logprobs"},  # the answer's own tokens
    "analysis.Claim": {"claim_id", "text", "subject", "signal", "decision"},  # of the measurement
    "analysis.CheckEmbedding": {"reason"},
    "analysis.Topic": {"example"},  # a question of a check
    "assistant.Conversation": {"title"},  # begins its first question
    "documents.DocumentFile": {"data"},
    "documents.Chunk": {"text", "injection"},  # parts of the document
    "documents.Document": {"warnings", "error", "last_error"},
    "documents.TermStatistic": {"term"},
}
"""What repeats a column above, and goes when that goes."""
NAMES_BY_WHICH_PEOPLE_WORK = {
    "accounts", "audit", "auth", "admin", "axes", "contenttypes", "otp_static", "otp_totp",
    "sessions", "notifications",
}  # fmt: skip
"""Log-ins, addresses of notifications and the trail: docs/operations/retention.md says who
changes them."""
NO_WORDS_OF_A_PERSON = {
    "analysis.AnnotatedAnswer": {"engine_version"},
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
    "analysis.ReasonCode": {"code", "label"},
    "analysis.Review": {"reason_codes"},
    "analysis.TrendCell": {"value"},
    "analysis.Trial": {"started_by", "ended_by"},
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
def filled(
    application: Application, empty_redis: None, make_check: Callable[..., Check], reviewer: User
) -> dict[str, set[object]]:
    """Make a row in every table that is searched; return the ids of each kind."""
    check = make_check("It was built in 1840.", sources=["It was built."])
    assert run_check(check.pk)
    give_feedback(check=check, helpful=True, comment="good", by="test")
    review = Review.objects.get(check_record=check)
    decide_review(review=review, decision=ReviewDecision.OVERTURNED, by=reviewer, note="no")
    ReviewDraft.objects.create(review=review, written_by=reviewer, fields={"note": "x"})
    ReviewSkip.objects.create(review=review, skipped_by=reviewer, reason="x")
    manager = create_manager(application=application, name="Kim", by="test")
    turn = accept(start_conversation(manager, title="?"), "Where?", by="kim", enqueue=False)
    TurnEvidence.objects.create(turn=turn, contents={}, sha256="0" * 64)
    remember(manager, "I never work on Fridays.", source="test", by="kim")
    books = create_collection(application=application, name="books", by="test")
    document = upload(collection=books, name="a.txt", data=b"A file.", by="api").document
    return {"checks": {check.pk}, "turns": {turn.pk}, "documents": {document.pk}}


@pytest.fixture
def reviewer(application: Application) -> User:
    user = User.objects.create_user("ann", is_staff=True)
    grant_role(user=user, application=application, role=Role.REVIEWER, by="test")
    return user


BESIDE = {"slot": {"value": "x"}, "value": {"slot": "x"}}
"""What has to be there together with a column."""
COLUMNS = [(label, name) for label, names in SEARCHED.items() for name in sorted(names)]


@pytest.mark.parametrize(("label", "name"), COLUMNS)
def test_a_person_is_found_in_each_column(
    label: str, name: str, filled: dict[str, set[object]], application: Application
) -> None:
    query = Query(texts=[NAME.upper()])
    assert not any(find(application, query).counts().values())
    model = apps.get_model(label)
    field = model._meta.get_field(name)
    value = {"within": [f"said {NAME}."]} if isinstance(field, models.JSONField) else f"so {NAME}"
    assert model._default_manager.exists()
    with connection.cursor() as cursor:  # what was submitted is not changed otherwise
        cursor.execute("SET LOCAL session_replication_role = replica")
        changed = model._default_manager.update(**BESIDE.get(name, {}) | {name: value})
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert changed
    found = find(application, query)
    if label == "memory.MemoryEntry":
        assert found.memories
        return
    kind = {"assistant": "turns", "documents": "documents"}.get(model._meta.app_label, "checks")
    assert set(getattr(found, kind)) == filled[kind]
    assert Turn.objects.exists()
