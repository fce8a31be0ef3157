"""The morning briefing: the day's weather compared with the handbook, for each work.

A briefing is a conversation like any other, but nothing of its questions is remembered, since the
manager did not write them. It is started at once or by the clock (safe to run twice and late: a
day's briefing is started by one conditional UPDATE), and may be sent by e-mail; a mail that is sent
twice has the same Message-ID.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, time, timedelta
from time import monotonic
from zoneinfo import ZoneInfo

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from assistant.models import OPEN, BriefingMail, BriefingSchedule, Conversation, MailState, Turn
from assistant.services.answering import answer
from assistant.services.asking import assert_room, start_conversation
from assistant.services.lifecycle import accept
from assistant.services.understanding import BRIEFING
from lib.text.tokens import tokenize
from lib.text.words import word_set
from lib.workqueue.queue import LeaseLost, WorkQueue
from memory.models import Manager
from memory.selectors import recall
from notifications.channels import Undelivered
from notifications.channels.mail import send

log = structlog.get_logger(__name__)
WORKS = {
    "crane operations": word_set("crane cranes hoist hoists hoisting lifting lifts derrick"),
    "scaffold work": word_set("scaffold scaffolds scaffolding"),
    "facade and glazing work": word_set("glazing glaziers facade façade cladding windows"),
    "roof work": word_set("roof roofs roofing roofers"),
    "steel erection": word_set("steel erection ironwork girders"),
    "work on aerial lifts and ladders": word_set("mewp mewps ladder ladders platform platforms"),
    "concrete work": word_set("concrete concreting pour pours pouring formwork"),
    "excavation and trench work": word_set(
        "excavation excavations excavating trench trenches trenching earthworks"
    ),
    "painting and coating": word_set("paint painting painters coating"),
}
"""The works of a site that weather can stop, with the words that name them."""
MOST_WORKS = 5
RECALL = (
    "Which works are active on the construction site: crane operations, scaffolds, glazing and "
    "facade, roofing, steel erection, concrete, excavation, painting?"
)
"""The question to the memory."""
_OF = "Which wind, gust, rain or temperature limits apply to {work}, and what is the weather today?"
_USUAL = ("crane operations", "scaffold work", "roof work")
"""Asked about where nothing is known of the site: what wind stops first."""


def works_in(facts: Iterable[str]) -> tuple[str, ...]:
    """Return the works that the manager's facts name, in the order of WORKS, five at most."""
    fact_words = {word for fact in facts for word in tokenize(fact).lower}
    return tuple(work for work, words in WORKS.items() if words & fact_words)[:MOST_WORKS]


def questions_on(facts: Iterable[str]) -> tuple[str, ...]:
    """Return a question for each active work; for the usual ones if none is known."""
    return tuple(_OF.format(work=work) for work in works_in(facts) or _USUAL)


_MOST_FACTS = 8
_UNANSWERED = "This could not be answered: every attempt failed."


def start_briefing(manager: Manager, *, email: str = "", enqueue: bool = True) -> Conversation:
    """Store the questions of a briefing for the workers; once committed, none is lost.

    `email`: send the answers there when complete. Raises inference.errors.ModelError.
    """
    facts = [item.text for item in recall(manager, RECALL, limit=_MOST_FACTS)]
    with transaction.atomic():
        title = f"Briefing of {timezone.localdate():%-d %B %Y}"
        conversation = start_conversation(manager, title=title)
        for question in questions_on(facts):
            accept(conversation, question, by=f"{BRIEFING}{manager.pk}", enqueue=enqueue)
        if email:
            BriefingMail.objects.create(conversation=conversation, email=email)
    return conversation


@transaction.atomic
def brief_later(manager: Manager) -> Conversation:
    """Queue a briefing for the workers. Raises TooManyOpen and inference.errors.ModelError."""
    assert_room(manager)
    return start_briefing(manager)


def brief(manager: Manager, *, on_turn: Callable[[Turn], None] = lambda _: None) -> Conversation:
    """Write a briefing at once; a worker continues whatever fails here."""
    conversation = start_briefing(manager, enqueue=False)
    for turn in conversation.turns.order_by("id"):
        on_turn(turn)
        answer(turn.pk)
    return conversation


def text_of(conversation: Conversation) -> str:
    """Return a briefing's questions and answers for a terminal or an e-mail. One query."""
    turns = conversation.turns.order_by("id").values_list("question", "answer")
    parts = [f"{question}\n\n{answer or _UNANSWERED}" for question, answer in turns]
    rule = "\n\n" + "-" * 72 + "\n\n"
    return f"{conversation.title}\n\n" + rule.join(parts) + "\n"


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
    unfinished = Turn.objects.filter(conversation=OuterRef("conversation"), state__in=OPEN)
    return next(iter(BRIEFING_MAILS.claim_due(~Exists(unfinished))), None)


def _deliver(mail: BriefingMail) -> bool:
    """Send a mail; return whether it was sent. A failure does not affect other mails."""
    try:
        send(
            to=mail.email,
            subject=mail.conversation.title,
            body=text_of(mail.conversation),
            message_id=f"briefing-{mail.conversation_id}",
        )
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
