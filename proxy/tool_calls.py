"""Tool calls of a model: their arguments are checked like an answer, and so are the names in them.

What a user, a tool or the application said may stand in an argument. An order number, address,
path or function that is in none of it was made up by the model.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from typing import Any

from proxy.settings import Settings
from watchdog_client import GuardedAnswer, chat
from watchdog_client.operations import CheckOptions
from watchdog_client.verdicts import verdict_of

MOST_NAMES, MOST_LOOKED_UP = 20, 100
"""So many unknown names of a call are listed, and so many are looked up; others are unknown."""
_TOKEN = re.compile(r"[^\s\"'`<>,;|\[\]{}]+")
_WORD = re.compile(r"\w+(?:[-.:/]\w+)*(?:\(\))?")
_PATH = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][^/\\]+[/\\][^/\\]")
_MAIL = re.compile(r"[^@]+@[^@]+\.[^@]+")
_FUNCTION = re.compile(r"[\w.]+\(\)|[^\W\d_]\w*_\w+")
_TIME = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[-./:]\d{1,2}(?:[-./:]\d{1,4})?$")
_LONG_NUMBER = re.compile(r"\d{5,}")
_SEPARATORS = re.compile(r"[\W_]+")
_BORDERS = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_SHORTEST_SQUEEZED = 10
"""Shorter names are found only between separators: 12 is no part of 4123."""
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
            return settings.fail == "closed"
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
        values = _values(call.arguments)
        result = await self.check(call.arguments, self._options) if values else None
        if any(self.body.get(name) for name in _ELSEWHERE):
            return CheckedCall(call, result, ())
        names = [*dict.fromkeys(name for value in values for name in _names(value))]
        not_found = (name for name in names[:MOST_LOOKED_UP] if not self._is_known(name))
        not_offered = [call.name] if self._tools and call.name not in self._tools else []
        unknown = islice(chain(not_offered, not_found, names[MOST_LOOKED_UP:]), MOST_NAMES)
        return CheckedCall(call, result, tuple(name[:200] for name in unknown))

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
    def _tools(self) -> frozenset[str]:
        """The names of the functions that the request offers."""
        offered = [self.body.get(name) for name in ("tools", "functions")]
        tools = [tool for some in offered if isinstance(some, list) for tool in some]
        members = [
            tool.get(kind, tool) for tool in tools if isinstance(tool, dict)
            for kind in ("function", "custom")
        ]  # fmt: skip
        return frozenset(str(one.get("name")) for one in members if isinstance(one, dict))

    @cached_property
    def _words(self) -> str:
        texts = _texts([self.body, self.options.get("sources", ())], of_request=True)
        return f" {_SEPARATORS.sub(' ', ' | '.join(texts).casefold())} "

    @cached_property
    def _squeezed(self) -> str:
        return self._words.replace(" ", "")

    def _is_known(self, name: str) -> bool:
        words = _SEPARATORS.sub(" ", name.casefold()).strip()
        joined = words.replace(" ", "")
        if any(f" {form} " in self._words for form in (words, joined, _BORDERS.sub(" ", words))):
            return True
        return len(joined) >= _SHORTEST_SQUEEZED and joined in self._squeezed


def _values(arguments: str) -> list[str]:
    """Return the texts and numbers in JSON arguments, or a text as it is."""
    try:
        document = json.loads(arguments)
    except (ValueError, RecursionError):
        document = arguments
    return [text for text in _texts(document) if text.strip()]


def _texts(document: Any, *, of_request: bool = False) -> Iterator[str]:
    """Yield the texts and numbers in a document.

    Of a request also the names of members, and nothing that its assistant wrote.
    """
    stack = [document]
    while stack:
        match stack.pop():
            case {"role": "assistant"} | {"type": "function_call" | "custom_tool_call"} if (
                of_request
            ):
                pass
            case dict() as members:
                stack += reversed(members.values())
                if of_request:
                    yield from members
            case list() | tuple() as items:
                stack += reversed(items)
            case bool() | None:
                pass
            case value:
                yield str(value)


def _names(value: str) -> Iterator[str]:
    """Yield the addresses, paths, functions and identifiers in a text, without dates."""
    for token in _TOKEN.findall(value):
        token = token.rstrip(".:!?")
        if "://" in token:
            yield re.split(r"[?#]", token)[0]
        elif _PATH.match(token) or _MAIL.fullmatch(token):
            yield token
        else:
            yield from filter(_is_name, _WORD.findall(token))


def _is_name(word: str) -> bool:
    if _FUNCTION.fullmatch(word[:200]):
        return True
    if _TIME.match(word):
        return False
    digits = sum(character.isdigit() for character in word)
    has_letters = any(character.isalpha() for character in word)
    if has_letters:
        return digits > 1 and len(word) > 4
    return any(not run.endswith("000") for run in _LONG_NUMBER.findall(word))
