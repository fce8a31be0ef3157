"""Probes of what the product holds: models, work that waits, what failed, where messages go."""

import smtplib
from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.core.mail import get_connection
from django.utils import timezone

from analysis.judge import describe_judge
from analysis.selectors.metrics import check_queue
from documents.models import Document, DocumentState
from inference.errors import ModelError
from inference.store import model_folder, read_manifest, verify
from notifications.models import Channel, Notification, NotificationState, Subscription
from notifications.targets import TargetRefused, addresses_of, check_url
from operations.doctor.findings import Finding, error, ok, warning

LONG_WAIT_S = 60
FAILED_WITHIN = timedelta(days=1)
MOST_WEBHOOKS = 50


def judge() -> Iterator[Finding]:
    """Who judges claims; a warning where the base judge is asked for and missing."""
    text = describe_judge()
    if text.startswith("embedded, since"):
        yield warning("judge", text, "Run `python -m inference.export --judge` (downloads 400 MB).")
    else:
        yield ok("judge", text)


def embedding() -> Iterator[Finding]:
    """Whether the model of retrieval is prepared and whole."""
    folder = model_folder(settings.MODEL_DIR, settings.EMBEDDING_MODEL)
    try:
        verify(folder, read_manifest(folder))
    except (ModelError, OSError) as problem:
        yield warning(
            "embedding",
            f"{settings.EMBEDDING_MODEL} is not prepared: {problem}",
            "Run `python -m inference.export`; searches go by words alone until then.",
        )
    else:
        yield ok("embedding", f"{settings.EMBEDDING_MODEL} is prepared")


def queue() -> Iterator[Finding]:
    """How long the oldest check has waited. Raises django.db.Error."""
    queue_state = check_queue()
    text = f"{queue_state.depth} checks wait, the oldest for {queue_state.oldest:.0f} s"
    if queue_state.oldest > LONG_WAIT_S:
        yield error("queue", text, "Start more workers (WORKER_PROCESSES), or look at their log.")
    else:
        yield ok("queue", text)


def failures() -> Iterator[Finding]:
    """Documents and notifications that were given up in the last day. Raises django.db.Error."""
    since = timezone.now() - FAILED_WITHIN
    documents = Document.objects.filter(state=DocumentState.FAILED, created_at__gte=since).count()
    messages = Notification.objects.filter(
        state=NotificationState.FAILED, created_at__gte=since
    ).count()
    if documents:
        yield warning(
            "documents",
            f"{documents} could not be indexed since yesterday",
            "The admin's list of documents has the reason for each.",
        )
    if messages:
        yield warning(
            "notifications",
            f"{messages} never arrived since yesterday",
            "The admin's list of notifications has the reason for each.",
        )
    if not documents and not messages:
        yield ok("failures", "no document or notification was given up since yesterday")


def mail() -> Iterator[Finding]:
    """Whether the mail server answers; nothing is sent."""
    if not settings.EMAIL_HOST:
        yield ok("mail", "not set up (EMAIL_HOST): no e-mail is sent")
        return
    where = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        with get_connection():
            pass
    except (OSError, smtplib.SMTPException) as problem:
        yield error(
            "mail",
            f"{where}: {problem}",
            "Check EMAIL_HOST, EMAIL_PORT, EMAIL_USER, "
            "EMAIL_PASSWORD, EMAIL_STARTTLS and the firewall.",
        )
    else:
        yield ok("mail", f"{where} answers")


def webhooks() -> Iterator[Finding]:
    """Whether the host of each webhook has an address that may be called."""
    active = Subscription.objects.filter(channel=Channel.WEBHOOK, is_active=True)
    for target in active.values_list("target", flat=True)[:MOST_WEBHOOKS]:
        allowed_hosts = settings.WEBHOOK_ALLOWED_HOSTS
        try:
            parts = check_url(target, allowed_hosts)
            addresses_of(str(parts.hostname), parts.port or 443, allowed_hosts)
        except (TargetRefused, OSError) as problem:
            yield error(
                "webhooks",
                f"{target}: {problem}",
                "Correct the address, its DNS entry or WEBHOOK_ALLOWED_HOSTS.",
            )
        else:
            yield ok("webhooks", f"{target} has an address")
