"""Logs tell where an error came from and by which address, never what it was about."""

from typing import Any

import pytest
import structlog
from django.test import RequestFactory

from watchdog_site.logs import exception_without_message, logging_config, without_secrets
from watchdog_site.middleware import RequestLogMiddleware


def test_an_exception_is_logged_without_its_message() -> None:
    try:
        raise ValueError("the patient's secret")
    except ValueError as error:
        event = exception_without_message(None, "error", {"event": "x", "exc_info": error})
    assert event["exception"] == "ValueError"
    assert "test_logs.py" in event["exception_at"][-1]
    assert "secret" not in str(event)


def test_exc_info_true_means_the_current_exception() -> None:
    try:
        raise KeyError("secret")
    except KeyError:
        event = exception_without_message(None, "error", {"exc_info": True})
    assert event["exception"] == "KeyError"


def test_an_event_without_exception_is_left_alone() -> None:
    assert exception_without_message(None, "info", {"event": "x"}) == {"event": "x"}


def test_a_link_is_a_permission_and_stays_out_of_the_log() -> None:
    event = {
        "event": "Not Found: /view/AaH8.secret",
        "request": "GET /view/AaH8.secret?claim=2",
        "code": 404,
        "path": "/admin/",
    }
    assert without_secrets(None, "warning", event) == {
        "event": "Not Found: /view/…",
        "request": "GET /view/…?claim=2",
        "code": 404,
        "path": "/admin/",
    }


@pytest.mark.parametrize(
    ("address", "left"),
    [
        ("http://svc:SECRET@host:8079/v1/chat", "http://…@host:8079/v1/chat"),
        ("https://SECRET@host/", "https://…@host/"),
        ("https://host/v1?a=1&api_key=SECRET&b=2", "https://host/v1?a=1&api_key=…&b=2"),
        ("https://host/v1?key=SECRET", "https://host/v1?key=…"),
        ("https://host/v1?Access_Token=SECRET&n=1", "https://host/v1?Access_Token=…&n=1"),
    ],
)
def test_an_address_is_logged_without_its_log_in_and_key(address, left) -> None:
    event = without_secrets(None, "info", {"event": f"HTTP Request: POST {address} 200"})
    assert event["event"] == f"HTTP Request: POST {left} 200"


@pytest.mark.parametrize("library", ["httpx", "httpx2", "openai"])
def test_libraries_that_quote_addresses_are_quiet(library) -> None:
    """The language models' client has a transport of its own."""
    assert logging_config("DEBUG")["loggers"][library]["level"] == "WARNING"


def logged(**meta: Any) -> Any:
    with structlog.contextvars.bound_contextvars(ip=None):
        RequestLogMiddleware.bind_ip(RequestFactory().get("/", **meta))
        return structlog.contextvars.get_contextvars()["ip"]


def test_a_client_cannot_choose_the_address_that_is_logged(settings) -> None:
    settings.TRUSTED_PROXIES = 0
    assert logged(REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR="8.8.8.8") == "192.0.2.1"
    settings.TRUSTED_PROXIES = 1
    forwarded = "8.8.8.8, 192.0.2.7"
    assert logged(REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=forwarded) == "192.0.2.7"


@pytest.mark.parametrize(("peer", "address"), [("2001:db8::1", "2001:db8::1"), ("", None)])
def test_the_whole_address_is_logged(settings, peer, address) -> None:
    settings.TRUSTED_PROXIES = 0
    assert logged(REMOTE_ADDR=peer) == address
