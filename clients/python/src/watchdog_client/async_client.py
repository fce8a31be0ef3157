"""The asynchronous client."""

import asyncio
import os
import ssl
import time
from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, BinaryIO, Self, TypeVar, Unpack
from weakref import WeakKeyDictionary

import httpx

from watchdog_client import flow, operations
from watchdog_client.errors import PendingError
from watchdog_client.models import (
    Batch,
    Check,
    CheckSummary,
    Collection,
    Document,
    Feedback,
    Key,
    Link,
    Page,
    Passage,
)
from watchdog_client.operations import Answer, CheckFilters, CheckOptions, Operation
from watchdog_client.stream import PAUSE_SECONDS, READ_SECONDS, CheckEvent, EventReader, pause
from watchdog_client.transport import (
    RetryPolicy,
    connection,
    from_environment,
    not_connected,
    request_arguments,
)

Result = TypeVar("Result")


class AsyncWatchdog:
    """Calls a WATCHDOG server with an API key, on asyncio, in any number of event loops.

    Every method raises a `WatchdogError` if there is no result; an invalid key or URL raises
    `ConfigurationError` at once. `verify` is httpx's (an `ssl.SSLContext` for a certificate
    authority of your own), and so is `transport`, for tests and proxies.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries: RetryPolicy | None = None,
        timeout: float = 30.0,
        verify: ssl.SSLContext | bool = True,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._retries = retries or RetryPolicy()
        self._timeout = timeout
        self._arguments = {
            **connection(base_url, api_key),
            "verify": verify,
            "transport": transport,
        }
        # Connections belong to the event loop that opened them.
        self._clients: WeakKeyDictionary[AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()

    @classmethod
    def from_env(cls, **options: Any) -> Self:
        """Make a client of `WATCHDOG_URL` and `WATCHDOG_KEY`. Raises ConfigurationError."""
        return cls(*from_environment(os.environ), **options)

    @property
    def _http(self) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = httpx.AsyncClient(**self._arguments)
        return self._clients[loop]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections of the running event loop."""
        await self._http.aclose()

    async def ping(self) -> Key:
        """Read the key, to verify URL and key at start."""
        return await self._send(operations.get_key())

    async def check(
        self,
        answer: Answer,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        **options: Unpack[CheckOptions],
    ) -> Check:
        """Check an answer and return its verdict, waiting up to `timeout` seconds.

        Raises PendingError if there is none by then, CheckFailedError if there will be none.
        """
        seconds = self._timeout if timeout is None else timeout
        return await self._run(
            flow.check(answer, options, self._retries, timeout=seconds, key=idempotency_key)
        )

    async def submit(
        self,
        answer: Answer,
        *,
        idempotency_key: str | None = None,
        **options: Unpack[CheckOptions],
    ) -> Check:
        """Submit an answer without waiting; a webhook or `wait_for_check` gets the verdict."""
        return await self._send(
            operations.create_check(answer, options, wait=0, key=idempotency_key)
        )

    async def get_check(self, check_id: str) -> Check:
        """Read one check."""
        return await self._send(operations.get_check(check_id))

    async def wait_for_check(self, check_id: str, *, timeout: float = 60.0) -> Check:
        """Wait until a check is done or failed. Raises PendingError after `timeout` seconds."""
        return await self._wait("check", operations.get_check, check_id, timeout)

    async def wait_for_release(self, check_id: str, *, timeout: float = 86_400.0) -> Check:
        """Wait until a held answer is settled; its `final_response` may then be shown.

        Asks every ten seconds; a webhook (`check.released`) needs no waiting. Raises PendingError
        after `timeout` seconds.
        """
        check = await self.get_check(check_id)
        deadline = time.monotonic() + timeout
        return await self._run(flow.until_released(check, self._retries, deadline=deadline))

    async def stream(self, check_id: str, *, timeout: float = 60.0) -> AsyncIterator[CheckEvent]:
        """Yield the events of a check as they happen: states, claims, and last the result.

        Reconnects if interrupted. Raises PendingError after `timeout` seconds.
        """
        reader, deadline = EventReader(), time.monotonic() + timeout
        while (remaining := deadline - time.monotonic()) > 0:
            seconds = PAUSE_SECONDS
            try:
                async with self._http.stream(
                    "GET",
                    operations.get_check(check_id).path,
                    headers=reader.headers(),
                    timeout=min(remaining, READ_SECONDS),
                ) as response:
                    if response.is_success:
                        async for line in response.aiter_lines():
                            if event := reader.read(line):
                                yield event
                                if event.type == "result":
                                    return
                    else:
                        await response.aread()
                        seconds = pause(check_id, response)
            except httpx.TransportError as error:
                if time.monotonic() >= deadline:
                    raise not_connected(error) from error
            await asyncio.sleep(min(seconds, max(0.0, deadline - time.monotonic())))
        raise PendingError("check", check_id)

    async def list_checks(self, **filters: Unpack[CheckFilters]) -> Page[CheckSummary]:
        """List checks, newest first."""
        return await self._send(operations.list_checks(filters))

    async def delete_check(self, check_id: str, *, reason: str = "") -> None:
        """Erase a check's texts, result and comments; the audit trail keeps `reason`."""
        await self._send(operations.delete_check(check_id, reason=reason))

    async def give_feedback(
        self, check_id: str, *, helpful: bool, comment: str = "", end_user: str = ""
    ) -> Feedback:
        """Store an end user's opinion of an answer; the same user's last one counts."""
        return await self._send(
            operations.give_feedback(check_id, helpful=helpful, comment=comment, end_user=end_user)
        )

    async def create_link(self, check_id: str, *, expires_in: int | None = None) -> Link:
        """Create a link to the verdict page that is valid for `expires_in` seconds."""
        return await self._send(operations.create_link(check_id, expires_in=expires_in))

    async def submit_batch(
        self, items: Sequence[Mapping[str, Any]], *, idempotency_key: str | None = None
    ) -> Batch:
        """Submit up to 1,000 answers; each item is `answer` and the options of a check."""
        return await self._send(operations.submit_batch(items, key=idempotency_key))

    async def get_batch(self, batch_id: str) -> Batch:
        """Read a batch with the state of each item."""
        return await self._send(operations.get_batch(batch_id))

    async def wait_for_batch(self, batch_id: str, *, timeout: float = 300.0) -> Batch:
        """Wait until every check is done or failed. Raises PendingError after `timeout` seconds."""
        return await self._wait("batch", operations.get_batch, batch_id, timeout)

    async def list_collections(self) -> list[Collection]:
        """List the application's collections."""
        return await self._send(operations.list_collections())

    async def create_collection(
        self, name: str, *, title: str = "", class_number: int | None = None, subject: str = ""
    ) -> Collection:
        """Create a collection."""
        return await self._send(
            operations.create_collection(
                name, title=title, class_number=class_number, subject=subject
            )
        )

    async def get_collection(self, name: str) -> Collection:
        """Read one collection."""
        return await self._send(operations.get_collection(name))

    async def delete_collection(self, name: str, *, confirm: str = "") -> None:
        """Delete a collection; one that has documents, if `confirm` repeats its name."""
        await self._send(operations.delete_collection(name, confirm=confirm))

    async def upload_document(
        self,
        collection: str,
        name: str,
        content: bytes | BinaryIO,
        *,
        idempotency_key: str | None = None,
    ) -> Document:
        """Upload a file; the same bytes in the same collection are one document."""
        return await self._send(
            operations.upload_document(collection, name, content, key=idempotency_key)
        )

    async def get_document(self, document_id: str) -> Document:
        """Read one document."""
        return await self._send(operations.get_document(document_id))

    async def wait_for_document(self, document_id: str, *, timeout: float = 300.0) -> Document:
        """Wait until a document is indexed or has failed.

        Raises PendingError after `timeout` seconds.
        """
        return await self._wait("document", operations.get_document, document_id, timeout)

    async def list_documents(
        self,
        collection: str | None = None,
        *,
        cursor: str | None = None,
        page_size: int | None = None,
    ) -> Page[Document]:
        """List documents, newest first."""
        return await self._send(operations.list_documents(collection, cursor, page_size))

    async def delete_document(self, document_id: str) -> None:
        """Delete a document and its passages."""
        await self._send(operations.delete_document(document_id))

    async def search(self, query: str, collections: Sequence[str], *, k: int = 4) -> list[Passage]:
        """Return the `k` best passages of the collections."""
        return await self._send(operations.search(query, collections, k))

    async def _wait(
        self,
        kind: str,
        get: Callable[[str], Operation[flow.Pending]],
        pending_id: str,
        timeout: float,
    ) -> flow.Pending:
        pending = await self._send(get(pending_id))
        deadline = time.monotonic() + timeout
        return await self._run(
            flow.until_finished(pending, kind, get, self._retries, deadline=deadline)
        )

    async def _send(self, operation: Operation[Result]) -> Result:
        return await self._run(flow.send(operation, self._retries, timeout=self._timeout))

    async def _run(self, steps: flow.Flow[Result]) -> Result:
        outcome: flow.Outcome | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: Result = end.value
                return result
            outcome = await self._perform(step)

    async def _perform(self, step: flow.Send | flow.Pause) -> flow.Outcome | None:
        if isinstance(step, flow.Pause):
            await asyncio.sleep(step.seconds)
            return None
        try:
            return await self._http.request(
                **request_arguments(step.operation), timeout=step.timeout
            )
        except httpx.TransportError as error:
            return error
