"""Starts briefings by the clock. Safe to run twice and late.

A day's briefing is started by one conditional UPDATE, so that two simultaneous runs start one.
"""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import structlog
from django.db import transaction
from django.db.models import Q

from assistant.models import BriefingSchedule
from assistant.services.briefings import start_briefing
from memory.models import Manager

log = structlog.get_logger(__name__)
_LATEST = timedelta(hours=6)
"""A briefing that could not be started for so long is not one of the morning any more."""


def schedule(
    manager: Manager, *, at: time, email: str, zone: str, weekdays: list[int]
) -> BriefingSchedule:
    """Schedule this manager's briefing at a local time (Monday is 0).

    Replaces an earlier schedule.
    """
    values = {"at": at, "email": email, "timezone": ZoneInfo(zone).key, "weekdays": weekdays}
    briefing_schedule, _ = BriefingSchedule.objects.update_or_create(
        manager=manager, defaults=values | {"is_active": True}
    )
    return briefing_schedule


def unschedule(manager: Manager) -> bool:
    """Stop the schedule; return False if there was none."""
    briefing_schedules = BriefingSchedule.objects.filter(manager=manager, is_active=True)
    return bool(briefing_schedules.update(is_active=False))


def start_due(now: datetime) -> int:
    """Start every due briefing; return how many. One that fails is retried in a minute."""
    started = 0
    for schedule in BriefingSchedule.objects.filter(is_active=True).select_related("manager"):
        local = now.astimezone(ZoneInfo(schedule.timezone))
        if is_due(schedule, local):
            started += _start(schedule, local)
    return started


def is_due(schedule: BriefingSchedule, local: datetime) -> bool:
    """Return whether today's briefing must be started, by the local clock of its site."""
    since = datetime.combine(local.date(), schedule.at, tzinfo=local.tzinfo)
    done = schedule.last_on is not None and schedule.last_on >= local.date()
    return not done and local.weekday() in schedule.weekdays and since <= local < since + _LATEST


def next_at(schedule: BriefingSchedule, now: datetime) -> datetime | None:
    """Return the local time of the next briefing, or None if there will be none."""
    local = now.astimezone(ZoneInfo(schedule.timezone))
    if not schedule.is_active or not schedule.weekdays:
        return None
    days = (local.date() + timedelta(days=ahead) for ahead in range(8))
    times = (datetime.combine(day, schedule.at, tzinfo=local.tzinfo) for day in days)
    return next((at for at in times if is_due(schedule, max(local, at))), None)


def _start(schedule: BriefingSchedule, local: datetime) -> int:
    """Claim today's briefing and start it in one transaction."""
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
