"""Sends briefings by e-mail. A mail that is sent twice has the same Message-ID."""

from datetime import timedelta
from time import monotonic

import structlog
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from assistant.models import BriefingMail, MailState, Turn, TurnState
from assistant.services.briefings import text_of
from lib.workqueue.queue import LeaseLost, WorkQueue
from notifications.channels import Undelivered
from notifications.channels.mail import send

log = structlog.get_logger(__name__)
LEASE = timedelta(seconds=180)
"""Longer than the time limit of the task, so that two never send the same at the same time."""
MAX_ATTEMPTS = 8
_FIRST, _LONGEST = timedelta(minutes=1), timedelta(hours=1)


def delay(attempts: int) -> timedelta:
    """Return the delay after `attempts`: a minute, doubled each time, up to an hour."""
    return min(_FIRST * (1 << (attempts - 1)), _LONGEST)


BRIEFING_MAILS = WorkQueue(
    model=BriefingMail,
    lease=lambda: LEASE,
    max_attempts=lambda: MAX_ATTEMPTS,
    backoff=delay,
)


def send_answered(*, seconds: float = 30.0) -> int:
    """Send the briefings whose questions have all ended, for about `seconds`.

    Returns how many were delivered.
    """
    deadline = monotonic() + seconds
    arrived = 0
    while monotonic() < deadline and (mail := _claim()) is not None:
        arrived += _deliver(mail)
    return arrived


def _claim() -> BriefingMail | None:
    """Claim the longest-waiting mail whose questions have all ended."""
    unfinished = Turn.objects.filter(
        conversation=OuterRef("conversation"), state__in=(TurnState.QUEUED, TurnState.RUNNING)
    )
    return next(iter(BRIEFING_MAILS.claim_due(~Exists(unfinished))), None)


def _deliver(mail: BriefingMail) -> bool:
    """Send a mail; return whether it was sent. A failure does not affect other mails."""
    try:
        _send(mail)
        BRIEFING_MAILS.finish(mail, MailState.SENT, sent_at=Now(), last_error="")
    except LeaseLost:
        log.warning("lease_lost", briefing_mail=mail.pk)
        return False
    except Undelivered as error:
        BRIEFING_MAILS.retry(mail, error=str(error))
        return False
    except Exception as error:
        log.error("briefing_mail_failed", briefing_mail=mail.pk, exc_info=error)
        BRIEFING_MAILS.retry(mail, error=type(error).__name__)
        return False
    return True


def _send(mail: BriefingMail) -> None:
    send(
        to=mail.email,
        subject=mail.conversation.title,
        body=text_of(mail.conversation),
        message_id=f"briefing-{mail.conversation_id}",
    )
