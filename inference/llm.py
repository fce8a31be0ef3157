"""An OpenAI-compatible endpoint: further answers to a question, by a deadline.

The client library is imported with the first call; it is the project's only way to call a
generator.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inference.completion import Completion, JsonReply, complete, complete_json
from inference.endpoints import ChatMessage, Endpoint

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = [
    "ChatMessage",
    "Completion",
    "Endpoint",
    "JsonReply",
    "Samples",
    "complete",
    "complete_json",
    "draw",
]

TEMPERATURE = 1.0
"""As in SelfCheckGPT (arXiv 2303.08896): the samples must be free to differ."""
_ERROR_CHARS = 200


@dataclass(frozen=True, slots=True)
class Samples:
    """The answers that came in time, in no order; `problem` says why others did not, or is ""."""

    texts: tuple[str, ...]
    problem: str


def draw(
    endpoint: Endpoint, messages: Sequence[ChatMessage], count: int, *, deadline_s: float
) -> Samples:
    """Ask `count` times at once and return what has come after `deadline_s` seconds.

    Never raises for endpoint failures: it may be down, slow, or answer nonsense.
    """
    return asyncio.run(_draw(endpoint, list(messages), count, deadline_s))


async def _draw(
    endpoint: Endpoint, messages: list[ChatMessage], count: int, deadline_s: float
) -> Samples:
    from openai import AsyncOpenAI  # noqa: PLC0415 - half a second, for those who need it

    async with AsyncOpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key or "none",
        timeout=deadline_s,
        max_retries=0,
    ) as client:
        tasks = [asyncio.create_task(_ask(client, endpoint, messages)) for _ in range(count)]
        finished, late = await asyncio.wait(tasks, timeout=deadline_s)
        for task in late:
            task.cancel()
        # A cancelled task ends by closing its connection; it must do so before the client ends.
        await asyncio.gather(*late, return_exceptions=True)
    texts = [task.result() for task in finished if task.exception() is None]
    answers = tuple(text for text in texts if text.strip())
    return Samples(answers, _problem(finished, len(late), len(texts) - len(answers), deadline_s))


async def _ask(client: "AsyncOpenAI", endpoint: Endpoint, messages: list[ChatMessage]) -> str:
    response = await client.chat.completions.create(
        model=endpoint.model,
        messages=messages,  # type: ignore[arg-type]  # its types know one class for each role
        temperature=TEMPERATURE,
        max_tokens=endpoint.max_tokens,
    )
    return response.choices[0].message.content or ""


def _problem(finished: "set[asyncio.Task[str]]", late: int, empty: int, deadline_s: float) -> str:
    """Return what went wrong, each kind once."""
    errors = [error for task in finished if (error := task.exception()) is not None]
    messages = {f"{type(error).__name__}: {error}"[:_ERROR_CHARS] for error in errors}
    parts = sorted(messages)
    if late:
        parts.append(f"{late} not answered within {deadline_s:g} s")
    if empty:
        parts.append(f"{empty} answered with nothing")
    return "; ".join(parts)
