"""The proxy's own model, `watchdog-probe`: it says what the last message of the request says.

With it a probe goes the whole way of an answer, and no model server is asked. It gives nobody
anything but their own words, and these only after their verdict.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx

NAME = "watchdog-probe"
_PIECES = re.compile(r"\S*\s*")


class ProbeModel(httpx.AsyncBaseTransport):
    """An OpenAI-compatible endpoint of chat completions without a network."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """A completion, or a stream of one word a chunk; 404 for all but chat completions."""
        if not request.url.path.endswith("/chat/completions"):
            problem = {"message": f"{NAME} answers chat completions only.", "code": "no_such_api"}
            return httpx.Response(404, json={"error": problem})
        body = json.loads(await request.aread())
        content = body["messages"][-1].get("content") if body["messages"] else None
        text = content if isinstance(content, str) else ""
        if body.get("stream"):
            headers = {"content-type": "text/event-stream"}
            return httpx.Response(200, headers=headers, content=b"".join(_events(text)))
        message = {"role": "assistant", "content": text}
        return httpx.Response(200, json=_document("message", message, "stop"))


def _events(text: str) -> Iterator[bytes]:
    for piece in filter(None, _PIECES.findall(text)):
        yield _event(_document("delta", {"content": piece}, None))
    yield _event(_document("delta", {}, "stop"))
    yield b"data: [DONE]\n\n"


def _document(member: str, content: dict[str, Any], finish_reason: str | None) -> dict[str, Any]:
    kind = "chat.completion" if member == "message" else "chat.completion.chunk"
    choice = {"index": 0, member: content, "finish_reason": finish_reason}
    return {"id": NAME, "object": kind, "created": 0, "model": NAME, "choices": [choice]}


def _event(document: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(document, ensure_ascii=False)}\n\n".encode()
