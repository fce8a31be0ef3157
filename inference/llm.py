"""OpenAI-compatible endpoints: an answer, a JSON value, or several samples, each by a deadline.

The client library is imported with the first call; it is the project's only way to call a
generator.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypedDict

from lib.telemetry import attributes
from lib.telemetry.tracing import Attributes, Current, carrier, span

if TYPE_CHECKING:
    from openai import AsyncOpenAI


class ChatMessage(TypedDict):
    """One message of a conversation; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The endpoint of a generator. `key` may be empty if none is needed."""

    url: str
    model: str
    key: str = ""
    max_tokens: int = 1024


RETRIES = 2
"""After an error of the network, 408, 409, 429 or 5xx, with growing pauses, within the deadline."""
_ERROR_CHARS = 200
_FIRM = 0.0
"""Temperature: the likeliest answer, since it is compared with its sources and not sampled."""
TEMPERATURE = 1.0
"""Temperature of samples, as in SelfCheckGPT (arXiv 2303.08896): they must be able to differ."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The answer of one endpoint. `problem` is "" if it answered.

    `logprobs` is `logprobs.content` as OpenAI-compatible APIs return it, None if absent. `tokens`
    counts prompt and answer, as reported by the endpoint or else estimated.
    """

    text: str
    model: str
    tokens: int = 0
    logprobs: tuple[dict[str, Any], ...] | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class JsonReply:
    """A JSON value that fits the schema, or None with the problem.

    `tokens`: as in `Completion`; for an unanswered call, an estimate of its prompt.
    """

    value: Any
    tokens: int
    problem: str


def complete(
    endpoint: Endpoint,
    messages: Sequence[ChatMessage],
    *,
    deadline_s: float,
    logprobs: bool = False,
) -> Completion:
    """Return one answer, streamed.

    `logprobs`: ask for them; an endpoint that refuses is asked again without.
    """
    with _traced(endpoint) as llm_span:
        answer = _streamed(endpoint, list(messages), logprobs=logprobs)
        completion = asyncio.run(_by(deadline_s, answer, endpoint))
        llm_span.set(_about(endpoint, completion))
        return completion


def complete_json(
    endpoint: Endpoint,
    messages: Sequence[ChatMessage],
    schema: dict[str, Any],
    *,
    deadline_s: float,
) -> JsonReply:
    """Return a value that fits this JSON schema; a bad reply is sent back once with its fault.

    If the endpoint does not know `response_format`, the schema is only in the prompt.
    """
    with _traced(endpoint) as llm_span:
        reply = asyncio.run(_json_by(deadline_s, endpoint, list(messages), schema))
        llm_span.set(_about(endpoint, reply))
        return reply


def _traced(endpoint: Endpoint) -> AbstractContextManager[Current]:
    about = attributes.model(attributes.LLM, endpoint.model)
    return span("generate", about, kind="CLIENT")


def _about(endpoint: Endpoint, completion: "Completion | JsonReply") -> Attributes:
    output = completion.text if isinstance(completion, Completion) else json.dumps(completion.value)
    model = attributes.model(attributes.LLM, endpoint.model, total=completion.tokens)
    return {**model, **attributes.text("output", output)}


def fault_in(text: str, schema: dict[str, Any]) -> tuple[Any, str]:
    """Return the JSON value in a reply, and what is wrong with it ("" if it fits the schema)."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - only for those who need it

    try:
        value = json.loads(_unfenced(text))
    except ValueError:
        return None, "the reply is no JSON"
    errors = Draft202012Validator(schema).iter_errors(value)
    first = next(iter(sorted(errors, key=lambda error: list(map(str, error.path)))), None)
    if first is None:
        return value, ""
    where = "/".join(map(str, first.path)) or "the value"
    return None, f"{where}: {first.message}"[:_ERROR_CHARS]


def _unfenced(text: str) -> str:
    """Remove the code fence that many models put around JSON."""
    body = text.strip()
    if not body.startswith("```"):
        return body
    return body.partition("\n")[2].rpartition("```")[0]


async def _by(deadline_s: float, answer: Any, endpoint: Endpoint) -> Completion:
    try:
        async with asyncio.timeout(deadline_s):
            completion: Completion = await answer
            return completion
    except TimeoutError:
        return Completion("", endpoint.model, problem=f"not answered within {deadline_s:g} s")


async def _streamed(
    endpoint: Endpoint, messages: list[ChatMessage], *, logprobs: bool
) -> Completion:
    from openai import BadRequestError, OpenAIError  # noqa: PLC0415 - half a second

    async with _client(endpoint) as client:
        try:
            try:
                return await _read(client, endpoint, messages, logprobs=logprobs)
            except BadRequestError:
                # It may be the usage or the log-probabilities that it does not know.
                return await _read(client, endpoint, messages, logprobs=None)
        except (OpenAIError, ValueError) as error:
            return Completion("", endpoint.model, problem=_words(error))


async def _read(
    client: "AsyncOpenAI",
    endpoint: Endpoint,
    messages: list[ChatMessage],
    *,
    logprobs: bool | None,
) -> Completion:
    """Read one answer; `logprobs` None: without any parameter that an endpoint may not know."""
    extra: dict[str, Any] = {}
    if logprobs is not None:
        extra["stream_options"] = {"include_usage": True}
    if logprobs:
        extra["logprobs"] = True
    stream = await _create(client)(**_question(endpoint, messages), stream=True, **extra)
    pieces, entries, tokens = list[str](), list[dict[str, Any]](), 0
    async for chunk in stream:
        tokens = chunk.usage.total_tokens if chunk.usage else tokens
        for choice in chunk.choices[:1]:
            pieces.append(choice.delta.content or "")
            if choice.logprobs and choice.logprobs.content:
                entries += [item.model_dump() for item in choice.logprobs.content]
    text = "".join(pieces)
    is_complete = entries and "".join(item["token"] for item in entries) == text
    completion = Completion(text, endpoint.model, tokens or _estimate(messages, text))
    if not text.strip():
        return replace(completion, problem="answered with nothing")
    return replace(completion, logprobs=tuple(entries) if is_complete else None)


async def _json_by(
    deadline_s: float, endpoint: Endpoint, messages: list[ChatMessage], schema: dict[str, Any]
) -> JsonReply:
    instruction = f"Answer with JSON alone, by this schema:\n{json.dumps(schema)}"
    conversation = [*messages, ChatMessage(role="system", content=instruction)]
    tokens, problem = 0, ""
    try:
        async with asyncio.timeout(deadline_s), _client(endpoint) as client:
            for _ in range(2):
                completion = await _structured(client, endpoint, conversation, schema)
                tokens += completion.tokens
                if completion.problem:
                    return JsonReply(None, tokens, completion.problem)
                value, problem = fault_in(completion.text, schema)
                if not problem:
                    return JsonReply(value, tokens, "")
                fault = f"That does not fit: {problem}. Answer again with JSON alone."
                conversation += [
                    ChatMessage(role="assistant", content=completion.text),
                    ChatMessage(role="user", content=fault),
                ]
    except TimeoutError:
        unanswered = not_answered(conversation, deadline_s)
        return replace(unanswered, tokens=tokens + unanswered.tokens)
    return JsonReply(None, tokens, problem)


def not_answered(messages: Sequence[ChatMessage], seconds: float) -> JsonReply:
    """Return the reply of an endpoint that timed out: it read the prompt, and may charge for it."""
    return JsonReply(None, _estimate(messages, ""), f"not answered within {seconds:.3g} s")


async def _structured(
    client: "AsyncOpenAI", endpoint: Endpoint, messages: list[ChatMessage], schema: dict[str, Any]
) -> Completion:
    from openai import BadRequestError, OpenAIError  # noqa: PLC0415 - half a second

    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}
    question = _question(endpoint, messages)
    try:
        try:
            response = await _create(client)(**question, response_format=form)
        except BadRequestError:
            response = await _create(client)(**question)
    except (OpenAIError, ValueError) as error:
        return Completion("", endpoint.model, problem=_words(error))
    text = (response.choices[0].message.content if response.choices else "") or ""
    tokens = response.usage.total_tokens if response.usage else _estimate(messages, text)
    return Completion(text, endpoint.model, tokens)


def _client(endpoint: Endpoint) -> "AsyncOpenAI":
    from openai import AsyncOpenAI  # noqa: PLC0415 - half a second, for those who need it

    key = endpoint.key or "none"
    return AsyncOpenAI(
        base_url=endpoint.url, api_key=key, max_retries=RETRIES, default_headers=carrier()
    )


def load_client() -> None:
    """Load what the first call would load, seconds on a busy machine; make no call."""
    import_module("jsonschema")
    _create(_client(Endpoint("http://127.0.0.1", "none")))


def _create(client: "AsyncOpenAI") -> Callable[..., Any]:
    """Return the API call, untyped: its types know one class for each role and option."""
    return client.chat.completions.create


def _question(endpoint: Endpoint, messages: list[ChatMessage]) -> dict[str, Any]:
    return {
        "model": endpoint.model,
        "messages": messages,
        "temperature": _FIRM,
        "max_tokens": endpoint.max_tokens,
    }


def _estimate(messages: Sequence[ChatMessage], text: str) -> int:
    """Estimate tokens, four characters each, rounded up: used if the endpoint reports none."""
    return (sum(len(message["content"]) for message in messages) + len(text)) // 4 + 1


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:_ERROR_CHARS]


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
    async with _client(endpoint).with_options(timeout=deadline_s, max_retries=0) as client:
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
    question = _question(endpoint, messages) | {"temperature": TEMPERATURE}
    response = await _create(client)(**question)
    content: str | None = response.choices[0].message.content
    return content or ""


def _problem(finished: "set[asyncio.Task[str]]", late: int, empty: int, deadline_s: float) -> str:
    """Return what went wrong, each kind once."""
    errors = [error for task in finished if (error := task.exception()) is not None]
    parts = sorted({_words(error) for error in errors})
    if late:
        parts.append(f"{late} not answered within {deadline_s:g} s")
    if empty:
        parts.append(f"{empty} answered with nothing")
    return "; ".join(parts)
