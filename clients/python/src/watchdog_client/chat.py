"""The question and sources in messages of an OpenAI-compatible request. Pure functions.

Sources are tool results and the `<context>` blocks in messages of trusted roles. The question is
the last user message without those blocks.
"""

import re
from collections.abc import Sequence
from typing import Any

from watchdog_client.operations import CheckOptions

CONTEXT = re.compile(r"<context[^<>]*>(.*?)</context>", re.DOTALL | re.IGNORECASE)
"""Sources in a message: the groups of this pattern."""
_CLOSING = re.compile("</context>", re.IGNORECASE)
LONGEST_QUESTION = 20_000
"""Characters of a question that WATCHDOG takes: of a longer message the end counts."""
ROLES = ("system", "developer", "user")
"""The default roles whose `<context>` blocks are sources."""


def check_options(
    messages: Sequence[Any],
    stated: CheckOptions,
    model: str,
    roles: Sequence[str] = ROLES,
    pattern: re.Pattern[str] = CONTEXT,
) -> CheckOptions:
    """Return the options for checking an answer to these messages.

    `stated` ones take precedence.
    """
    question = question_of(messages, pattern)
    options: CheckOptions = {"source_model": model, "query": question, **stated}
    if "sources" not in stated and (sources := sources_of(messages, roles, pattern)):
        options["sources"] = sources
    return options


def question_of(messages: Sequence[Any], pattern: re.Pattern[str] = CONTEXT) -> str:
    """Return the last user message, or its end, without its context blocks, or ""."""
    for message in reversed(messages):
        if isinstance(message, dict) and message.get("role") == "user":
            return words_of(message, pattern)[-LONGEST_QUESTION:]
    return ""


def words_of(message: dict[str, Any], pattern: re.Pattern[str] = CONTEXT) -> str:
    """Return the text of a message without its context blocks."""
    text = text_of(message.get("content"))
    end = _end_of_blocks(text, pattern)
    return (pattern.sub("", text[:end]) + text[end:]).strip()


def sources_of(
    messages: Sequence[Any], roles: Sequence[str] = ROLES, pattern: re.Pattern[str] = CONTEXT
) -> list[str]:
    """Return the tool results and the context blocks of messages of these roles, in order."""
    sources: list[str] = []
    for message in messages:
        if not isinstance(message, dict):
            continue
        if message.get("role") == "tool":
            sources.append(text_of(message.get("content")))
        elif message.get("type") == "function_call_output":
            sources.append(text_of(message.get("output")))
        elif message.get("role") in roles:
            text = text_of(message.get("content"))
            for match in pattern.finditer(text, 0, _end_of_blocks(text, pattern)):
                sources.extend(group.strip() for group in match.groups(""))
    return [source for source in sources if source.strip()]


def _end_of_blocks(text: str, pattern: re.Pattern[str]) -> int:
    """Return where the last block may end.

    To look for the end of each tag that nothing closes would take time with the square of them.
    """
    if pattern is not CONTEXT:
        return len(text)
    return max((closing.end() for closing in _CLOSING.finditer(text)), default=0)


def text_of(content: Any) -> str:
    """Return the text of a message's content: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") if isinstance(part, dict) else part for part in content)
    return "\n".join(text for text in texts if isinstance(text, str))


def input_messages(body: dict[str, Any]) -> list[Any]:
    """Return the input of a Responses request as a list of messages, instructions first."""
    content = body.get("input")
    items = (
        [{"role": "user", "content": content}] if isinstance(content, str) else list(content or ())
    )
    instructions = body.get("instructions")
    if isinstance(instructions, str):
        return [{"role": "developer", "content": instructions}, *items]
    return items
