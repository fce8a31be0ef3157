"""The database connection of a worker process, from one task to the next."""

import pytest
from celery.fixups.django import DjangoWorkerFixup
from django.db import connections

from analysis.tasks import sweep
from tests.database import sql
from watchdog_site.celery import app, keep_connections

pytestmark = pytest.mark.django_db(transaction=True)


def backend() -> int:
    return int(sql("SELECT pg_backend_pid()")[0][0])


def begin_task() -> None:
    """Do what the worker's signals do before a task."""
    DjangoWorkerFixup(app).on_task_prerun(sweep)
    keep_connections()


def test_tasks_share_a_connection() -> None:
    first = backend()
    for _ in range(3):
        begin_task()
        assert backend() == first
        DjangoWorkerFixup(app).on_task_postrun(sweep)


def test_a_task_after_the_connection_broke_has_a_new_one() -> None:
    first = backend()
    other = connections.create_connection("default")
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
    other.close()
    begin_task()
    assert backend() != first
