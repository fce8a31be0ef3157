"""No list reads something more for each of its rows: every table of the admin, and of the API."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Application, Holiday, Role, Team
from accounts.services import create_api_key, create_application, grant_role
from analysis.engine.policy import DEFAULT_RULES
from analysis.models import (
    Batch,
    CaseUse,
    Check,
    CheckState,
    Job,
    JobKind,
    JobState,
    Probe,
    QueueInstructions,
    ReasonCode,
    Review,
    ReviewReason,
)
from analysis.services.erasure import place_hold
from analysis.services.policies import create_policy
from analysis.services.submission import NewCheck, submit
from desk.policies.services.cases import NewCase, add_cases
from documents.models import Collection
from documents.services.collections import create_collection
from documents.services.uploads import upload
from memory.models import DIMENSIONS, Manager, MemoryEntry, Target
from memory.services.managers import create_manager
from notifications.models import EventKind, Notification, Subscription
from tests.integration.people import subscribed

pytestmark = pytest.mark.usefixtures("empty_redis")
FEW, MORE = 2, 3


def _check(application: Application, number: int) -> Check:
    new = NewCheck(answer=f"The inn has {number} rooms.", query="How many rooms?")
    return Check.objects.get(pk=submit(application_id=application.pk, new=new, by="t").id)


def _review(application: Application, number: int) -> None:
    check = _check(application, number)
    Check.objects.filter(pk=check.pk).update(state=CheckState.FAILED, due_at=None, attempts=5)
    Review.objects.create(check_record=check, application=application, reason=ReviewReason.FAILED)


def _member(application: Application, number: int) -> User:
    user = User.objects.create_user(f"kim{number}", is_staff=True)
    grant_role(user=user, application=application, role=Role.REVIEWER, by="t")
    return user


def _team(application: Application, number: int) -> None:
    team = Team.objects.create(application=application, name=f"Team {number}")
    team.members.add(_member(application, number))


def _case(application: Application, number: int) -> None:
    case = NewCase(f"case {number}", True, NewCheck(answer=f"It has {number} rooms.", query="?"))
    add_cases(application=application, use=CaseUse.REGRESSION, cases=[case], by="t")


def _collection(application: Application, number: int) -> Collection:
    return create_collection(application=application, name=f"books-{number}", by="t")


def _document(application: Application, number: int) -> None:
    collection = _collection(application, number)
    upload(collection=collection, name="a.txt", data=b"A file.", by="t", enqueue=False)


def _manager(application: Application, number: int) -> Manager:
    return create_manager(application=application, name=f"Kim {number}", by="t")


def _memory(application: Application, number: int) -> None:
    MemoryEntry.objects.create(
        application=application, stated_by=_manager(application, number), target=Target.COMPANY,
        text=f"The wind limit of block {number} is 25 km/h.", confidence=1.0, judge="rules-1",
        embedding=[0.1] * DIMENSIONS, embedding_model="test",
    )  # fmt: skip


def _subscription(application: Application, number: int) -> Subscription:
    return subscribed(application, f"a{number}@example.com")


def _notification(application: Application, number: int) -> None:
    Notification.objects.create(
        subscription=_subscription(application, number), kind=EventKind.TEST, key=str(number),
        data={},
    )  # fmt: skip


def _job(application: Application, _number: int) -> None:
    Job.objects.create(
        application=application, kind=JobKind.EVALUATION, state=JobState.QUEUED, created_by="t",
        input={},
    )  # fmt: skip


MAKERS: dict[str, Callable[[Application, int], object]] = {
    "accounts/apikey": lambda app, n: create_api_key(application=app, name=f"k{n}", by="t"),
    "accounts/application": lambda _, n: create_application(name=f"A{n}", slug=f"a{n}", by="t"),
    "accounts/holiday": lambda app, n: Holiday.objects.create(
        application=app, day=date(2027, 1, 1) + timedelta(days=n)
    ),
    "accounts/membership": _member,
    "accounts/team": _team,
    "analysis/batch": lambda app, _: Batch.objects.create(
        application=app, items_total=1, errors=[]
    ),
    "analysis/case": _case,
    "analysis/check": _check,
    "analysis/job": _job,
    "analysis/legalhold": lambda app, n: place_hold(
        application=app, check=_check(app, n), reason="lawsuit", by="t"
    ),
    "analysis/policy": lambda app, n: create_policy(
        application_id=app.pk, rules=DEFAULT_RULES.to_json() | {"warn_at": 20 + n}, by="t"
    ),
    "analysis/probe": lambda app, n: Probe.objects.create(
        application=app, name=f"p{n}", answer="It has rooms."
    ),
    "analysis/queueinstructions": lambda app, n: QueueInstructions.objects.create(
        application=app, reason=ReviewReason.values[n], text="Look at the figures."
    ),
    "analysis/reasoncode": lambda _, n: ReasonCode.objects.create(code=f"c{n}", label=f"C {n}"),
    "analysis/review": _review,
    "audit/trailentry": _check,
    "auth/group": lambda _, n: Group.objects.create(name=f"g{n}"),
    "auth/user": _member,
    "documents/collection": _collection,
    "documents/document": _document,
    "memory/manager": _manager,
    "memory/memoryentry": _memory,
    "notifications/notification": _notification,
    "notifications/subscription": _subscription,
}
"""One more row of each table, by its address below `/admin/`."""
API = {
    "cases": "analysis/case", "checks": "analysis/check",
    "collections": "documents/collection", "documents": "documents/document",
    "managers": "memory/manager", "policies": "analysis/policy", "reviews": "analysis/review",
    "webhooks": "notifications/subscription",
}  # fmt: skip
"""The table of each list of the API, by its address below `/api/v1/`."""


def counts(get: Callable[[], Any], make: Callable[[int], object]) -> list[int]:
    """Return the queries of a list with few rows, and with more."""
    found = []
    for numbers in (range(FEW), range(FEW, FEW + MORE)):
        for number in numbers:
            make(number)
        get()  # what is read once is read now
        with CaptureQueriesContext(connection) as queries:
            assert get().status_code == 200
        found.append(len(queries))
    return found


@pytest.mark.parametrize("table", MAKERS)
def test_a_list_of_the_admin(table, desk, application) -> None:
    few, more = counts(
        lambda: desk.get(f"/admin/{table}/"), lambda number: MAKERS[table](application, number)
    )
    assert few == more


def test_every_table_is_here() -> None:
    models = admin.site._registry
    assert {f"{m._meta.app_label}/{m._meta.model_name}" for m in models} == set(MAKERS)


@pytest.mark.parametrize("path", API)
def test_a_list_of_the_api(path, client_with, application) -> None:
    client, make = client_with(application), MAKERS[API[path]]
    few, more = counts(
        lambda: client.get(f"/api/v1/{path}"), lambda number: make(application, number)
    )
    assert few == more
