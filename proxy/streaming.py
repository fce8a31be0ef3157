"""Releases a streamed answer sentence by sentence, each after its own verdict.

Each sentence is checked as soon as the model has finished it, several at a time, and released in
order. When the answer is complete it is checked as a whole, and that verdict ends the stream.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from lib.text.reader.json_text import begins_json
from lib.text.sentences import sentences
from lib.text.thinking import AnswerStream
from proxy.errors import reading_the_model
from proxy.formats import Event, Format, TextPosition
from proxy.settings import OnFailure, Settings
from watchdog_client import GuardedAnswer
from watchdog_client.verdicts import NOT_CHECKED, summary, verdict_of

Check = Callable[[str], Awaitable[GuardedAnswer]]


@dataclass(frozen=True, slots=True)
class StreamedSentence:
    """A sentence with the white space around it, and its check, which may still run."""

    text: str
    place: TextPosition
    check: asyncio.Task[GuardedAnswer]


@dataclass(frozen=True, slots=True)
class End:
    """The end of the model's stream: its whole text, and what interrupted it."""

    text: str
    error: Exception | None = None


Item = Event | StreamedSentence | End


@dataclass(slots=True)
class Splitter:
    """Splits text that arrives in pieces into sentences, without the model's reasoning.

    JSON has no sentences: it stays together, with what follows it.
    """

    is_data: bool = False
    buffer: str = ""
    answer: AnswerStream = field(default_factory=AnswerStream)

    def add(self, text: str) -> list[str]:
        """Return the sentences that `text` completes: those after which another begins."""
        self.buffer += self.answer.add(text)
        if self.is_data or begins_json(self.buffer):
            return []
        starts = [sentence.start for sentence in sentences(self.buffer)]
        cuts = [0, *starts[1:]]
        complete = [self.buffer[a:b] for a, b in pairwise(cuts)]
        self.buffer = self.buffer[cuts[-1] :]
        return complete

    def rest(self) -> list[str]:
        """Return the remaining text."""
        rest, self.buffer = self.buffer + self.answer.rest(), ""
        return [rest] if rest else []


@dataclass
class VerifiedStream:
    """Turns a model's events into those for the client."""

    format: Format
    check: Check
    on_failure: OnFailure
    settings: Settings
    is_data: bool = False
    _results: list[GuardedAnswer] = field(default_factory=list)
    _released: dict[TextPosition, str] = field(default_factory=dict)
    _checks: list[asyncio.Task[GuardedAnswer]] = field(default_factory=list)

    async def events(self, source: AsyncIterator[Event]) -> AsyncIterator[Event]:
        """Yield text as it is verified, everything else in its place, the verdict at the end."""
        queue: asyncio.Queue[Item] = asyncio.Queue()
        reader = asyncio.create_task(self._read(source, queue))
        try:
            async for event in self._release(queue):
                yield event
        finally:
            for task in (reader, *self._checks):
                task.cancel()
            await asyncio.gather(reader, *self._checks, return_exceptions=True)

    async def _read(self, source: AsyncIterator[Event], queue: asyncio.Queue[Item]) -> None:
        splitter, limit = Splitter(self.is_data), asyncio.Semaphore(self.settings.checks_at_once)
        full_text, error, place = "", None, TextPosition("", 0)

        def enqueue(sentences: list[str]) -> None:
            for sentence in sentences:
                task = asyncio.create_task(self._guard_sentence(sentence, limit))
                self._checks.append(task)
                queue.put_nowait(StreamedSentence(sentence, place, task))

        try:
            async for event in source:
                with reading_the_model():
                    if text := self.format.text_of(event):
                        if (next_place := self.format.place_of(event)) != place:
                            enqueue(splitter.rest())
                            place = next_place
                        enqueue(splitter.add(text))
                        full_text += text
                    if self.format.ends_text(event):
                        enqueue(splitter.rest())
                    if other := self.format.without_text(event):
                        queue.put_nowait(other)
        except Exception as raised:  # noqa: BLE001 - raised again where the stream is released
            error = raised
        enqueue(splitter.rest())
        queue.put_nowait(End(full_text, error))

    async def _guard_sentence(self, sentence: str, limit: asyncio.Semaphore) -> GuardedAnswer:
        if not sentence.strip():
            return GuardedAnswer("", "ALLOW")
        async with limit:
            return await self.check(sentence.strip())

    async def _release(self, queue: asyncio.Queue[Item]) -> AsyncIterator[Event]:
        last: Event | None = None
        while not isinstance(item := await queue.get(), End):
            if isinstance(item, StreamedSentence):
                if refusal := await self._refusal(item):
                    self._released[item.place] = refusal
                    yield self.format.with_refusal(refusal, item.place)
                    continue
                text = await self._verified(item)
                if text is None:
                    for event in self.format.stop(self._released, summary(self._results)):
                        yield event
                    return
                if text:
                    self._released[item.place] = self._released.get(item.place, "") + text
                    yield self.format.with_text(text, item.place)
            elif self.format.is_last(item):
                last = item
            else:
                with reading_the_model():
                    completed = self.format.completed(item, self._released)
                yield completed
        if item.error is not None:
            raise item.error
        verdict = await self._verdict(item.text)
        with reading_the_model():
            end = self.format.end(last, self._released, verdict)
        for event in end:
            yield event

    async def _refusal(self, sentence: StreamedSentence) -> str | None:
        """Return the replacement for JSON that does not pass; None for everything else."""
        body = sentence.text.strip()
        if not (self.is_data or begins_json(body)) or self.on_failure == "stop":
            return None
        result = await sentence.check
        if result.text == body:
            return None
        self._results.append(result)
        return result.text

    async def _verified(self, sentence: StreamedSentence) -> str | None:
        """Return the text to release: "" if it is left out, None if it ends the stream."""
        result = await sentence.check
        body = sentence.text.strip()
        if not body:
            return sentence.text
        self._results.append(result)
        before, after = sentence.text.split(body, 1)
        unverified = result.action is None and self.settings.fail == "closed"
        if result.observed or (result.action != "BLOCK" and not unverified):
            return before + result.text + after
        if self.on_failure == "stop":
            return None
        if unverified:
            is_repeated = any(earlier.action is None for earlier in self._results[:-1])
            return "" if is_repeated else before + result.text + after
        return before + self.settings.replacement + after if self.on_failure == "replace" else ""

    async def _verdict(self, text: str) -> dict[str, Any] | None:
        """Return the verdict on the whole answer, and the actions of its sentences."""
        if not text.strip():
            return None
        verdict = verdict_of(await self.check(text))
        return {**verdict, "sentences": [result.action or NOT_CHECKED for result in self._results]}
