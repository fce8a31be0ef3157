"""The Python of the READMEs and of the pages about clients and notifications runs as written."""

import asyncio
import hmac
import json
import re
from base64 import b64decode, b64encode
from pathlib import Path
from time import time
from typing import Any

import httpx
import pytest
from django.http import HttpRequest, JsonResponse
from django.test import RequestFactory
from django.utils.module_loading import import_string

from accounts.models import Scope
from accounts.services import create_api_key
from notifications.models import Attempt
from tests.integration.notifications.receivers import hooks
from tests.sockets import wait_until

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "how-to" / "clients"
pytestmark = pytest.mark.timeout(400)


def code_of(page: str, language: str) -> list[str]:
    """Return the code blocks of a page, in order."""
    text = (FOLDER / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_webhooks_page_runs(stack, application, capsys) -> None:
    _, key = create_api_key(application=application, name="w", scopes=tuple(Scope), by="test")
    with hooks() as receiver:
        names: dict[str, Any] = {"URL": stack.url, "KEY": key, "RECEIVER": receiver.url}
        for number, block in enumerate(code_of("webhooks.md", "python")):
            exec(compile(block, f"webhooks.md, block {number}", "exec"), names)
        wait_for_messages(1)
        names["repeat"]()
        wait_for_messages(2)
    assert [names["receive"](headers, body) for headers, body in receiver.requests] == [204, 204]
    assert names["receive"]({}, b"{}") == 401
    assert capsys.readouterr().out == "[204]\nreceived check.done BLOCK\n"
    names["rotate"]()
    assert names["receive"](*receiver.requests[0]) == 401  # signed before there was this secret


def wait_for_messages(count: int) -> None:
    """Wait until so many attempts were recorded."""
    wait_until(lambda: Attempt.objects.count() >= count, seconds=120)


def test_the_python_page_runs(stack, api_key, capsys, settings) -> None:
    names: dict[str, Any] = {"URL": stack.url, "KEY": api_key[1]}
    blocks = code_of("python.md", "python")
    for number, block in enumerate(blocks):
        exec(compile(block, f"python.md, block {number}", "exec"), names)
    printed = capsys.readouterr().out
    assert "BLOCK" in printed
    assert "'done': 2" in printed
    assert "claim: Refunds take 30 days Contradictory" in printed
    assert "result: BLOCK" in printed
    assert "indexed Refunds take 14 days." in printed
    assert asyncio.run(_asked(names["app"])).headers["X-Watchdog-Action"] == "ALLOW"
    settings.WATCHDOG = names["WATCHDOG"]
    guarded = import_string(*names["MIDDLEWARE"])(_of_thirty_days)
    response = guarded(RequestFactory().get(*names["WATCHDOG"]["PATHS"]))
    assert response.headers["X-Watchdog-Action"] == "BLOCK"
    assert "30 days" not in response.content.decode()


@pytest.mark.parametrize("page", ["README.md", "clients/python/README.md"])
def test_a_readme_runs(stack, api_key, capsys, monkeypatch, page) -> None:
    monkeypatch.setenv("WATCHDOG_KEY", api_key[1])
    (code,) = code_of(str(ROOT / page), "python")
    code = code.replace("http://127.0.0.1:8000", stack.url).replace("wd_…", api_key[1])
    exec(compile(code, page, "exec"), {})
    printed = capsys.readouterr().out
    assert "14 days" in printed
    assert "30 days" not in printed


def test_the_receiver_of_notifications_runs() -> None:
    handled: list[tuple[str, object]] = []
    secret = "whsec_MDEyMw=="
    names: dict[str, Any] = {
        "SECRET": secret,
        "seen_before": {"old"}.__contains__,
        "handle": lambda *event: handled.append(event),
    }
    (code,) = code_of("../notifications.md", "python")
    exec(compile(code, "notifications.md", "exec"), names)
    body = code_of("../notifications.md", "json")[0].encode()
    for message in ("new", "old"):
        assert names["receive"](signed(secret, message, body), body) == 200
    assert handled == [("review.escalated", json.loads(body)["data"])]
    assert names["receive"](signed("whsec_OTk5OQ==", "new", body), body) == 401


def signed(secret: str, message: str, body: bytes) -> dict[str, str]:
    """Return the headers of a message, made as docs/how-to/notifications.md describes them."""
    now = str(int(time()))
    key = b64decode(secret.removeprefix("whsec_"))
    content = f"{message}.{now}.".encode() + body
    signature = b64encode(hmac.digest(key, content, "sha256")).decode()
    return {"webhook-id": message, "webhook-timestamp": now, "webhook-signature": f"v1,{signature}"}


async def _asked(app: Any) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://t") as client:
        return await client.get("/chat")


def _of_thirty_days(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"answer": "Refunds take 30 days.", "query": "How long do refunds take?"})
