"""`/assistant/<manager>/schedule`: a manager's own briefing by e-mail."""

from datetime import UTC, date, datetime, time

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from assistant.models import BriefingMail, BriefingSchedule, MailState
from assistant.services import start_conversation
from assistant.services.briefings import next_at, schedule
from memory.services.managers import create_manager

ASKED = {
    "at": "06:15", "weekdays": ["0", "5"], "zone": "Europe/Amsterdam", "email": "kim@example.com",
}  # fmt: skip


@pytest.fixture
def kim(tenant):
    user = User.objects.create_user("kim", email="kim@example.com")
    return create_manager(application=tenant, name="Kim", user=user, by="test")


@pytest.fixture
def browser(kim, as_user):
    return as_user(kim.user)


def page_of(manager, name="assistant_schedule"):
    return reverse(name, args=[manager.pk])


def test_it_is_started_changed_and_stopped(kim, browser):
    page = browser.get(page_of(kim)).content.decode()
    assert "None is scheduled" in page
    assert 'value="kim@example.com"' in page
    assert page.count("checked") == 5
    scheduled_page = browser.post(page_of(kim), ASKED, follow=True).content.decode()
    assert "Scheduled." in scheduled_page
    assert "06:15 (Europe/Amsterdam), to kim@example.com" in scheduled_page
    schedule = BriefingSchedule.objects.get(manager=kim)
    assert (schedule.at, schedule.weekdays, schedule.is_active) == (time(6, 15), [0, 5], True)
    browser.post(page_of(kim), ASKED | {"weekdays": ["6"]})
    assert "Next: Sunday" in browser.get(page_of(kim)).content.decode()
    for words in ("No more will be sent.", "None was scheduled."):
        response = browser.post(page_of(kim, "assistant_schedule_stop"), follow=True)
        assert words in response.content.decode()
    assert "Stopped." in response.content.decode()
    browser.post(page_of(kim), ASKED)
    assert BriefingSchedule.objects.get().is_active


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"at": "25:00"}, "Enter a valid time."),
        ({"weekdays": []}, "Choose at least one day."),
        ({"weekdays": ["7"]}, "7 is not one of the available choices."),
        ({"zone": "Mars/Olympus"}, "is not one of the available choices."),
        ({"email": "kim"}, "Enter a valid email address."),
        ({"email": "a@b.example\nBcc: all@b.example"}, "Enter a valid email address."),
    ],
)
def test_what_is_wrong_stands_at_its_field(kim, browser, wrong, message):
    page = browser.post(page_of(kim), ASKED | wrong).content.decode()
    assert message in page
    assert "Nothing was changed." in page
    assert not BriefingSchedule.objects.exists()


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (MailState.SENT, "sent 23 Nov 2026 05:31 UTC to kim@example.com"),
        (MailState.FAILED, "not sent: the mail server refused"),
        (MailState.QUEUED, "not sent yet: the mail server refused"),
    ],
)
def test_the_last_one_is_told(kim, browser, state, text):
    waits, sent = state == MailState.QUEUED, state == MailState.SENT
    BriefingMail.objects.create(
        conversation=start_conversation(kim, title="Briefing of 23 November 2026"),
        email="kim@example.com",
        state=state,
        due_at=timezone.now() if waits else None,
        sent_at=datetime(2026, 11, 23, 5, 31, tzinfo=UTC) if sent else None,
        last_error="" if sent else "the mail server refused",
    )
    page = browser.get(page_of(kim)).content.decode()
    assert "Briefing of 23 November 2026" in page
    assert text in page


def test_where_nothing_can_be_sent_it_is_said(kim, browser, settings):
    settings.EMAIL_HOST = ""
    assert "No mail server is configured" in browser.get(page_of(kim)).content.decode()
    settings.EMAIL_HOST = "mail.example"
    assert "No mail server is configured" not in browser.get(page_of(kim)).content.decode()


def test_nobody_sees_or_changes_anothers(manager, browser):
    for name in ("assistant_schedule", "assistant_schedule_stop"):
        assert browser.post(page_of(manager, name), ASKED).status_code == 404
    assert browser.get(page_of(manager)).status_code == 404
    assert Client().get(page_of(manager))["Location"].startswith("/login?next=")
    assert not BriefingSchedule.objects.exists()


def test_the_page_costs_six_queries(kim, browser):
    schedule(kim, at=time(6), email="a@b.example", zone="UTC", weekdays=[0])
    # the session, the user, the second factor, its managers, the schedule, the last mail
    with assertNumQueries(6):
        browser.get(page_of(kim))


@pytest.mark.parametrize(
    ("now", "last_on", "expected"),
    [
        (datetime(2026, 11, 23, 5, 0, tzinfo=UTC), None, "2026-11-23 06:30 +0100"),
        (datetime(2026, 11, 23, 6, 0, tzinfo=UTC), None, "2026-11-23 06:30 +0100"),
        (datetime(2026, 11, 23, 6, 0, tzinfo=UTC), date(2026, 11, 23), "2026-11-30 06:30 +0100"),
        (datetime(2026, 11, 23, 12, 0, tzinfo=UTC), None, "2026-11-30 06:30 +0100"),
        (datetime(2026, 3, 28, 12, 0, tzinfo=UTC), None, "2026-03-30 06:30 +0200"),
    ],
    ids=["ahead", "late today", "done today", "too late today", "over the change of the clocks"],
)
def test_when_the_next_one_is(now, last_on, expected):
    schedule = BriefingSchedule(
        at=time(6, 30), timezone="Europe/Amsterdam", weekdays=[0], last_on=last_on, is_active=True
    )
    at = next_at(schedule, now)
    assert at
    assert f"{at:%Y-%m-%d %H:%M %z}" == expected


def test_none_is_next_where_it_was_stopped():
    schedule = BriefingSchedule(at=time(6), timezone="UTC", weekdays=[0], is_active=False)
    assert next_at(schedule, datetime(2026, 11, 23, tzinfo=UTC)) is None
