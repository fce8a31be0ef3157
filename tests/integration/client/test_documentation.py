"""The code blocks of docs/how-to/clients run as written."""

import asyncio
import re
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
from django.http import HttpRequest, JsonResponse
from django.test import RequestFactory
from django.utils.module_loading import import_string
from pytest_django.fixtures import Settings

from accounts.models import ApiKey, Application, Scope
from accounts.services import create_api_key
from notifications.models import Attempt
from tests.integration.notifications.receivers import hooks
from tests.stack import Stack

FOLDER = Path(__file__).parents[3] / "docs" / "how-to" / "clients"
pytestmark = pytest.mark.timeout(400)


def code_of(page: str, language: str) -> list[str]:
    """The code blocks of a page, in order."""
    text = (FOLDER / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_webhooks_page_runs(
    stack: Stack, application: Application, capsys: pytest.CaptureFixture[str]
) -> None:
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
    """Until so many attempts were noted."""
    deadline = monotonic() + 120
    while Attempt.objects.count() < count:
        assert monotonic() < deadline
        sleep(0.1)


def test_the_python_page_runs(
    stack: Stack,
    api_key: tuple[ApiKey, str],
    capsys: pytest.CaptureFixture[str],
    settings: Settings,
) -> None:
    names: dict[str, Any] = {"URL": stack.url, "KEY": api_key[1], "SECRET": "whsec_MDEyMw=="}
    blocks = code_of("python.md", "python")
    for number, block in enumerate(blocks):
        exec(compile(block, f"python.md, block {number}", "exec"), names)
    printed = capsys.readouterr().out
    assert "BLOCK" in printed
    assert "'done': 2" in printed
    assert "claim: Refunds take 30 days Contradictory" in printed
    assert "result: BLOCK" in printed
    assert "indexed Refunds take 14 days." in printed
    assert names["receive"]({}, b"{}") == 401
    assert asyncio.run(_asked(names["app"])).headers["X-Watchdog-Action"] == "ALLOW"
    settings.WATCHDOG = names["WATCHDOG"]
    guarded = import_string(*names["MIDDLEWARE"])(_of_thirty_days)
    response = guarded(RequestFactory().get(*names["WATCHDOG"]["PATHS"]))
    assert response.headers["X-Watchdog-Action"] == "BLOCK"
    assert "30 days" not in response.content.decode()


async def _asked(app: Any) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://t") as client:
        return await client.get("/chat")


def _of_thirty_days(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"answer": "Refunds take 30 days.", "query": "How long do refunds take?"})
