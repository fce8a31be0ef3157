"""Checking by a WATCHDOG server, where the answer is kept, reviewed and accounted for."""

from typing import Any

import httpx


class NotCheckedError(Exception):
    """The server gave no verdict (down, refused, or not in time): treat the answer as unsafe."""


class HttpCheck:
    """Calls `POST /api/v1/checks` and returns its document.

    `wait_seconds` is how long the server may take for the verdict. Raises NotCheckedError when
    there is none: what was not checked is never clean.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        wait_seconds: int = 30,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._client = httpx.Client(
            base_url=base_url,
            headers={"Authorization": f"Bearer {api_key}", "Prefer": f"wait={wait_seconds}"},
            timeout=httpx.Timeout(10, read=wait_seconds + 10),
            transport=transport,
        )

    def __call__(self, prompt: str, response: str, rag: Any = None) -> dict[str, Any]:
        """Check one answer against its sources (a text, or a list of texts or objects)."""
        sources = [rag] if isinstance(rag, str) else rag
        body = {"query": prompt or "", "answer": response, "sources": sources}
        try:
            answer = self._client.post("/api/v1/checks", json=body)
        except httpx.HTTPError as error:
            raise NotCheckedError(f"WATCHDOG did not answer: {error}") from error
        return _verdict(answer)


def _verdict(answer: httpx.Response) -> dict[str, Any]:
    if answer.status_code == httpx.codes.OK:
        document: dict[str, Any] = answer.json()
        return document
    if answer.status_code == httpx.codes.ACCEPTED:
        raise NotCheckedError(f"No verdict yet; it will be at {answer.headers.get('Location')}.")
    raise NotCheckedError(f"WATCHDOG refused the answer ({answer.status_code}): {_detail(answer)}")


def _detail(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["detail"])
    except (ValueError, KeyError, TypeError):
        return answer.text[:200]
