"""Measures what the proxy adds to the time to the first and to the last token of an answer.

`python -m tools.evaluation.bench.proxy WATCHDOG_URL WATCHDOG_KEY` asks a model of its own, which
speaks OpenAI's protocol over a real socket at the speed of a hosted model, directly and through
`python -m proxy`, in turn, and prints the medians. WATCHDOG is whatever runs at the URL.
"""

import argparse
import asyncio
import json
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from tools.evaluation.bench import service

SOURCE = (
    "Refunds take 14 days from the day the goods arrive. They are paid to the card that was used. "
    "Shipping is not refunded. Gift cards cannot be returned. The shop answers letters in a week."
)
ANSWER = (
    "Refunds take 14 days from the day the goods arrive. The money goes to the card that was used. "
    "Shipping is not refunded. Gift cards cannot be returned."
)
_CLIENT = Path(__file__).parents[3] / "clients" / "python" / "src"


@dataclass(frozen=True, slots=True)
class Speed:
    """The speed of a model: seconds until its first token, and tokens a second after it."""

    first: float = 0.35
    rate: float = 60.0


@dataclass(frozen=True, slots=True)
class StreamTimes:
    """Seconds from the request to the first token and to the end of one streamed answer."""

    first: float
    last: float


def figures(direct: Sequence[StreamTimes], proxied: Sequence[StreamTimes]) -> dict[str, int]:
    """Return medians in milliseconds, and what the proxy added to them."""
    values = {"requests": len(direct)}
    for token in ("first", "last"):
        alone, behind = _ms(direct, token), _ms(proxied, token)
        values |= {
            f"direct_{token}": alone, f"proxy_{token}": behind, f"added_{token}": behind - alone,
        }  # fmt: skip
    return values


def _ms(times: Sequence[StreamTimes], name: str) -> int:
    seconds: float = median(getattr(item, name) for item in times)
    return int(1_000 * seconds + 0.5)


def model(speed: Speed, answer: str = ANSWER) -> Starlette:
    """Return a model that streams `answer`, a word a token."""

    async def complete(_: Request) -> StreamingResponse:
        async def lines() -> AsyncIterator[str]:
            await asyncio.sleep(speed.first)
            for word in answer.split():
                yield _line({"choices": [_choice({"content": f"{word} "}, None)]})
                await asyncio.sleep(1 / speed.rate)
            yield _line({"choices": [_choice({}, "stop")]})
            yield "data: [DONE]\n\n"

        return StreamingResponse(lines(), media_type="text/event-stream")

    return Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])


def _choice(delta: dict[str, str], reason: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": reason}


def _line(chunk: dict[str, Any]) -> str:
    event = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", **chunk}
    return f"data: {json.dumps(event)}\n\n"


@contextmanager
def serving(app: Starlette) -> Iterator[str]:
    """Serve an ASGI application on a free port of this machine, and yield its base URL."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while thread.is_alive() and not server.started:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.should_exit = True
        thread.join(10)


@contextmanager
def proxying(model_url: str, watchdog_url: str) -> Iterator[str]:
    """Run `python -m proxy` as a process of its own, and yield its base URL."""
    variables = {
        "PROXY_MODEL_URL": model_url,
        "PROXY_WATCHDOG_URL": watchdog_url,
        "PYTHONPATH": str(_CLIENT),
    }
    with service.running(["proxy"], "/healthz", variables) as stack:
        yield f"{stack.url}/v1"


def ask(client: httpx.Client, url: str, key: str) -> StreamTimes:
    """Ask for one streamed answer. Raises HTTPStatusError, and ValueError where no text came."""
    body = {
        "model": "m",
        "stream": True,
        "messages": [
            {"role": "system", "content": f"<context>{SOURCE}</context>"},
            {"role": "user", "content": "How do refunds work?"},
        ],
    }
    began, first = time.perf_counter(), None
    headers = {"X-Watchdog-Key": key, "Authorization": "Bearer model"}
    with client.stream("POST", f"{url}/chat/completions", json=body, headers=headers) as response:
        response.raise_for_status()
        for line in response.iter_lines():
            if first is None and line.startswith("data: {") and _text(line):
                first = time.perf_counter() - began
    if first is None:
        raise ValueError("The stream held no text.")
    return StreamTimes(first, time.perf_counter() - began)


def _text(line: str) -> str:
    choices = json.loads(line.removeprefix("data: ")).get("choices") or [{}]
    return str(choices[0].get("delta", {}).get("content") or "")


def measure(watchdog_url: str, key: str, requests: int) -> dict[str, int]:
    """Ask both ways in turn, after one request each that is not counted."""
    direct, proxied = list[StreamTimes](), list[StreamTimes]()
    with (
        serving(model(Speed())) as model_url,
        proxying(model_url, watchdog_url) as proxy_url,
        httpx.Client(timeout=120) as client,
    ):
        for _ in range(requests + 1):
            direct.append(ask(client, model_url, key))
            proxied.append(ask(client, proxy_url, key))
    return figures(direct[1:], proxied[1:])


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.evaluation.bench.proxy")
    parser.add_argument("url")
    parser.add_argument("key")
    parser.add_argument("--requests", type=int, default=20)
    options = parser.parse_args(arguments)
    print(json.dumps(measure(options.url, options.key, options.requests)))


if __name__ == "__main__":
    main(sys.argv[1:])
