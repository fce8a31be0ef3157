"""Every operation of the OpenAPI document, called by whoever has no permission for it.

Operations are read from the document, so that a new one is asked on the day it is added.
"""

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

from accounts.models import DEFAULT_SCOPES, Application, Scope
from accounts.permissions import HasScope
from accounts.views import ApplicationView
from tests.shapes import ClientWith

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
def test_a_logged_in_superuser_without_a_key_is_nobody(client: Client, superuser) -> None:
    client.force_login(superuser)
    assert {item: status for item in GUARDED if (status := ask(client, item)) != 401} == {}


@pytest.mark.django_db
@pytest.mark.parametrize("scope", Scope)
def test_a_single_scope_opens_its_own_operations_alone(
    application: Application, client_with: ClientWith, scope: Scope
) -> None:
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
