"""The real web process with the variables of docker-compose.yml: who may call it, and how."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import yaml

from accounts.models import ApiKey
from tests.stack import Stack

SERVICES: dict[str, Any] = yaml.safe_load(Path("docker-compose.yml").read_text())["services"]
GIVEN = {"ALLOWED_HOSTS": "watchdog.example.com", "SECRET_KEY": "k" * 50}
OURS = ("DATABASE_URL", "REDIS_URL", "WEB_BIND")
"""Where the servers of the tests are instead."""
BODY = {"answer": "The bridge has 3 arches.", "sources": ["The bridge has 3 arches."]}


def variables(service: str) -> dict[str, str]:
    """The environment of a service, with `${NAME:-default}` put in."""
    given = SERVICES[service]["environment"]
    return {
        name: re.sub(r"\$\{(\w+)(?::[-?]([^}]*))?\}", _value, str(value))
        for name, value in given.items()
        if name not in OURS
    }


def _value(found: re.Match[str]) -> str:
    return GIVEN.get(found[1], found[2] or "")


@pytest.fixture
def web(transactional_db: None, empty_redis: None) -> Iterator[Stack]:
    started = Stack.start("web", **variables("web"))
    yield started
    started.stop()


def post(web: Stack, token: str, **headers: str) -> httpx.Response:
    sent = {"Prefer": "respond-async", "Authorization": f"Bearer {token}", **headers}
    return httpx.post(f"{web.url}/api/v1/checks", json=BODY, headers=sent, timeout=30)


def test_who_reaches_web_and_how(web: Stack, api_key: tuple[ApiKey, str]) -> None:
    token = api_key[1]
    proxy = urlsplit(variables("proxy")["PROXY_WATCHDOG_URL"])
    assert proxy.scheme == "http"
    assert post(web, token, Host=proxy.netloc).status_code == 202, "the proxy, without HTTPS"
    public = GIVEN["ALLOWED_HOSTS"]
    secure = {"X-Forwarded-Proto": "https"}
    assert post(web, token, Host=public, **secure).status_code == 202
    plain = post(web, token, Host=public)
    assert plain.status_code == 301
    assert plain.headers["Location"].startswith(f"https://{public}/")
    assert post(web, token, Host="elsewhere.example.com", **secure).status_code == 400
    page = httpx.get(f"{web.url}/accounts/login/", headers={"Host": proxy.netloc}, timeout=30)
    assert page.status_code == 301, "pages are served over HTTPS alone"
