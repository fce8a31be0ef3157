"""Headers of every response, by the addresses of the URL table over HTTPS."""

import re
import runpy
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings as product
from django.contrib.auth.models import User
from django.http import HttpResponseBase
from django.test import Client
from django.urls import get_resolver

from tests.integration.watchdog_site.test_every_page import addresses, rows
from tests.integration.watchdog_site.test_other_applications import filled, routes

__all__ = ["rows"]
PASSWORD = "correct horse battery staple"
EXACT = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}
REFERRER = ("same-origin", "no-referrer")
SET = {"default-src", "object-src", "base-uri", "form-action", "frame-ancestors"}
NOWHERE = {"object-src": "'none'", "base-uri": "'none'", "frame-ancestors": "'none'"}
OWN = {"'self'", "'none'", "data:"}
"""The sources that any directive may name: neither inline scripts nor another origin."""
YEAR = 365 * 24 * 3600
CLOSED = ("private", "no-store")
OPEN = ("/static/", "/api/docs/", "/api/v1/schema")
"""These are the same for everybody."""
LEAVES = ("/logout", "/admin/logout/")
"""After these a session is over."""


@pytest.fixture
def https(settings, monkeypatch) -> None:
    """Use the settings of an installation behind HTTPS."""
    monkeypatch.setenv("HTTPS", "true")
    module = Path(product.BASE_DIR) / "watchdog_site" / "settings" / "security.py"
    for name, value in runpy.run_path(str(module)).items():
        if name.isupper():
            setattr(settings, name, value)


@pytest.fixture
def paths(rows, empty_redis) -> list[str]:
    """Return every address, with a value for each parameter; a file; an address of nothing."""
    values: dict[str, str] = defaultdict(lambda: str(UUID(int=7)))
    table = [
        filled(route, values)
        for route in routes(get_resolver().url_patterns)
        if not route.startswith("admin/")
    ]
    every = {*addresses(), *table, "/static/watchdog/watchdog.css", "/nowhere", "/api/v1/nowhere"}
    assert len(every) > 140
    return sorted(every - set(LEAVES))


def answers(client: Client, paths: list[str]) -> Iterator[tuple[str, HttpResponseBase]]:
    client.raise_request_exception = False
    for path in paths:
        for send in (client.get, client.post):
            answer = send(path, secure=True)
            yield f"{send.__name__} {path} ({answer.status_code})", answer


@pytest.mark.parametrize("who", ["nobody", "operator"])
def test_each_answer_has_the_headers(who, https, paths, superuser) -> None:
    client = Client()
    if who == "operator":
        client.force_login(superuser)
    wrong = [
        f"{name}: {fault}" for name, answer in answers(client, paths) for fault in faults(answer)
    ]
    assert wrong == []


def faults(answer: HttpResponseBase) -> Iterator[str]:
    for header, value in EXACT.items():
        if answer.get(header) != value:
            yield f"{header} is {answer.get(header)}"
    if answer.get("Referrer-Policy") not in REFERRER:
        yield f"Referrer-Policy is {answer.get('Referrer-Policy')}"
    transport = re.fullmatch(
        r"max-age=(\d+); includeSubDomains; preload", answer.get("Strict-Transport-Security", "")
    )
    if transport is None or int(transport[1]) < YEAR:
        yield f"Strict-Transport-Security is {answer.get('Strict-Transport-Security')}"
    stated = answer.get("Content-Security-Policy", "").split(";")
    policy = dict(part.strip().split(" ", 1) for part in stated if part.strip())
    named = {source for sources in policy.values() for source in sources.split()}
    if not (policy.keys() >= SET and policy.items() >= NOWHERE.items() and named <= OWN):
        yield f"Content-Security-Policy is {policy}"
    for name, cookie in answer.cookies.items():
        is_kept = cookie["secure"] and cookie["samesite"] in ("Lax", "Strict")
        if cookie.value and not is_kept:  # an empty one only deletes
            yield f"cookie {name} is {cookie.OutputString()}"


def test_what_is_read_after_a_log_in_is_kept_by_no_cache(https, paths, superuser) -> None:
    client = Client()
    client.force_login(superuser)
    kept = [
        name
        for name, answer in answers(client, [path for path in paths if not path.startswith(OPEN)])
        if answer.status_code == 200
        and not all(word in answer.get("Cache-Control", "") for word in CLOSED)
    ]
    assert kept == []


def test_the_session_is_no_script_s_to_read(https, db) -> None:
    User.objects.create_user("kim", password=PASSWORD)
    client = Client()
    form = {"username": "kim", "password": PASSWORD}
    cookie = client.post("/login", form, secure=True).cookies[product.SESSION_COOKIE_NAME]
    assert cookie["secure"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert not cookie["domain"]


def test_plain_http_is_sent_to_https(https, client, db) -> None:
    answer = client.get("/login?next=/")
    assert (answer.status_code, answer["Location"]) == (301, "https://testserver/login?next=/")
