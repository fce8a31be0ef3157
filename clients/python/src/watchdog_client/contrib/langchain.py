"""LangChain runnable: the last step of a chain, which returns what a user may read.

    chain = prompt | model | WatchdogGuard(guard=Guard(client), async_guard=AsyncGuard(client))

The input is the answer (a string or message), or a dict with `answer` and optionally `query`,
`sources` (texts or documents) and further options of a check. What LangChain's retrieval chains
return (`input`, `context`, `answer`, `chat_history`) is read as such.
"""

from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableConfig

from watchdog_client.guard import AsyncGuard, Draft, Guard
from watchdog_client.operations import source_of

_ALIASES = {"input": "query", "context": "sources"}
_NO_OPTIONS = ("answer", "chat_history")


class WatchdogGuard(Runnable[Any, str]):
    """Checks an answer. `invoke` needs `guard`, `ainvoke` needs `async_guard`."""

    def __init__(self, guard: Guard | None = None, async_guard: AsyncGuard | None = None) -> None:
        self._guard = guard
        self._async_guard = async_guard

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> str:
        """Return the releasable text."""
        if self._guard is None:
            raise TypeError("WatchdogGuard was made without `guard`.")
        draft = draft_of(input)
        return self._guard.check_answer(draft.text, **draft.options).text

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> str:
        """Return the releasable text."""
        if self._async_guard is None:
            raise TypeError("WatchdogGuard was made without `async_guard`.")
        draft = draft_of(input)
        return (await self._async_guard.check_answer(draft.text, **draft.options)).text


def draft_of(runnable_input: Any) -> Draft:
    """Return the answer and options in a runnable's input. Raises KeyError without an answer."""
    if not isinstance(runnable_input, dict):
        return Draft(_text(runnable_input))
    options: Any = {
        _ALIASES.get(name, name): value
        for name, value in runnable_input.items()
        if name not in _NO_OPTIONS
    }
    if options.get("sources") is not None:
        options["sources"] = [
            source_of(source.page_content, source.id, source.metadata)
            if isinstance(source, Document)
            else source
            for source in options["sources"]
        ]
    return Draft(_text(runnable_input["answer"]), options)


def _text(value: Any) -> str:
    return value.text if isinstance(value, BaseMessage) else str(value)
