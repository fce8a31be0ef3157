"""The address that a request's log lines name."""

from typing import Any

import pytest
import structlog
from django.test import RequestFactory

from watchdog_site.middleware import RequestLogMiddleware


def logged(**meta: Any) -> Any:
    with structlog.contextvars.bound_contextvars(ip=None):
        RequestLogMiddleware.bind_ip(RequestFactory().get("/", **meta))
        return structlog.contextvars.get_contextvars()["ip"]


def test_a_client_cannot_choose_the_address_that_is_logged(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 0
    assert logged(REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR="8.8.8.8") == "192.0.2.1"
    settings.TRUSTED_PROXIES = 1
    forwarded = "8.8.8.8, 192.0.2.7"
    assert logged(REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=forwarded) == "192.0.2.7"


@pytest.mark.parametrize(("peer", "address"), [("2001:db8::1", "2001:db8::1"), ("", None)])
def test_the_whole_address_is_logged(settings: Any, peer: str, address: str | None) -> None:
    settings.TRUSTED_PROXIES = 0
    assert logged(REMOTE_ADDR=peer) == address
