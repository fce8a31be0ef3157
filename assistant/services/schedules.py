"""Briefings by the clock, and their way out by e-mail. Safe to run twice and late.

A day's briefing is started by one conditional UPDATE, so that two who run at once start one. The
mail is sent while its row is held; one that ends midway sends it again, with the same Message-ID.
"""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now

from assistant.models import BriefingMail, BriefingSchedule, MailState, Turn, TurnState
from assistant.services.briefings import start_briefing, text_of
from memory.models import Manager
from notifications.channels import Undelivered
from notifications.channels.mail import send

log = structlog.get_logger(__name__)
MAX_ATTEMPTS = 8
_FIRST, _LONGEST = timedelta(minutes=1), timedelta(hours=1)
_LATEST = timedelta(hours=6)
"""A briefing that could not be started for so long is not one of the morning any more."""


def schedule(
    manager: Manager, *, at: time, email: str, zone: str, weekdays: list[int]
) -> BriefingSchedule:
    """Send this manager a briefing at that local time, Monday being 0; replaces any other."""
    values = {"at": at, "email": email, "timezone": ZoneInfo(zone).key, "weekdays": weekdays}
    briefing_schedule, _ = BriefingSchedule.objects.update_or_create(
        manager=manager, defaults=values | {"is_active": True}
    )
    return briefing_schedule


def unschedule(manager: Manager) -> bool:
    """Send no more; False where none was scheduled."""
    briefing_schedules = BriefingSchedule.objects.filter(manager=manager, is_active=True)
    return bool(briefing_schedules.update(is_active=False))


def start_due(now: datetime) -> int:
    """Start every briefing that is due; how many. One that fails is tried again in a minute."""
    started = 0
    for schedule in BriefingSchedule.objects.filter(is_active=True).select_related("manager"):
        local = now.astimezone(ZoneInfo(schedule.timezone))
        if is_due(schedule, local):
            started += _start(schedule, local)
    return started


def is_due(schedule: BriefingSchedule, local: datetime) -> bool:
    """Whether today's briefing is to be started, by the clock of its place."""
    since = datetime.combine(local.date(), schedule.at, tzinfo=local.tzinfo)
    done = schedule.last_on is not None and schedule.last_on >= local.date()
    return not done and local.weekday() in schedule.weekdays and since <= local < since + _LATEST


def next_at(schedule: BriefingSchedule, now: datetime) -> datetime | None:
    """When the next briefing is started, by the clock of its place; None where none will be."""
    local = now.astimezone(ZoneInfo(schedule.timezone))
    if not schedule.is_active or not schedule.weekdays:
        return None
    days = (local.date() + timedelta(days=ahead) for ahead in range(8))
    times = (datetime.combine(day, schedule.at, tzinfo=local.tzinfo) for day in days)
    return next((at for at in times if is_due(schedule, max(local, at))), None)


def _start(schedule: BriefingSchedule, local: datetime) -> int:
    """Take today's briefing and start it, both or neither."""
    free = Q(last_on=None) | Q(last_on__lt=local.date())
    try:
        with transaction.atomic():
            unstarted = BriefingSchedule.objects.filter(free, pk=schedule.pk, is_active=True)
            if not unstarted.update(last_on=local.date()):
                return 0
            start_briefing(schedule.manager, email=schedule.email)
    except Exception as error:
        log.error("briefing_not_started", manager_id=str(schedule.manager_id), exc_info=error)
        return 0
    return 1


def send_answered() -> int:
    """Send the briefings whose questions have all come to an end; how many arrived."""
    arrived = 0
    while (outcome := _send_one()) is not None:
        arrived += outcome
    return arrived


@transaction.atomic
def _send_one() -> int | None:
    """1 sent, 0 to be tried again or given up, None where nothing is to be sent."""
    open_ = Turn.objects.filter(
        conversation=OuterRef("conversation"), state__in=(TurnState.QUEUED, TurnState.RUNNING)
    )
    due_mails = BriefingMail.objects.filter(
        ~Exists(open_), state=MailState.WAITING, due_at__lte=Now()
    )
    locked_mails = due_mails.select_for_update(skip_locked=True, of=("self",)).order_by("due_at")
    mail = locked_mails.select_related("conversation__manager").first()
    if mail is None:
        return None
    try:
        send(
            to=mail.email,
            subject=mail.conversation.title,
            body=text_of(mail.conversation),
            message_id=f"briefing-{mail.pk}",
        )
    except Undelivered as error:
        _later(mail, str(error))
        return 0
    BriefingMail.objects.filter(pk=mail.pk).update(
        state=MailState.SENT, due_at=None, sent_at=Now(), attempts=F("attempts") + 1, reason=""
    )
    return 1


def _later(mail: BriefingMail, reason: str) -> None:
    attempts = mail.attempts + 1
    over = attempts >= MAX_ATTEMPTS
    wait = min(_FIRST * (1 << mail.attempts), _LONGEST)
    log.warning("briefing_not_sent", mail_id=str(mail.pk), attempts=attempts, given_up=over)
    BriefingMail.objects.filter(pk=mail.pk).update(
        state=MailState.FAILED if over else MailState.WAITING,
        due_at=None if over else Now() + wait,
        attempts=attempts,
        reason=reason[:300],
    )
