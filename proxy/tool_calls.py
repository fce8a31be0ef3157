"""Tool calls of a model: their arguments are checked like an answer, and so are the names in them.

What a user, a tool or the application said may stand in an argument. An order number, address,
path or function that is in none of it was made up by the model.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from lib.text.reader.json_text import is_json
from lib.text.vocabulary import Vocabulary, offered_functions, values_of
from proxy.settings import Settings
from watchdog_client import GuardedAnswer, chat
from watchdog_client.operations import CheckOptions
from watchdog_client.verdicts import verdict_of

_ELSEWHERE = ("previous_response_id", "conversation", "prompt")
"""With these the model's server holds a part of the conversation."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A function that the model wants to be called; `arguments` are JSON, or a text."""

    id: str
    name: str
    arguments: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not isinstance(self.arguments, str):
            raise TypeError("a tool call is of another form")


@dataclass(frozen=True, slots=True)
class CheckedCall:
    """A call with the verdict on its arguments, None if it has none, and its unknown names."""

    call: ToolCall
    result: GuardedAnswer | None
    unknown: tuple[str, ...]

    @property
    def verdict(self) -> dict[str, Any]:
        decision = {"action": "ALLOW"} if self.result is None else verdict_of(self.result)
        return {
            "id": self.call.id, "name": self.call.name, **decision, "unknown": list(self.unknown)
        }  # fmt: skip

    def is_refused(self, settings: Settings) -> bool:
        """Return True for a call that the settings hold back.

        What is merely unsupported passes: a search phrase has no source.
        """
        result = self.result
        is_observed = settings.mode == "observe" or (result is not None and result.observed)
        if settings.tool_calls != "refuse" or is_observed:
            return False
        if self.unknown or result is None:
            return bool(self.unknown)
        if result.check is None:
            is_shown = settings.fail == "open" and not (result.error and result.error.refused)
            return not is_shown
        statuses = {claim.status for claim in result.check.claims}
        return result.action != "ALLOW" and "Contradictory" in statuses


def verdicts_of(calls: Sequence[CheckedCall]) -> dict[str, Any]:
    """Return the member of a verdict that tells of tool calls; nothing if there are none."""
    return {"tool_calls": [call.verdict for call in calls]} if calls else {}


@dataclass(frozen=True)
class CallCheck:
    """Checks the calls of the answer to one request."""

    body: dict[str, Any]
    messages: Sequence[Any]
    options: CheckOptions
    pattern: re.Pattern[str]
    check: Callable[[str, CheckOptions], Awaitable[GuardedAnswer]] = field(repr=False)

    async def __call__(self, call: ToolCall) -> CheckedCall:
        """Check one call. Raises ProxyError."""
        values = values_of(call.arguments)
        result = await self.check(call.arguments, self._options) if values else None
        if any(self.body.get(name) for name in _ELSEWHERE):
            return CheckedCall(call, result, ())
        vocabulary = self._vocabulary
        if ignored := self._flagged(result):
            vocabulary = replace(vocabulary, ignored=ignored)
        return CheckedCall(call, result, vocabulary.unknown_names(call.name, values))

    def _flagged(self, result: GuardedAnswer | None) -> list[str]:
        """Return the stretches of sources that WATCHDOG's scan flagged; of JSON all of it."""
        texts = {
            str(source.get("id") or f"source_{number}"): source.get("text", "")
            for number, one in enumerate(self.options.get("sources") or (), 1)
            for source in [one if isinstance(one, Mapping) else {"text": one}]
        }
        passages = result.check.injection if result and result.check else ()
        flagged = ((texts.get(one.doc_id, ""), slice(one.start, one.end)) for one in passages)
        return [stretch for text, at in flagged if (stretch := text if is_json(text) else text[at])]

    @cached_property
    def _options(self) -> CheckOptions:
        """The options, with what people and the application wrote as further sources."""
        texts = [
            chat.words_of(message, self.pattern)
            for message in self.messages
            if isinstance(message, dict) and message.get("role") in chat.ROLES
        ]
        stated = self.options.get("sources") or []
        return {**self.options, "sources": [*stated, *filter(None, texts)]}

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        offered = (offered_functions(self.body.get(name)) for name in ("tools", "functions"))
        documents = [self.body, self.options.get("sources", ())]
        return Vocabulary(documents, frozenset().union(*offered))
