"""Every address of the URL table, asked by each role of another application.

The addresses are read from the table, so that a new page is asked on the day it is added. What
takes an API key is walked in `tests/integration/api/test_authorisation.py`.
"""

import re
from collections.abc import Iterator, Mapping

import pytest
from django.contrib.auth.models import User
from django.http import StreamingHttpResponse
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

from accounts.models import Role
from accounts.services import grant_role
from assistant.models import Turn
from assistant.services import start_conversation
from assistant.services.lifecycle import accept
from audit.models import TrailEntry
from documents.services.collections import create_collection
from memory.models import Manager
from memory.services.managers import create_manager
from tests.integration.watchdog_site.test_every_page import addresses

SECRET = "Quillwort"
NOT_PAGES = ("admin/", "api/", "static/")
"""The admin's own addresses come with the key of a row; keys of the API are not log-ins."""
OPEN = {"/logout", "/readyz", "/metrics"}
"""Whoever logs out is nobody; the others belong to no application."""
OF_ALL = "/admin/analysis/reasoncode/"
"""The reasons that come with the product are every application's."""
FOREIGN = (302, 400, 403, 404, 405)
_PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")
_OF_A_ROW = re.compile(r"/\d+/|[0-9a-f]{8}-")


def routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        if not isinstance(pattern.pattern, RoutePattern):
            continue
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def filled(route: str, values: Mapping[str, str]) -> str:
    """Return the route with a value for each parameter, by its name.

    An unknown kind is an error.
    """
    return "/" + _PARAMETER.sub(lambda match: values[match[2]], route)


@pytest.fixture
def owned(application, empty_redis, checked) -> dict[str, str]:
    """Make something of everything in `application`, all of it with the secret word."""
    check = checked(f"The {SECRET} mill closed in 2010.", query=f"When did {SECRET} close?")
    create_collection(application=application, name=SECRET.lower(), title=SECRET, by="test")
    member = User.objects.create_user(f"{SECRET}@example.org")
    grant_role(user=member, application=application, role=Role.REVIEWER, by="test")
    manager = create_manager(application=application, name=f"Ann {SECRET}", by="test")
    talk = start_conversation(manager, title=SECRET)
    turn: Turn = accept(talk, f"What of {SECRET}?", by="test", enqueue=False)
    return {
        "check_id": str(check.pk),
        "manager_id": str(manager.pk),
        "conversation_id": str(talk.pk),
        "turn_id": str(turn.pk),
        "entry_id": str(check.pk),
        "number": "1",
        "target": SECRET.lower(),
        "token": SECRET.lower(),
        "uidb64": "MQ",
    }


@pytest.mark.parametrize("role", [*Role, None], ids=str)
def test_who_belongs_to_another_application_sees_and_changes_nothing(
    role, owned, application, other_application, as_user
) -> None:
    user = User.objects.create_user("stranger", is_staff=role is not None)
    if role is None:
        create_manager(application=other_application, name="Stranger", user=user, by="test")
    else:
        grant_role(user=user, application=other_application, role=role, by="test")
    client = as_user(user)
    client.raise_request_exception = False
    pages = [
        route for route in routes(get_resolver().url_patterns) if not route.startswith(NOT_PAGES)
    ]
    paths = {*addresses(), *(filled(route, owned) for route in pages)}
    assert len(paths) > 100
    before = TrailEntry.objects.filter(application_id=application.pk).count()
    wrong = [
        (address, answer.status_code)
        for address in sorted(paths - OPEN)
        for answer in (client.get(address), client.post(address, {"post": "yes"}))
        if not is_closed(address, answer.status_code, content(answer))
    ]
    assert wrong == []
    assert TrailEntry.objects.filter(application_id=application.pk).count() == before
    assert Manager.objects.filter(application=application).count() == 1


def is_closed(address: str, status: int, text: str) -> bool:
    if _OF_A_ROW.search(address) and not address.startswith(OF_ALL):
        return status in FOREIGN and SECRET not in text
    return status < 500 and SECRET not in text


def content(answer: object) -> str:
    if isinstance(answer, StreamingHttpResponse):
        return ""
    return answer.content.decode(errors="replace")
