"""KEDA's queries to PostgreSQL: the seconds that the oldest item of a worker's queues waits."""

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from accounts.models import Application
from analysis.models import Check, Job, JobKind, JobState
from analysis.services.submission import NewCheck, submit
from assistant.services import start_conversation
from assistant.services.lifecycle import accept
from documents.services.collections import create_collection
from documents.services.uploads import upload
from memory.services.managers import create_manager
from tests.database import sql
from tests.shapes import MakeCheck
from tests.unit.test_deploy import EVERYTHING, VALUES, needs_helm, rendered
from watchdog_site import celery_config

pytestmark = [needs_helm, pytest.mark.usefixtures("empty_redis")]
QUEUES = {queue.name for queue in celery_config.task_queues} - {"maintenance", "notifications"}
KINDS = sorted(QUEUES | {"batches, a job"})
ASSISTANT = "workers.assistant.autoscaling.enabled=true"


def queries() -> dict[str, str]:
    """Return the query of each worker's deployment, all of them scaled."""
    documents = rendered([*EVERYTHING, ASSISTANT])
    scaled = [document for document in documents if document["kind"] == "ScaledObject"]
    return {
        document["metadata"]["name"].removeprefix("demo-worker-"): document["spec"]["triggers"][0][
            "metadata"
        ]["query"]
        for document in scaled
    }


def answers() -> dict[str, float]:
    """Return the present result of each worker's query."""
    return {name: float(sql(query)[0][0]) for name, query in queries().items()}


def waiting(kind: str, application: Application, make_check: MakeCheck) -> Any:
    """Return a row that waits in a queue."""
    match kind:
        case "checks":
            return make_check()
        case "batches":
            items = [NewCheck(answer="It was built.")]
            submit(application_id=application.pk, new=items, by="test")
            return Check.objects.get()
        case "batches, a job":
            return Job.objects.create(
                application=application, kind=JobKind.RETENTION, state=JobState.QUEUED, input={}
            )
        case "assistant":
            manager = create_manager(application=application, name="Kim", by="test")
            return accept(start_conversation(manager, title="?"), "Where?", by="x", enqueue=False)
        case "documents":
            books = create_collection(application=application, name="books", by="test")
            return upload(collection=books, name="a.txt", data=b"A.", by="api").document
    raise AssertionError(kind)


def test_every_worker_has_a_query() -> None:
    assert set(queries()) == set(VALUES["workers"])


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
def test_what_waits_is_seen_by_the_worker_that_serves_it(kind, application, make_check) -> None:
    assert set(answers().values()) == {0}
    queue = kind.partition(",")[0]
    row = waiting(kind, application, make_check)
    model = apps.get_model(row._meta.label)
    model._default_manager.filter(pk=row.pk).update(due_at=timezone.now() - timedelta(minutes=5))
    (server,) = [name for name, each in VALUES["workers"].items() if queue in each["queues"]]
    seconds = answers()
    # The database counts from the beginning of its transaction.
    assert 280 < seconds.pop(server) < 400
    assert set(seconds.values()) == {0}
    model._default_manager.filter(pk=row.pk).update(due_at=timezone.now() + timedelta(minutes=5))
    assert set(answers().values()) == {0}, "a later attempt is not waiting yet"
