"""Work that kills its worker is given up after the last attempt, whatever kind it is, and seen."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from accounts.models import Application, Scope
from accounts.services import create_api_key
from analysis import tasks as analysis_tasks
from analysis.models import JobKind
from analysis.services import checking, jobs
from analysis.services.lifecycle import CHECKS
from analysis.services.submission import NewCheck, submit
from assistant import tasks as assistant_tasks
from assistant.models import BriefingMail
from assistant.services import answering, briefings, start_conversation
from assistant.services.lifecycle import TURNS, accept
from documents import tasks as documents_tasks
from documents.services import indexing
from documents.services.collections import create_collection
from documents.services.queue import DOCUMENTS
from documents.services.uploads import upload
from lib.workqueue.broker import redis_client
from lib.workqueue.queue import WORKER_LOST, WorkQueue
from memory.services.managers import create_manager
from notifications import delivery
from notifications import tasks as notifications_tasks
from notifications.models import Channel, EventKind, Notification, Subscription
from notifications.services import notify, save_subscription

pytestmark = pytest.mark.django_db(transaction=True)
CHILD_SECONDS = 120


@dataclass(frozen=True)
class Work:
    """A queued row, the task that works on it, and the step at which the task is killed.

    `page` is where people read of it, and `words` what they read there.
    """

    queue: WorkQueue[Any]
    key: Any
    task: Callable[[], object]
    patch: tuple[object, str, object]
    page: str
    words: str


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def a_check(application: Application) -> Work:
    key = submit(application_id=application.pk, new=NewCheck(answer="A claim."), by="t").id
    return Work(
        CHECKS, key, lambda: checking.run_check(key),
        (checking, "measure_submission", die),
        f"/api/v1/checks/{key}", '"action":"WARN"',
    )  # fmt: skip


def a_document(application: Application) -> Work:
    collection = create_collection(application=application, name="handbook", by="t")
    key = upload(collection=collection, name="a.txt", data=b"The wind.", by="t").document.pk
    return Work(
        DOCUMENTS, key, lambda: documents_tasks.index_document(str(key)),
        (indexing, "read_file", die),
        f"/api/v1/documents/{key}", f"It could not be indexed in 3 attempts ({WORKER_LOST}).",
    )  # fmt: skip


def a_question(application: Application) -> Work:
    manager = create_manager(application=application, name="Ann", by="t")
    key = accept(start_conversation(manager), "When does the crane stop?", by="t").pk
    return Work(
        TURNS, key, lambda: assistant_tasks.answer_turn(str(key)),
        (answering, "gather_evidence", die),
        f"/api/v1/assistant/messages/{key}", "every attempt failed",
    )  # fmt: skip


def a_job(application: Application) -> Work:
    job = jobs.start_job(
        application_id=application.pk, kind=JobKind.REPLAY, options={}, by="t", person=None
    )
    return Work(
        jobs.JOBS, job.pk, lambda: analysis_tasks.run_job(job.pk),
        (jobs, "STEPS", {JobKind.REPLAY: die}),
        reverse("admin:analysis_job_change", args=[job.pk]), "It failed three times",
    )  # fmt: skip


def a_notification(application: Application) -> Work:
    target = Subscription(
        application=application, channel=Channel.WEBHOOK, target="https://hooks.example.com/x"
    )
    save_subscription(subscription=target, by="t")
    notify(EventKind.REVIEW_ESCALATED, application_id=application.pk, key="k", data={})
    key = Notification.objects.get().pk
    return Work(
        delivery.NOTIFICATIONS, key, notifications_tasks.deliver, (delivery, "_send", die),
        reverse("admin:notifications_notification_changelist"), WORKER_LOST,
    )  # fmt: skip


def a_briefing(application: Application) -> Work:
    manager = create_manager(
        application=application, name="Ann", user=User.objects.get(is_superuser=True), by="t"
    )
    conversation = start_conversation(manager, title="Briefing")
    key = BriefingMail.objects.create(conversation=conversation, email="ann@example.com").pk
    return Work(
        briefings.BRIEFING_MAILS, key, assistant_tasks.brief_managers,
        (briefings, "send", die),
        reverse("assistant_schedule", args=[manager.pk]), f"not sent: {WORKER_LOST}",
    )  # fmt: skip


@pytest.mark.parametrize(
    "queued", [a_check, a_document, a_question, a_job, a_notification, a_briefing]
)
def test_work_that_kills_its_worker_is_given_up_and_seen(
    queued, application, superuser, client, empty_redis, settings, monkeypatch
) -> None:
    settings.QUEUE_MAX_ATTEMPTS = 3
    monkeypatch.setattr(delivery, "MAX_ATTEMPTS", 3)
    monkeypatch.setattr(briefings, "MAX_ATTEMPTS", 3)
    work = queued(application)
    rows = work.queue.model.objects.filter(pk=work.key)
    for attempt in range(1, 4):
        assert killed_while(work)
        row = rows.get()
        assert (row.state, row.attempts) == ("running", attempt)
        rows.update(lease_until=Now() - timedelta(seconds=1))
        redis_client().flushall()  # the lock of a lost worker runs out as well
        assert work.queue.sweep().given_up == (attempt == 3)
    row = rows.get()
    assert (row.state, row.attempts, row.last_error) == ("failed", 3, WORKER_LOST)
    assert work.queue.claim(work.key) is None
    assert work.words in seen(work, application, superuser, client)


def killed_while(work: Work) -> bool:
    """Return whether a process of its own was killed in the middle of the work."""
    child = multiprocessing.get_context("fork").Process(target=_work, args=(work,))
    child.start()
    child.join(CHILD_SECONDS)
    return child.exitcode == -signal.SIGKILL


def _work(work: Work) -> None:
    # The connection belongs to the parent: closing it here would end it there.
    connection.connection = None
    module, name, replacement = work.patch
    with mock.patch.object(module, name, replacement):
        work.task()


def seen(work: Work, application: Application, superuser: User, client: Client) -> str:
    """Return what the API or the admin shows of it."""
    if not work.page.startswith("/api/"):
        client.force_login(superuser)
        return client.get(work.page).content.decode()
    _, token = create_api_key(application=application, name="t", scopes=tuple(Scope), by="t")
    answer = client.get(work.page, headers={"authorization": f"Bearer {token}"})
    assert answer.json()["state"] == "failed"
    return answer.content.decode()
