"""Releases a streamed answer sentence by sentence, each after its own verdict.

A sentence is checked as soon as the model has finished it, several at a time, together with the
sentences before it, which say what its pronouns mean and what heads it stands under. Only where
these do not pass together is it checked alone as well. Sentences are released in order; the verdict
on the whole answer ends the stream.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from lib.text.reader.json_text import begins_json
from lib.text.sentences import sentences
from lib.text.thinking import AnswerStream, answer_alone
from proxy.errors import reading_the_model
from proxy.formats import Event, Format, TextPosition
from proxy.settings import OnFailure, Settings
from proxy.tool_calls import CheckedCall, ToolCall, verdicts_of
from watchdog_client import GuardedAnswer
from watchdog_client.models import Claim
from watchdog_client.verdicts import NOT_CHECKED, summary, verdict_of

Check = Callable[[str], Awaitable[GuardedAnswer]]
CheckCall = Callable[[ToolCall], Awaitable[CheckedCall]]
CONTEXT_CHARACTERS = 600
"""About so much of the answer before a sentence is checked again together with it."""
_REFUSED, _CORRECTED = "refused_answer", "added_corrections"
"""The mitigation actions of a check whose final response tells nothing, but for the corrections."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for a sentence, and the verdict on it together with those before it."""

    result: GuardedAnswer
    together: GuardedAnswer


@dataclass(frozen=True, slots=True)
class StreamedSentence:
    """A sentence with the white space around it, and its check, which may still run."""

    text: str
    place: TextPosition
    check: asyncio.Task[Outcome]


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
    check_call: CheckCall | None = None
    _results: list[GuardedAnswer] = field(default_factory=list)
    _released: dict[TextPosition, str] = field(default_factory=dict)
    _checks: list[asyncio.Task[Outcome]] = field(default_factory=list)
    _is_held: bool = False

    async def events(self, source: AsyncIterator[Event]) -> AsyncIterator[Event]:
        """Yield text as it is verified, everything else in its place, the verdict at the end."""
        queue: asyncio.Queue[Item] = asyncio.Queue()
        reader = asyncio.create_task(self._read(source, queue))
        try:
            async for event in self._release(queue, reader):
                yield event
        finally:
            for task in (reader, *self._checks):
                task.cancel()
            await asyncio.gather(reader, *self._checks, return_exceptions=True)

    async def _read(
        self, source: AsyncIterator[Event], queue: asyncio.Queue[Item]
    ) -> list[CheckedCall] | None:
        """Queue what the model sends; return its tool calls, checked, or None if it was cut off."""
        splitter, limit = Splitter(self.is_data), asyncio.Semaphore(self.settings.checks_at_once)
        full_text, error, place = "", None, TextPosition("", 0)
        earlier: list[str] = []

        def enqueue(sentences: list[str]) -> None:
            for sentence in () if self._is_held else sentences:
                decided = self._decide(context_of(earlier), sentence, limit)
                earlier.append(sentence)
                task = asyncio.create_task(decided)
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
            enqueue(splitter.rest())
        except Exception as raised:  # noqa: BLE001 - raised again where the stream is released
            error = raised  # What was begun and cut off is not released.
        queue.put_nowait(End(full_text, error))
        if error is not None:
            return None
        if self.check_call is None:
            return []
        with reading_the_model():
            calls = self.format.calls()
        return list(await asyncio.gather(*map(self.check_call, calls)))

    async def _decide(self, context: str, sentence: str, limit: asyncio.Semaphore) -> Outcome:
        body = sentence.strip()
        if not body:
            passed = GuardedAnswer("", "ALLOW")
            return Outcome(passed, passed)
        context = "" if self.is_data or begins_json(body) else context.lstrip()
        async with limit:
            together = await self.check(context + body)
            if not context or together.awaiting_review:
                return Outcome(together, together)
            if together.action in ("ALLOW", None):
                text = body if together.text == context + body else together.text
                return Outcome(replace(together, text=text), together)
            alone = await self.check(body)
        return Outcome(with_context(alone, together, body, len(context)), together)

    async def _release(
        self, queue: asyncio.Queue[Item], reader: asyncio.Task[list[CheckedCall] | None]
    ) -> AsyncIterator[Event]:
        last: Event | None = None
        holds_calls = self.settings.tool_calls == "refuse"
        while not isinstance(item := await queue.get(), End):
            if isinstance(item, StreamedSentence):
                if refusal := await self._refusal(item):
                    self._released[item.place] = refusal
                    yield self.format.with_refusal(refusal, item.place)
                    continue
                first = (await item.check).result
                if first.awaiting_review and item.text.strip():
                    async for event in self._hold(item.place, first, queue):
                        yield event
                    return
                text = await self._verified(item)
                if text is None:
                    for event in self.format.stop(self._released, self._summary()):
                        yield event
                    return
                if text:
                    self._released[item.place] = self._released.get(item.place, "") + text
                    yield self.format.with_text(text, item.place)
            elif self.format.is_last(item):
                last = item
            else:
                if holds_calls and self.format.has_call(item):
                    checked = await reader
                    if checked is None:
                        continue
                    if any(call.is_refused(self.settings) for call in checked):
                        for event in self.format.stop(self._released, self._summary(checked)):
                            yield event
                        return
                    holds_calls = False
                with reading_the_model():
                    completed = self.format.completed(item, self._released)
                yield completed
        if item.error is not None:
            raise item.error
        verdict = await self._verdict(item.text, await reader or [])
        with reading_the_model():
            end = self.format.end(last, self._released, verdict)
        for event in end:
            yield event

    async def _hold(
        self, place: TextPosition, first: GuardedAnswer, queue: asyncio.Queue[Item]
    ) -> AsyncIterator[Event]:
        """End the stream: a person has to approve the answer, which is held as a whole."""
        self._is_held = True
        while not isinstance(item := await queue.get(), End):
            pass
        if item.error is not None:
            raise item.error
        whole = await self.check(item.text)
        result = whole if whole.awaiting_review else first
        self._results.append(result)
        before = self._released.get(place, "")
        self._released[place] = before + result.text
        yield self.format.with_text(result.text, place)
        verdict = {**verdict_of(result), **summary(self._results)}
        for event in self.format.stop(self._released, verdict):
            yield event

    async def _refusal(self, sentence: StreamedSentence) -> str | None:
        """Return the replacement for JSON that does not pass; None for everything else."""
        body = sentence.text.strip()
        if not (self.is_data or begins_json(body)) or self.on_failure == "stop":
            return None
        result = (await sentence.check).result
        if result.text == body:
            return None
        self._results.append(result)
        return result.text

    async def _verified(self, sentence: StreamedSentence) -> str | None:
        """Return the text to release: "" if it is left out, None if it ends the stream."""
        result = (await sentence.check).result
        body = sentence.text.strip()
        if not body:
            return sentence.text
        self._results.append(result)
        before, after = sentence.text.split(body, 1)
        unverified = result.action is None and result.text != body
        if result.observed or (result.action != "BLOCK" and not unverified):
            return before + (result.text or self.settings.replacement) + after
        if self.on_failure == "stop":
            return None
        if unverified:
            is_repeated = any(earlier.action is None for earlier in self._results[:-1])
            return "" if is_repeated else before + result.text + after
        if self.on_failure == "omit":
            return ""
        # Where the sources say something else, that is told instead of a gap.
        actions = result.check.mitigation_actions if result.check else [_REFUSED]
        is_told = _REFUSED not in actions or _CORRECTED in actions
        return before + ((is_told and result.text) or self.settings.replacement) + after

    def _summary(self, calls: Sequence[CheckedCall] = ()) -> dict[str, Any]:
        return summary(self._results) | verdicts_of(calls)

    async def _verdict(self, text: str, calls: list[CheckedCall]) -> dict[str, Any]:
        """Return the verdict on the whole answer, with the worst action, and its sentences'."""
        answer = answer_alone(text).strip()
        if not answer:
            return self._summary(calls)
        together = [task.result().together for task in self._checks]
        whole = next((one for one in reversed(together) if one.check), None)
        if whole is None or whole.check is None or whole.check.answer.strip() != answer:
            whole = await self.check(text)
        return {
            **verdict_of(whole),
            "action": summary([whole, *self._results])["action"],
            "sentences": [result.action or NOT_CHECKED for result in self._results],
            **verdicts_of(calls),
        }


def context_of(sentences: list[str]) -> str:
    """Return the last sentences, as far as `CONTEXT_CHARACTERS` reach."""
    context = ""
    for sentence in reversed(sentences):
        if context and len(context) + len(sentence) > CONTEXT_CHARACTERS:
            break
        context = sentence + context
    return context


def with_context(
    alone: GuardedAnswer, together: GuardedAnswer, sentence: str, at: int
) -> GuardedAnswer:
    """Return the verdict on a sentence, which begins at `at` of what was checked together.

    It passes if the sentences before it are what failed: where all that it states is supported
    after them, or it passes alone and nothing of it failed after them. Otherwise the more severe
    of both verdicts holds.
    """
    claims = together.check.claims if together.check else []
    own = [claim for claim in claims if claim.answer_char_span[1] > at]
    is_supported = all(claim.status == "Supported" for claim in own)
    if alone.action is None or (alone.action == "ALLOW" and is_supported):
        return alone
    # Alone it failed because of what it states, so the words before it may have been missing.
    for_claims = alone.check and any(c.status != "Supported" for c in alone.check.claims)
    is_earlier = any(c.status != "Supported" for c in claims if c not in own)
    if own and is_supported and for_claims and is_earlier:
        return replace(alone, text=sentence, action="ALLOW")
    if alone.action != "ALLOW":
        return alone
    if together.observed:
        return replace(together, text=sentence)
    return replace(together, text=end_of_final(own, together.text))


def end_of_final(claims: list[Claim], final: str) -> str:
    """Return the end of a final response from its last claims on; "" if one is not shown."""
    starts = [claim.final_char_span[0] for claim in claims if claim.final_char_span]
    if len(starts) < len(claims):
        return ""
    return final[max(s.start for s in sentences(final) if s.start <= min(starts)) :].strip()
