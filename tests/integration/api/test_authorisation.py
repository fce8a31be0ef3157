"""Every operation of the OpenAPI document, called by whoever has no permission for it.

Pages are walked in `tests/integration/watchdog_site/`.

Operations are read from the document, so that a new one is asked on the day it is added.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest
import yaml
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve
from rest_framework.test import APIClient

from accounts.models import DEFAULT_SCOPES, Scope
from accounts.permissions import HasScope
from accounts.views import ApplicationView
from analysis.models import Batch, CaseUse
from analysis.services.policies import active_policy
from assistant.services import start_conversation
from assistant.services.lifecycle import accept
from audit.models import TrailEntry
from desk.policies.services.cases import add_cases, read_cases
from documents.services.collections import create_collection
from documents.services.uploads import upload
from memory.services.managers import create_manager
from memory.services.remembering import remember
from tests.integration.people import subscribed
from watchdog_site.openapi_document import EXAMPLES

DOCUMENT = yaml.load(Path("docs/openapi.yaml").read_text(), yaml.CSafeLoader)
METHODS = ("get", "post", "put", "patch", "delete")
SAFE = ("get",)


class Operation(NamedTuple):
    method: str
    path: str

    @property
    def view(self) -> type[ApplicationView]:
        return resolve(self.path).func.cls


def operations() -> Iterator[Operation]:
    for path, methods in DOCUMENT["paths"].items():
        for method in METHODS:
            if method in methods:
                yield Operation(method, filled(path, methods[method]))


def filled(path: str, operation: dict) -> str:
    """Return the path with an id that nobody has, or a name where one is asked for."""
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            kind = parameter["schema"]
            value = str(uuid4()) if kind.get("format") == "uuid" else "1"
            path = path.replace("{%s}" % parameter["name"], value)  # noqa: UP031
    return path


OPERATIONS = sorted(set(operations()))
GUARDED = [operation for operation in OPERATIONS if issubclass(operation.view, ApplicationView)]


FAMILIES = {
    "checks": "analyze batches checks keys probes trends usage", "reviews": "evidence reviews",
    "documents": "collections documents search", "memory": "managers", "assistant": "assistant",
    "policies": "policies", "webhooks": "webhooks",
}  # fmt: skip
"""The scopes of each family, and the first parts of its paths."""
READING = {"checks/link", "managers/recall", "policies/replay", "search/search"}
"""Posts that change nothing: the first part of the path, and the last."""


def scope_of(operation: Operation) -> str:
    """Return the scope that an operation is to need."""
    parts = operation.path.removeprefix("/api/").removeprefix("v1/").split("/")
    if operation.method == "delete" and parts[0] == "checks":
        return "checks:erase"
    if parts[-1] == "rotate":
        return "keys:rotate"
    is_plan_changed = parts == ["reviews", "sampling"] and operation.method not in SAFE
    if parts[0] == "cases" or is_plan_changed:
        return "policies:write"  # for leads: reviewers must not learn which items are cases
    (family,) = (name for name, firsts in FAMILIES.items() if parts[0] in firsts.split())
    reads = operation.method in SAFE or f"{parts[0]}/{parts[-1]}" in READING
    return f"{family}:{'read' if reads else 'write'}"


def send(client: Client, operation: Operation) -> HttpResponse:
    method, kind = operation.method.upper(), "application/json"
    return client.generic(method, operation.path, "{}", content_type=kind)


def ask(client: Client, operation: Operation) -> int:
    return send(client, operation).status_code


def test_the_document_is_walked() -> None:
    assert len(GUARDED) > 40
    assert {item.method for item in GUARDED} >= {"get", "post", "patch", "delete"}
    assert {scope_of(item) for item in GUARDED} == set(Scope)


def test_only_the_document_itself_is_open() -> None:
    assert {operation.path for operation in OPERATIONS} - {item.path for item in GUARDED} <= {
        "/api/v1/schema"
    }
    assert all(HasScope in item.view.permission_classes for item in GUARDED)


@pytest.mark.django_db
def test_nobody_gets_in() -> None:
    for operation in GUARDED:
        answer = send(APIClient(raise_request_exception=False), operation)
        assert answer.status_code == 401, operation
        assert answer["WWW-Authenticate"].startswith("Bearer")
        assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.django_db
def test_a_logged_in_superuser_without_a_key_is_nobody(client, superuser) -> None:
    client.force_login(superuser)
    assert {item: status for item in GUARDED if (status := ask(client, item)) != 401} == {}


@pytest.mark.django_db
@pytest.mark.parametrize("scope", Scope)
def test_a_single_scope_opens_its_own_operations_alone(application, client_with, scope) -> None:
    client = client_with(application, scope)
    answers = {item: send(client, item) for item in GUARDED}
    refused = {item: answer for item, answer in answers.items() if answer.status_code == 403}
    assert set(refused) == {item for item in GUARDED if scope_of(item) != scope}
    for item, answer in refused.items():
        assert f"`{scope_of(item)}`" in answer.json()["detail"], item
    assert not [item for item, answer in answers.items() if answer.status_code >= 500]


def test_a_key_has_the_scopes_that_the_page_names_unless_others_are_asked_for() -> None:
    rows = re.findall(r"(?m)^\| (`.*`) \| .* \| yes \|$", Path("docs/reference/api.md").read_text())
    assert {name for row in rows for name in re.findall("`(.*?)`", row)} == set(DEFAULT_SCOPES)


SECRET = "Quillwort"


@pytest.fixture
def rows(application, api, checked, embedding_model, empty_redis) -> dict[str, str]:
    """Make a row of each kind, with the secret word; return the ids by their names in paths."""
    check = checked(f"{SECRET} definitely closed in 2026.", query=f"When did {SECRET} close?")
    batch = Batch.objects.create(application=application, items_total=0)
    line = json.dumps({"response": f"{SECRET} is closed.", "context": SECRET, "label": 0})
    (case,) = add_cases(
        application=application, use=CaseUse.REGRESSION, cases=read_cases([line.encode()]), by="t"
    )
    collection = create_collection(
        application=application, name=SECRET.lower(), title=SECRET, by="t"
    )
    document = upload(collection=collection, name=f"{SECRET}.txt", data=b"It.", by="t").document
    manager = create_manager(application=application, name=f"Ann {SECRET}", by="t")
    turn = accept(start_conversation(manager, title=SECRET), SECRET, by="t", enqueue=False)
    fact = remember(manager, f"The wind limit of the {SECRET} crane is 25 km/h.").main
    policy = active_policy(application.pk)
    job = api.post(f"/api/v1/policies/{policy.pk}/replay", {"sample": 10_001}, format="json")
    webhook = subscribed(application, f"https://93.184.216.34/{SECRET}")
    delivery = api.post(f"/api/v1/webhooks/{webhook.pk}/test")
    return {
        "check_id": str(check.pk),
        "review_id": str(check.reviews.get().pk),
        "batch_id": str(batch.pk),
        "case_id": str(case.pk),
        "name": collection.name,
        "document_id": str(document.pk),
        "manager_id": str(manager.pk),
        "conversation_id": str(turn.conversation_id),
        "turn_id": str(turn.pk),
        "entry_id": str(fact.entry_id),
        "policy_id": str(policy.pk),
        "job_id": str(job.json()["id"]),
        "webhook_id": str(webhook.pk),
        "delivery_id": delivery["Location"].rpartition("/")[2],
    }


def test_another_applications_rows_are_answered_as_unknown_ones_and_in_no_list(
    rows, application, other_application, client_with
) -> None:
    other_application.rate_limit_per_minute = None
    other_application.save()
    stranger, examples = client_with(other_application), json.loads(EXAMPLES.read_text())
    unknown = {
        name: str(uuid4()) if "-" in value else "999999" if value.isdigit() else "nowhere"
        for name, value in rows.items()
    }
    before = TrailEntry.objects.filter(application_id=application.pk).count()

    def told(method: str, path: str, body: object) -> tuple[int, str, bool]:
        answer = stranger.generic(method.upper(), path, json.dumps(body), "application/json")
        problem = answer.json() if answer.status_code >= 400 else {}
        is_silent = SECRET not in answer.content.decode(errors="replace")
        return answer.status_code, str((problem.get("type"), problem.get("errors"))), is_silent

    wrong = []
    for path, methods in DOCUMENT["paths"].items():
        for method in (name for name in METHODS if name in methods):
            body = examples.get(methods[method]["operationId"], {}).get("request", {})
            if "{" in path:
                answer = told(method, path.format_map(rows), body)
                is_unknown = answer == told(method, path.format_map(unknown), body)
                is_refused = 400 <= answer[0] < 500
                wrong += [] if is_unknown and is_refused else [(method, path, answer)]
            elif method in SAFE:
                answer = told(method, path, {})
                wrong += [] if answer[0] < 500 and answer[2] else [(method, path, answer)]
    assert wrong == []
    assert TrailEntry.objects.filter(application_id=application.pk).count() == before
