"""Checks of the product: models, the sandbox, waiting and failed work."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from analysis.judge import describe_judge, missing_judge
from analysis.models import Check, CheckState, Job, JobState
from analysis.selectors.metrics import check_queue
from assistant.models import BriefingMail, MailState
from documents.models import Document, DocumentState
from inference.errors import ModelError
from inference.judge import ANSWERS, BASE, judge_folder
from inference.store import model_folder, read_manifest, verify
from lib.sandbox import Tier, choosing
from notifications.models import Notification, NotificationState
from operations.doctor.findings import Finding, Level, error, ok, warning

LONG_WAIT_S = 60
FAILED_WITHIN = timedelta(days=1)


def judge() -> Iterator[Finding]:
    """Report who judges claims; warn if the configured judge is missing."""
    text = describe_judge()
    if missing_judge():
        yield warning(text, "Run `python -m inference.export --judge` (downloads 400 MB).")
    else:
        yield ok(text)


def embedding() -> Iterator[Finding]:
    """Report whether the models for searching and answering are prepared and complete."""
    if not settings.EMBEDDING_MODEL:
        yield ok("switched off (EMBEDDING_MODEL): searches go by words alone")
        return
    remedy = "Run `python -m inference.export`; searches go by words alone until then."
    folder = model_folder(settings.MODEL_DIR, settings.EMBEDDING_MODEL)
    yield _prepared(settings.EMBEDDING_MODEL, folder, remedy)
    if settings.NLI_MODEL == BASE:
        remedy = (
            "Run `python -m inference.export --judge`; bare answers are judged worse until then."
        )
        folder = judge_folder(settings.MODEL_DIR, ANSWERS)
        yield _prepared("The judge of answers", folder, remedy)


def _prepared(model: str, folder: Path, remedy: str) -> Finding:
    try:
        verify(folder, read_manifest(folder))
    except (ModelError, OSError) as problem:
        return warning(f"{model} is not prepared: {str(problem).splitlines()[0]}", remedy)
    return ok(f"{model} is prepared")


def queue() -> Iterator[Finding]:
    """Report how long the oldest check has waited. Raises django.db.Error."""
    queue_state = check_queue()
    text = f"{queue_state.depth} checks wait, the oldest for {queue_state.oldest:.0f} s"
    if queue_state.oldest > LONG_WAIT_S:
        yield error(text, "Start more workers (WORKER_PROCESSES), or look at their log.")
    else:
        yield ok(text)


def sandbox() -> Iterator[Finding]:
    """Report whether uploaded files can be read in a sandbox."""
    availability = choosing.available([Tier(name) for name in settings.SANDBOX_TIERS])
    if availability.tier is not None:
        yield ok(f"{availability.tier}: uploaded files are read behind it")
    elif settings.DOCUMENTS_WITHOUT_SANDBOX:
        yield warning(
            f"none is usable ({availability.reason}), and files are read all the same",
            "Install bubblewrap (or use Linux 5.13 or newer), and unset DOCUMENTS_WITHOUT_SANDBOX.",
        )
    else:
        yield error(
            f"none is usable, so that uploaded files are refused: {availability.reason}",
            "Install bubblewrap, and let the container create user namespaces or use Landlock.",
        )


def failures() -> Iterator[Finding]:
    """Report what was given up in the last day, by kind. Raises django.db.Error."""
    since = timezone.now() - FAILED_WITHIN
    findings = []
    for part, rows, text, remedy in (
        (
            "checks",
            Check.objects.filter(state=CheckState.FAILED, created_at__gte=since),
            "were given up since yesterday",
            "The admin's list of checks shows why (state: failed) and tries one again.",
        ),
        (
            "jobs",
            Job.objects.filter(state=JobState.FAILED, finished_at__gte=since),
            "failed since yesterday",
            "The admin's list of jobs has the reason for each; start it again there.",
        ),
        (
            "documents",
            Document.objects.filter(state=DocumentState.FAILED, created_at__gte=since),
            "could not be indexed since yesterday",
            "The admin's list of documents has the reason for each.",
        ),
        (
            "briefings",
            BriefingMail.objects.filter(state=MailState.FAILED, created_at__gte=since),
            "were never sent since yesterday",
            "The page of the manager's briefing by e-mail has the reason; mend the mail server.",
        ),
        (
            "notifications",
            Notification.objects.filter(state=NotificationState.FAILED, created_at__gte=since),
            "never arrived since yesterday",
            "The admin's list of notifications has the reason for each.",
        ),
    ):
        if count := rows.count():
            findings.append(Finding(Level.WARNING, f"{count} {text}", remedy, part))
    yield from findings or [ok("nothing was given up since yesterday")]
