"""The morning briefing: asked for at once, or sent by the clock."""

from datetime import UTC, datetime, time, timedelta
from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import Scope
from analysis.models import Check
from assistant.models import BriefingMail, BriefingSchedule, Conversation, Turn
from assistant.services import start_conversation
from assistant.services.answering import answer
from assistant.services.briefings import (
    MAX_ATTEMPTS,
    is_due,
    schedule,
    send_answered,
    start_briefing,
    start_due,
    unschedule,
)
from assistant.tasks import brief_managers, sweep
from lib.sandbox import available
from lib.workqueue.queue import WORKER_LOST
from memory.models import MemoryEntry
from notifications.channels import Undelivered
from tests.commands import run
from tests.fake_weather import gale, serving

MONDAY = datetime(2026, 11, 23, 5, 45, tzinfo=UTC)  # 06:45 in Amsterdam


@pytest.fixture
def sky(settings):
    """Lead the tool to a fake service with a gale all day."""
    with serving(sky=gale) as fake:
        for name, value in fake.settings().items():
            setattr(settings, name, value)
        yield fake


@pytest.fixture
def every_morning(manager):
    return schedule(
        manager,
        at=time(6, 30),
        email="ann@example.com",
        zone="Europe/Amsterdam",
        weekdays=[0, 1, 2, 3, 4],
    )


def answer_all(conversation):
    for turn in conversation.turns.all():
        answer(turn.pk)


def test_the_command_sets_the_weather_beside_the_handbook(put, asks, sky):
    if available().tier is None:
        pytest.skip(f"no sandbox here: {available().reason}")
    put()
    asks("Our site is located in Rotterdam.")
    asks("My active works are crane operations on level 12.")
    entry_ids = set(MemoryEntry.objects.values_list("pk", flat=True))
    assert len(entry_ids) == 2
    text = run("briefing", application="site", manager="Ann", stderr=StringIO())
    assert "limits apply to crane operations" in text
    assert "Crane operation stops when gusts reach 38 km/h." in text
    assert "From the weather service:" in text
    assert "Forecast for Rotterdam" in text
    assert "is more than 38 km/h" in text, "the forecast beside the limit"
    turn = Turn.objects.latest("id")
    assert Check.objects.filter(pk=turn.check_record_id).exists(), "it went through the pipeline"
    assert turn.memory["facts"] == []
    assert set(MemoryEntry.objects.values_list("pk", flat=True)) == entry_ids


def test_the_command_names_what_is_wrong(manager):
    for options, reason in (
        ({"manager": "Bob"}, "no manager called Bob"),
        ({"manager": "Ann", "at": time(6)}, "--at and --email are both required"),
        ({"manager": "Ann", "at": time(6), "email": "ann"}, "does not exist"),
        (
            {"manager": "Ann", "at": time(6), "email": "a@b.example", "timezone": "Mars/Olympus"},
            "does not exist",
        ),
    ):
        with pytest.raises(CommandError, match=reason):
            call_command("briefing", application="site", **options)
    assert not BriefingSchedule.objects.exists()


def test_the_command_schedules_and_stops(manager):
    out = StringIO()
    options = {"application": "site", "manager": "Ann", "stdout": out}
    call_command(
        "briefing", at=time(6, 30), email="ann@example.com", days=["sat", "mon"], **options
    )
    assert "06:30 UTC on mon, sat" in out.getvalue()
    call_command("briefing", stop=True, **options)
    call_command("briefing", stop=True, **options)
    assert out.getvalue().rstrip().endswith("No more will be sent.\nNone was scheduled.")


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (MONDAY, True),
        (MONDAY.replace(hour=5, minute=29), False),
        (MONDAY.replace(hour=5, minute=30), True),
        (MONDAY.replace(hour=11, minute=29), True),
        (MONDAY.replace(hour=11, minute=31), False),
        (MONDAY.replace(day=22), False),
        (datetime(2026, 7, 6, 4, 31, tzinfo=UTC), True),
    ],
    ids=["after", "before", "on time", "late", "too late", "on Sunday", "in summer time"],
)
def test_when_it_is_due(every_morning, now, due):
    assert (start_due(now) == 1) is due


def test_a_day_has_one_briefing(every_morning):
    assert [start_due(MONDAY) for _ in range(3)] == [1, 0, 0]
    assert start_due(MONDAY.replace(day=24)) == 1
    assert Conversation.objects.count() == 2
    every_morning.refresh_from_db()
    assert not is_due(every_morning, MONDAY.replace(day=24))


def test_none_after_it_was_stopped(every_morning, manager):
    assert unschedule(manager)
    assert start_due(MONDAY) == 0


def test_one_that_fails_to_start_is_started_later(every_morning, monkeypatch):
    with monkeypatch.context() as context:
        context.setattr("assistant.services.briefings.start_briefing", None)
        assert start_due(MONDAY) == 0
    assert start_due(MONDAY) == 1


def test_it_is_sent_once_when_all_is_answered(put, every_morning, settings):
    settings.EMAIL_HOST = "mail.example"
    put()
    start_due(MONDAY)
    assert send_answered() == 0
    conversation = Conversation.objects.get()
    answer_all(conversation)
    assert [send_answered(), send_answered()] == [1, 0]
    brief_managers()
    message = mail.outbox[0]
    assert (len(mail.outbox), message.to) == (1, ["ann@example.com"])
    assert message.subject == conversation.title
    assert all(turn.question in message.body for turn in conversation.turns.all())
    assert message.extra_headers["Message-ID"] == f"<briefing-{conversation.pk}@watchdog>"
    assert conversation.briefing_mail.state == "sent"


def test_a_mail_that_is_refused_is_tried_again_and_given_up_at_last(
    put, manager, settings, monkeypatch
):
    def refuse(**_):
        raise Undelivered("the mail server did not answer")

    monkeypatch.setattr("assistant.services.briefings.send", refuse)
    conversation = start_briefing(manager, email="ann@example.com")
    answer_all(conversation)
    for _ in range(MAX_ATTEMPTS):
        assert send_answered() == 0
        BriefingMail.objects.filter(state="queued").update(due_at=Now())
    briefing_mail = BriefingMail.objects.get()
    assert (briefing_mail.state, briefing_mail.attempts) == ("failed", MAX_ATTEMPTS)
    assert briefing_mail.last_error == "the mail server did not answer"


def test_a_mail_that_cannot_be_made_holds_up_no_other(manager, settings, monkeypatch):
    settings.EMAIL_HOST = "mail.example"

    def titled(conversation):
        if conversation.title == "first":
            raise ValueError("no text")
        return conversation.title

    monkeypatch.setattr("assistant.services.briefings.text_of", titled)
    for title in ("first", "second"):
        conversation = start_conversation(manager, title=title)
        BriefingMail.objects.create(conversation=conversation, email="ann@example.com")
    assert send_answered() == 1
    assert [message.subject for message in mail.outbox] == ["second"]
    first = BriefingMail.objects.get(conversation__title="first")
    assert (first.state, first.attempts, first.last_error) == ("queued", 1, "ValueError")
    assert [first.due_at > timezone.now(), send_answered()] == [True, 0]


def test_a_mail_whose_worker_was_lost_is_sent_later_or_given_up(manager, settings):
    settings.EMAIL_HOST = "mail.example"
    conversation = start_conversation(manager, title="lost")
    briefing_mail = BriefingMail.objects.create(conversation=conversation, email="a@b.example")
    lost = {"state": "running", "due_at": None, "lease_until": Now() - timedelta(seconds=1)}
    BriefingMail.objects.update(**lost, attempts=MAX_ATTEMPTS - 1)
    sweep()
    assert [send_answered(), len(mail.outbox)] == [1, 1]
    BriefingMail.objects.update(**lost, attempts=MAX_ATTEMPTS, sent_at=None)
    sweep()
    briefing_mail.refresh_from_db()
    assert (briefing_mail.state, briefing_mail.last_error) == ("failed", WORKER_LOST)
    assert send_answered() == 0


def test_another_managers_facts_are_not_used(put, asks, manager, tenant):
    from memory.services.managers import create_manager

    asks("My active works are painting and coating on level 12.")
    own = start_briefing(manager).turns.values_list("question", flat=True)
    assert [("painting" in question) for question in own] == [True]
    other = create_manager(application=tenant, name="Bob", by="test")
    questions = start_briefing(other).turns.values_list("question", flat=True)
    assert not any("painting" in question for question in questions)


def test_a_client_starts_one_and_reads_its_answers(put, tenant, client_with):
    put()
    client = client_with(tenant, Scope.ASSISTANT_READ, Scope.ASSISTANT_WRITE)
    response = client.post("/api/v1/assistant/briefings", {"manager": "Ann"}, format="json")
    assert (response.status_code, response.data["manager"], response.data["turn_count"]) == (
        202,
        "Ann",
        3,
    )
    answer_all(Conversation.objects.get())
    turns = client.get(response["Location"]).data["results"]
    assert [(turn["state"], turn["manager"]) for turn in turns] == [("done", "Ann")] * 3
    assert "gusts reach 38 km/h" in turns[2]["answer"]
    assert "wind reaches 50 km/h" in turns[1]["answer"]


@pytest.mark.parametrize("body", [{}, {"manager": ""}, {"manager": "Ann", "email": "a@b.example"}])
def test_a_client_must_name_the_manager_alone(tenant, client_with, body):
    client = client_with(tenant, Scope.ASSISTANT_WRITE)
    response = client.post("/api/v1/assistant/briefings", body, format="json")
    assert (response.status_code, Conversation.objects.count()) == (400, 0)
