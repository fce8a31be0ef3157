"""Every operation of the OpenAPI document, called by whoever has no permission for it.

Operations are read from the document, so that a new one is asked on the day it is added.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest
import yaml
from django.test import Client
from django.urls import resolve
from rest_framework.test import APIClient

from accounts.models import Application, Scope
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

    @property
    def scope(self) -> Scope:
        """The scope that the operation needs, by its view."""
        if self.method == "delete":
            return getattr(self.view, "delete_scope", self.view.write_scope)
        return self.view.read_scope if self.method in SAFE else self.view.write_scope


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


def ask(client: Client, operation: Operation) -> int:
    return client.generic(
        operation.method.upper(), operation.path, "{}", content_type="application/json"
    ).status_code


def test_the_document_is_walked() -> None:
    assert len(GUARDED) > 40
    assert {item.method for item in GUARDED} >= {"get", "post", "patch", "delete"}
    assert {item.scope for item in GUARDED} == set(Scope)


def test_only_the_document_itself_is_open() -> None:
    assert {operation.path for operation in OPERATIONS} - {item.path for item in GUARDED} <= {
        "/api/v1/schema"
    }
    assert all(HasScope in item.view.permission_classes for item in GUARDED)


@pytest.mark.django_db
def test_nobody_gets_in() -> None:
    client = APIClient(raise_request_exception=False)
    assert {item: status for item in GUARDED if (status := ask(client, item)) != 401} == {}


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
    answers = {item: ask(client, item) for item in GUARDED}
    refused = {answer for answer, status in answers.items() if status == 403}
    assert refused == {item for item in GUARDED if item.scope != scope}
    assert {answer: status for answer, status in answers.items() if status >= 500} == {}
