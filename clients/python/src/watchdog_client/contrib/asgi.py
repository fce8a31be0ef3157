"""ASGI middleware for FastAPI and Starlette: answers in JSON responses are checked first.

    app.add_middleware(GuardMiddleware, guard=AsyncGuard(client), paths=["/chat"])

A response under `paths` (`/chat` and all below it, but not below `exempt`) is held back until its
answer is checked. One without an answer, a stream or a WebSocket raises `UnguardedResponseError`.
"""

from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from watchdog_client import verdicts
from watchdog_client.contrib.json_answers import (
    Fields,
    Paths,
    UnguardedResponseError,
    draft_of,
    replace_text,
)
from watchdog_client.guard import AsyncGuard
from watchdog_client.operations import CheckOptions


class GuardMiddleware:
    """Replaces the answer of successful responses under `paths` by the releasable text."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        guard: AsyncGuard,
        paths: Sequence[str],
        exempt: Sequence[str] = (),
        fields: Fields | None = None,
        options: CheckOptions | None = None,
    ) -> None:
        self._app = app
        self._guard = guard
        self._paths = Paths(tuple(paths), tuple(exempt))
        self._fields = fields or Fields()
        self._options: CheckOptions = options or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope.get("path", "")
        if not self._paths.hold(path, path.removeprefix(scope.get("root_path", ""))):
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            raise UnguardedResponseError("A WebSocket cannot be guarded.")
        response = _Response()
        await self._app(scope, receive, response.keep)
        if response.is_success:
            await self._guard_response(response)
        await send(response.start)
        await send({"type": "http.response.body", "body": response.body})

    async def _guard_response(self, response: "_Response") -> None:
        draft = draft_of(response.body, self._fields, self._options)
        result = await self._guard.check_answer(draft.text, **draft.options)
        response.body = replace_text(response.body, self._fields, result)
        headers = MutableHeaders(raw=response.start["headers"])
        headers["Content-Length"] = str(len(response.body))
        headers.update(verdicts.headers([result]))


class _Response:
    """The application's response, held back."""

    def __init__(self) -> None:
        self.start: Message = {}
        self.body = b""

    async def keep(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.start = {**message, "headers": list(message.get("headers", ()))}
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")

    @property
    def is_success(self) -> bool:
        return 200 <= int(self.start["status"]) < 300
